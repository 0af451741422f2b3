import { bad, bodyOf, type Item, type ReadItems, textOf, textsOf } from "./item.ts";

type Raw = Readonly<Record<string, unknown>>;
const OVER = new Set(["closed", "tombstone"]);

/** The JSON lines that beads exports: an issue each. Only what blocks an issue is a dependency; relations are not. */
export const readBeads: ReadItems = (text, file) =>
  text
    .split(/\r?\n/)
    .flatMap((line, i) => (line.trim() === "" ? [] : [itemOf(parsed(line, file, i + 1), file, i + 1)]));

function parsed(line: string, file: string, at: number): Raw {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value as Raw;
  } catch {
    throw bad(file, "a line is no JSON", at);
  }
  throw bad(file, "a line is no issue", at);
}

function itemOf(raw: Raw, file: string, line: number): Item {
  const [key, title] = [textOf(raw.id), textOf(raw.title)];
  if (key === "" || title === "") throw bad(file, `an issue has no ${key === "" ? "id" : "title"}`, line);
  return {
    key,
    title,
    body: bodyOf(textOf(raw.description), { Design: textOf(raw.design), Notes: textOf(raw.notes) }),
    deps: blockers(raw.dependencies),
    criteria: textOf(raw.acceptance_criteria)
      .split("\n")
      .map((one) => one.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, "").trim())
      .filter((one) => one !== ""),
    labels: textsOf(raw.labels),
    isOver: OVER.has(textOf(raw.status)),
    line,
  };
}

const blockers = (all: unknown): readonly string[] =>
  (Array.isArray(all) ? (all as Raw[]) : [])
    .filter(({ type }) => textOf(type) === "blocks")
    .map((one) => textOf(one.depends_on_id))
    .filter((id) => id !== "");
