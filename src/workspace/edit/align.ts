import { diffArrays } from "diff";
import type { ByteText } from "./byte-text.ts";
import type { HunkLine } from "./operation.ts";

/** Beyond so many differing lines the middle is one block: a smaller difference is not worth the quadratic time. */
const MOST_EDITS = 1_000;

/** Lines with their line ends; the last one may have none. */
export function linesOf(text: ByteText): ByteText[] {
  const lines: ByteText[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** What leads from the old lines to the new ones: as few dropped and added as can be found, the rest kept. */
export function alignLines(old: readonly ByteText[], now: readonly ByteText[]): readonly HunkLine[] {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const middle = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)] as const;
  return [...marked("keep", old.slice(0, head)), ...difference(...middle), ...marked("keep", tailOf(old, tail))];
}

const tailOf = (lines: readonly ByteText[], count: number): readonly ByteText[] => lines.slice(lines.length - count);

const marked = (kind: HunkLine["kind"], lines: readonly ByteText[]): readonly HunkLine[] =>
  lines.map((text) => ({ kind, text }));

function difference(old: ByteText[], now: ByteText[]): readonly HunkLine[] {
  const block = () => [...marked("drop", old), ...marked("add", now)];
  if (old.length === 0 || now.length === 0) return block();
  const parts = diffArrays(old, now, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return block();
  return parts.flatMap(({ added, removed, value }) => marked(added ? "add" : removed ? "drop" : "keep", value));
}
