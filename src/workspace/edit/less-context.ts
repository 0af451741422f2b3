import type { LineHunk } from "./operation.ts";

/** The most lines of context that are tried after all of them did not fit. */
const LESS = 2;

/** The same hunk with fewer lines of context around it. */
export interface Lessened {
  readonly hunk: LineHunk;
  /** lines of context left on each side, at most */
  readonly context: number;
}

/**
 * A hunk with 2 lines of context on each side, then with 1: for a file that has changed since the hunk was made. Never
 * with none: where it stood then has to be seen. What has no more than that gives nothing.
 */
export function withLessContext(hunk: LineHunk): readonly Lessened[] {
  const head = hunk.lines.findIndex(({ kind }) => kind !== "keep");
  const tail = [...hunk.lines].reverse().findIndex(({ kind }) => kind !== "keep");
  const fewer: Lessened[] = [];
  for (let context = LESS; context >= 1; context--)
    if (head > context || tail > context)
      fewer.push({ context, hunk: trimmed(hunk, Math.max(0, head - context), Math.max(0, tail - context)) });
  return fewer;
}

/** What was the end of the file in a line that is not looked at says nothing any more. */
const trimmed = (hunk: LineHunk, above: number, below: number): LineHunk => ({
  ...hunk,
  lines: hunk.lines.slice(above, hunk.lines.length - below),
  atEnd: hunk.atEnd && below === 0,
  saysEnd: hunk.saysEnd && below === 0,
  header: null,
});
