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
  const isTelling = text.includes(name);
  const short = isTelling ? text : `${kind} ${name}`;
  return short.length > MAX_LENGTH ? `${short.slice(0, MAX_LENGTH - 1)}…` : short;
}
