import type { Definition } from "./outline-rows.ts";

/** What a reader of a map knows without being told. */
const KNOWN =
  /^(export|default|declare|async|function\*?|public|private|protected|internal|static|final|abstract|override|readonly|pub(\([^)]*\))?|unsafe|extern|fn|def|func|const|let|var|inline|virtual)\s+/;
const MAX_LENGTH = 100;

/** A definition in a few words: its signature without the words that every one has. */
export function signatureText({ signature, name, kind }: Definition): string {
  if (kind === "type" && signature.includes("=")) return `type ${name}`;
  let text = signature.replace(/^(@\S+\s+)+/, "");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(KNOWN, "");
  }
  text = text.replace(/\s*\{.*$/, "").trim();
  // `total = (a) => a + 1` is total(a)
  if (kind === "function")
    text = text.replace(/^([\w$]+) = (?:async )?(?=\()/, "$1").replace(/(\)[^()]*?) =>.*$/, "$1");
  const open = text.split("(").length - text.split(")").length;
  if (open > 0) text = `${text.replace(/[(,:=\s]+$/, "")}${text.endsWith("(") ? "(" : ", "}…)`;
  const isTelling = text.includes(name);
  const short = isTelling ? text : `${kind} ${name}`;
  return short.length > MAX_LENGTH ? `${short.slice(0, MAX_LENGTH - 1)}…` : short;
}
