import type { HunkLine, LineHunk } from "../../src/workspace/edit/operation.ts";
import type { Random } from "../worlds/random.ts";

const isOld = ({ kind }: HunkLine): boolean => kind !== "add";

/** A hunk of which one old line is none of any file; null: it has no old lines. */
export function spoiled(hunk: LineHunk, random: Random): LineHunk | null {
  const old = hunk.lines.flatMap((line, i) => (isOld(line) ? [i] : []));
  if (old.length === 0) return null;
  const at = random.pick(old);
  const lines = hunk.lines.map((line, i) => (i === at ? { ...line, text: `spoiled ${line.text}` } : line));
  return { ...hunk, lines };
}

/** A hunk that lost, doubled or exchanged one of its old lines: it may or may not stand somewhere else now. */
export function shuffled(hunk: LineHunk, random: Random): LineHunk {
  const old = hunk.lines.flatMap((line, i) => (isOld(line) ? [i] : []));
  if (old.length < 2) return hunk;
  const [at, other] = [random.pick(old), random.pick(old)];
  const lines = [...hunk.lines];
  const kind = random.below(3);
  if (kind === 0) lines.splice(at, 1);
  if (kind === 1) lines.splice(at, 0, lines[at]!);
  if (kind === 2) lines[at] = { ...lines[at]!, text: lines[other]!.text };
  return { ...hunk, lines };
}

/** A way in which a file may differ from what a hunk says, that a rung forgives. */
export interface Disguise {
  readonly name: string;
  /** the file, its lines with their line ends */
  readonly wear: (text: string, random: Random) => string;
  /** what both texts are the same after */
  readonly strip: (text: string) => string;
}

const eachLine = (text: string, change: (line: string, end: string) => string): string =>
  text.replace(/([^\n]*?)(\r?\n|$)/g, (whole, line: string, end: string) => (whole === "" ? "" : change(line, end)));
const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

export const DISGUISES: readonly Disguise[] = [
  {
    name: "line ends",
    wear: (text, random) =>
      eachLine(text, (line, end) => line + (end === "" ? "" : random.chance(0.6) ? "\r\n" : "\n")),
    strip: (text) => text.replaceAll("\r", ""),
  },
  {
    name: "trailing space",
    wear: (text, random) => eachLine(text, (line, end) => line + (random.chance(0.3) ? "  " : "") + end),
    strip: (text) => text.replace(/[ \t]+(?=\r?\n|$)/g, ""),
  },
  {
    name: "indent",
    wear: (text, random) => {
      const by = random.pick(["  ", "    ", "\t"]);
      return eachLine(text, (line, end) => (line.trim() === "" ? line : by + line) + end);
    },
    strip: (text) => text.replace(/(^|\n)[ \t]+/g, "$1").replace(/[ \t]+(?=\r?\n|$)/g, ""),
  },
  {
    name: "punctuation",
    wear: (text) => text.replaceAll('"', latin1("”")).replaceAll(" - ", latin1(" – ")),
    strip: (text) =>
      Buffer.from(text, "latin1")
        .toString("utf8")
        .replace(/[“”]/g, '"')
        .replace(/[–]/g, "-")
        .replace(/[ \t\u00a0]+(?=\r?\n|$)/g, ""),
  },
];
