import { bad, bodyOf, type Fields, type Item, listIn, namesIn, type ReadItems, textIn, textOf, unfit } from "./item.ts";

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
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Raw;
  } catch {
    throw bad(file, "a line is no JSON", at);
  }
  throw bad(file, "a line is no issue", at);
}

function itemOf(raw: Raw, file: string, line: number): Item {
  const [key, title] = [textOf(raw.id), textOf(raw.title)];
  if (key === "" || title === "") throw bad(file, `an issue has no ${key === "" ? "id" : "title"}`, line);
  const of: Fields = { owner: key, file, line };
  return {
    key,
    title,
    body: bodyOf(textIn(raw.description, "the description", of), {
      Design: textIn(raw.design, "the design", of),
      Notes: textIn(raw.notes, "the notes", of),
    }),
    deps: blockers(raw.dependencies, of),
    criteria: textIn(raw.acceptance_criteria, "the acceptance criteria", of)
      .split("\n")
      .map((one) => one.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, "").trim())
      .filter((one) => one !== ""),
    labels: namesIn(raw.labels, "a label", of),
    isOver: OVER.has(textOf(raw.status)),
    line,
  };
}

/** An id alone blocks, and so does what names no type: it is what beads takes for granted. */
function blockers(all: unknown, of: Fields): readonly string[] {
  if (typeof all === "string") return namesIn(all, "a dependency", of);
  return listIn(all, "the dependencies", of).flatMap((one) => {
    const { type = "blocks", depends_on_id } = typeof one === "string" ? { depends_on_id: one } : ((one ?? {}) as Raw);
    if (textOf(type) === "") throw unfit(of, "a dependency", one);
    if (textOf(type) !== "blocks") return [];
    if (textOf(depends_on_id) === "") throw unfit(of, "a dependency", one);
    return [textOf(depends_on_id)];
  });
}
