import { type ByteText, isAscii, isUtf8Text, REPLACEMENT } from "./byte-text.ts";
import { explainHunk, thereAlready } from "./explain-hunk.ts";
import type { Hunk } from "./operation.ts";
import { placeHunk, type Trust } from "./place-hunk.ts";
import type { EditError } from "./refusal.ts";
import type { Rung } from "./rung.ts";
import { firstOverlap, type Placed, spliced } from "./splice.ts";
import { createTarget, type Target } from "./target.ts";

/** A hunk that was placed. */
export interface PlacedHunk {
  readonly rung: Rung;
  /** of its first old line in the file as it was, from 1 */
  readonly line: number;
  /** lines of context looked at on each side, where the file had changed and all of them did not fit */
  readonly context?: number;
}

export type HunkError = Omit<EditError, "path">;

/** What became of the hunks of one file: its new text, or every fault; what was placed all the same is told. */
export interface Applied {
  readonly text: ByteText;
  readonly hunks: readonly PlacedHunk[];
  readonly errors: readonly HunkError[];
  readonly added: number;
  readonly removed: number;
}

interface Found {
  readonly hunk: PlacedHunk;
  readonly placed: Placed;
  readonly n: number;
}

/** Every hunk is found in the text as it is, in whatever order they come; then all of them are done at once. */
export function applyHunks(text: ByteText, hunks: readonly Hunk[], trust: Trust): Applied {
  const target = createTarget(text, hunks.length);
  const found: Found[] = [];
  const errors: HunkError[] = [];
  hunks.forEach((hunk, i) => {
    const one = findHunk(target, hunk, { trust, n: i + 1 });
    if ("code" in one) errors.push(one);
    else found.push(one);
  });
  const overlap = errors.length > 0 ? null : firstOverlap(found.map(({ placed }) => placed));
  if (overlap) errors.push(overlapOf(found, overlap));
  const splices = found.flatMap(({ placed }) => placed.splices).sort((a, b) => a.start - b.start || a.end - b.end);
  return {
    text: errors.length > 0 ? text : spliced(text, splices),
    hunks: found.map(({ hunk }) => hunk),
    errors,
    added: sum(splices.map((splice) => countLines(splice.text))),
    removed: sum(splices.map(({ start, end }) => countLines(text.slice(start, end)))),
  };
}

function findHunk(target: Target, hunk: Hunk, { trust, n }: { trust: Trust; n: number }): Found | HunkError {
  const fault = encodingFault(target, hunk, n) ?? (saysNothing(hunk) ? noChange(n) : null);
  if (fault) return fault;
  const search = placeHunk(target, hunk, trust);
  if (search.kind !== "found") return explainHunk(target, hunk, search, n);
  const { rung, line, context, placed } = search;
  if (isThere(target, placed)) return thereAlready(n, line + 1);
  return { n, placed, hunk: { rung, line: line + 1, ...(context === null ? {} : { context }) } };
}

/** On a loose rung the new text may be what the file has. */
const isThere = ({ text }: Target, { splices }: Placed): boolean =>
  splices.every((splice) => text.slice(splice.start, splice.end) === splice.text);

const saysNothing = (hunk: Hunk): boolean =>
  hunk.kind === "lines"
    ? hunk.lines.every(({ kind }) => kind === "keep")
    : hunk.kind === "text" && hunk.old === hunk.new;

const noChange = (n: number): HunkError => ({
  code: "NO_CHANGE",
  hunk: n,
  message: `hunk ${n} changes nothing: its old and its new text are the same`,
  hint: "leave it out, or send the text that is wanted",
});

/**
 * In a file that is no UTF-8, a text that is UTF-8 and not plain ASCII would mix two encodings. Bytes that are no UTF-8
 * themselves are taken to be the file's. And nobody writes the sign that stands for what could not be read.
 */
function encodingFault(target: Target, hunk: Hunk, n: number): HunkError | null {
  const texts = textsOf(hunk);
  if (texts.every(isAscii)) return null;
  const isForeign = texts.some((text) => !isAscii(text) && isUtf8Text(text)) && !target.isUtf8;
  const isLost = texts.some((text) => text.includes(REPLACEMENT)) && !target.text.includes(REPLACEMENT);
  if (!isForeign && !isLost) return null;
  return {
    code: "NOT_UTF8",
    hunk: n,
    message: isForeign
      ? `hunk ${n} is not ASCII, and the file is not UTF-8`
      : `hunk ${n} holds U+FFFD, which the file does not`,
    hint: isForeign
      ? "such a file is edited with ASCII text only, or after it was converted"
      : "the text was read in a wrong encoding: read it again, as bytes",
  };
}

const textsOf = (hunk: Hunk): readonly ByteText[] =>
  hunk.kind === "lines"
    ? [hunk.lines.map(({ text }) => text).join("")]
    : hunk.kind === "text"
      ? [hunk.old, hunk.new]
      : [hunk.text];

function overlapOf(found: readonly Found[], [first, second]: readonly [number, number]): HunkError {
  const [a, b] = [found[first]!, found[second]!];
  return {
    code: "OVERLAP",
    hunk: b.n,
    lines: [a.hunk.line, b.hunk.line],
    message: `hunks ${a.n} and ${b.n} change the same lines (${a.hunk.line} and ${b.hunk.line})`,
    hint: "send them as one hunk",
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Lines of a text, a last one without a line end too. */
export const countLines = (text: ByteText): number => {
  let count = 0;
  for (let at = 0; at < text.length; at = text.indexOf("\n", at) + 1 || text.length) count++;
  return count;
};
