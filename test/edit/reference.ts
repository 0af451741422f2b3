import type { LineHunk } from "../../src/workspace/edit/operation.ts";
import type { Rung } from "../../src/workspace/edit/rung.ts";

/** A slow and plain second opinion on where hunks fit. Lines keep their line ends. */
export const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export const oldOf = ({ lines }: LineHunk): string[] =>
  lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
const BLANKS = /[ \t\r\n\v\f]+$/;
const plain = (line: string): string =>
  Buffer.from(line, "latin1")
    .toString("utf8")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " ");

const SAME: Readonly<Record<Rung, (a: readonly string[], b: readonly string[]) => boolean>> = {
  exact: (a, b) => a.join("") === b.join(""),
  "line-endings": (a, b) => a.every((line, i) => line.replace(/\r?\n$|\r$/, "") === b[i]!.replace(/\r?\n$|\r$/, "")),
  "trailing-space": (a, b) => a.every((line, i) => line.replace(BLANKS, "") === b[i]!.replace(BLANKS, "")),
  "uniform-indent": (a, b) => shifted(a, b),
  "unicode-punctuation": (a, b) => shifted(a.map(plain), b.map(plain)),
};

/** Every line that is not blank is off by the same blanks in front. */
function shifted(a: readonly string[], b: readonly string[]): boolean {
  const bare = (line: string): string => line.replace(BLANKS, "");
  const pairs = a.map((line, i) => [bare(line), bare(b[i]!)] as const);
  if (pairs.some(([one, two]) => (one === "") !== (two === ""))) return false;
  const real = pairs.filter(([one]) => one !== "");
  const first = real[0];
  if (!first) return true;
  const [long, short] = first[0].length >= first[1].length ? [0, 1] : [1, 0];
  const by = first[long]!.slice(0, first[long]!.length - first[short]!.length);
  return /^[ \t]*$/.test(by) && real.every((pair) => pair[long] === by + pair[short]);
}

/** Lines, from 1, at which the old lines of a hunk fit on a rung. */
export function placesOf(text: string, hunk: LineHunk, rung: Rung): readonly number[] {
  const mark = text.startsWith("\xef\xbb\xbf") ? "\xef\xbb\xbf" : "";
  const old = oldOf(hunk);
  const places = new Set<number>();
  for (const lines of mark ? [split(text), split(text.slice(3))] : [split(text)])
    for (let at = 0; at + old.length <= lines.length; at++)
      if (SAME[rung](old, lines.slice(at, at + old.length)) && (!hunk.atEnd || at + old.length === lines.length))
        places.add(at + 1);
  return [...places];
}
