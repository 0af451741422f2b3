import { fromText } from "../../src/workspace/edit/byte-text.ts";
import type { LineHunk } from "../../src/workspace/edit/operation.ts";

/** The same hunks of one file as an agent would send them in another format; null: that format cannot say them. */
export type Format = (path: string, hunks: readonly LineHunk[]) => string | null;

const SIGNS = { keep: " ", drop: "-", add: "+" } as const;
const sides = ({ lines }: LineHunk) =>
  [lines.filter(({ kind }) => kind !== "add"), lines.filter(({ kind }) => kind !== "drop")].map((side) =>
    side.map(({ text }) => text).join(""),
  ) as [string, string];

const asPatch: Format = (path, hunks) => {
  const lines = hunks.flatMap((hunk) => [
    "@@",
    ...hunk.lines.map(({ kind, text }) => SIGNS[kind] + text.replace(/\n$/, "")),
  ]);
  return ["*** Begin Patch", `*** Update File: ${path}`, ...lines, "*** End Patch", ""].join("\n");
};

const asBlocks: Format = (path, hunks) =>
  [
    path,
    ...hunks.map(sides).flatMap(([old, now]) => [`<<<<<<< SEARCH\n${old}=======\n${now}>>>>>>> REPLACE`]),
    "",
  ].join("\n");

/** JSON holds text, no bytes. */
const asJson: Format = (path, hunks) => {
  const texts = hunks
    .map(sides)
    .map((pair) => pair.map((text) => Buffer.from(text, "latin1").toString("utf8")) as [string, string]);
  if (texts.some(([old, now]) => old === "" || `${old}${now}`.includes("\ufffd"))) return null;
  return fromText(JSON.stringify({ edits: texts.map(([old, now]) => ({ op: "replace", path, old, new: now })) }));
};

export const FORMATS: Readonly<Record<string, Format>> = {
  "Begin Patch": asPatch,
  "SEARCH/REPLACE": asBlocks,
  JSON: asJson,
};
