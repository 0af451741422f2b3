import { linesOf } from "./align.ts";
import { alreadyAt } from "./already.ts";
import { type ByteText, toText } from "./byte-text.ts";
import { excerptOf, nearestTo } from "./nearest.ts";
import type { Hunk } from "./operation.ts";
import type { HunkSearch } from "./place-hunk.ts";
import type { EditError } from "./refusal.ts";
import type { Target } from "./target.ts";

type Said = Omit<EditError, "path">;

/** What is said about a hunk that has no place: why, where it may have been meant, and what to do. `n` counts from 1. */
export function explainHunk(target: Target, hunk: Hunk, search: HunkSearch, n: number): Said {
  switch (search.kind) {
    case "many":
      return ambiguous(search.lines, n, search.rung);
    case "there":
      return there([search.line + 1], n);
    case "nowhere":
      return {
        code: "AMBIGUOUS",
        hunk: n,
        message: `hunk ${n} only adds lines, and nothing says where`,
        hint: "give it a line of context, or insert at the start or the end of the file",
      };
    case "none":
      return search.anchor ? noAnchor(hunk, n) : notFound(target, hunk, n);
    case "found":
      throw new RangeError("a hunk that was found needs no explanation");
  }
}

const ambiguous = (lines: readonly number[], n: number, rung: string): Said => ({
  code: "AMBIGUOUS",
  hunk: n,
  lines,
  message: `hunk ${n} fits ${linesText(lines)}${rung === "exact" ? "" : ` (${rung})`}`,
  hint: "add a line of context above it that only one of them has",
});

/** "line 3 twice", "lines 12, 48 and 90", "lines 1, 2, 3 and 97 more" */
export function linesText(lines: readonly number[]): string {
  const all = [...new Set(lines)];
  if (all.length === 1) return lines.length === 1 ? `line ${all[0]}` : `line ${all[0]} ${lines.length} times`;
  const more = all.length > 8 ? [...all.slice(0, 7), `${all.length - 7} more`] : all;
  return `lines ${more.slice(0, -1).join(", ")} and ${more.at(-1)}`;
}

const there = (lines: readonly number[], n: number): Said => ({
  code: "ALREADY_APPLIED",
  hunk: n,
  lines,
  message: `hunk ${n}: its old text is not there, and its new text is, at ${linesText(lines)}`,
  hint: "it was applied before, so it seems: leave it out",
});

/** A hunk that only differs in what its rung forgives. */
export const thereAlready = (n: number, line: number): Said => ({
  code: "ALREADY_APPLIED",
  hunk: n,
  lines: [line],
  message: `hunk ${n}: what it asks for is there, at line ${line}`,
  hint: "leave it out; to change blanks or line ends alone, send the old text as it is in the file",
});

const noAnchor = (hunk: Hunk, n: number): Said => ({
  code: "NOT_FOUND",
  hunk: n,
  message: `hunk ${n}: the line that it should stand below is not there: ${hunk.kind === "lines" ? toText(hunk.anchors.join(" / ")) : ""}`,
  hint: "copy the line behind @@ from the file, or leave it out",
});

function notFound(target: Target, hunk: Hunk, n: number): Said {
  const already = hunk.kind === "insert" ? [] : alreadyAt(target, hunk);
  if (already.length > 0) return there(already, n);
  const old = oldOf(hunk);
  const nearest = nearestTo(target, old);
  const escaped = escapeHint(target, old);
  const message = `hunk ${n} is not in the file`;
  if (nearest === null)
    return { code: "NOT_FOUND", hunk: n, message, hint: escaped ?? "read the file again: none of its lines is there" };
  const { from, to, differs } = nearest;
  const difference = differs
    ? `; first difference in line ${differs.line}: it has ${JSON.stringify(differs.file)}, the hunk ${JSON.stringify(differs.hunk)}`
    : "";
  return {
    code: "NOT_FOUND",
    hunk: n,
    lines: [from],
    message: `${message}; most like it are lines ${from}-${to}${difference}`,
    hint: escaped ?? "copy the lines from the file as they are, and no more of them than needed",
    excerpt: excerptOf(target, nearest),
  };
}

function oldOf(hunk: Hunk): readonly ByteText[] {
  if (hunk.kind === "lines") return hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  return hunk.kind === "text" ? linesOf(hunk.old) : [];
}

const MEANT: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "\\": "\\", "/": "/" };

/** Whether it would be there if `\n`, `\t`, `\"` and `\\` were taken for what they stand for. They never are. */
function escapeHint(target: Target, old: readonly ByteText[]): string | null {
  const text = old.join("").replace(/\n$/, "");
  const meant = text.replace(/\\([ntr"'\\/])/g, (_, letter: string) => MEANT[letter]!);
  if (meant === text || !target.text.includes(meant)) return null;
  return 'it is there with its escapes (\\n, \\t, \\", \\\\) taken for what they stand for: send the characters themselves';
}
