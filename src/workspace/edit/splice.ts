import type { ByteText } from "./byte-text.ts";

/** Bytes for other bytes: from `start`, before `end`, in the file as it was. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: ByteText;
}

/** A hunk that has its place: what it looked at, and what it changes of that. */
export interface Placed {
  readonly start: number;
  readonly end: number;
  /** in order; none touches another */
  readonly splices: readonly Splice[];
}

/** The text with all of that done. Splices are sorted and do not overlap: every byte outside them stays. */
export function spliced(text: ByteText, splices: readonly Splice[]): ByteText {
  const parts: ByteText[] = [];
  let at = 0;
  for (const { start, end, text: now } of splices) {
    parts.push(text.slice(at, start), now);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/**
 * The first two that cannot both be meant, by index: one changes what the other has looked at, or both insert at one
 * point. Hunks that only share lines that both keep are fine, and so is any order.
 */
export function firstOverlap(placed: readonly Placed[]): readonly [number, number] | null {
  const order = placed.map((_, i) => i).sort((a, b) => placed[a]!.start - placed[b]!.start || a - b);
  for (let i = 0; i < order.length; i++)
    for (let j = i + 1; j < order.length && placed[order[j]!]!.start <= placed[order[i]!]!.end; j++)
      if (collide(placed[order[i]!]!, placed[order[j]!]!))
        return [order[i]!, order[j]!].sort((a, b) => a - b) as [number, number];
  return null;
}

const collide = (a: Placed, b: Placed): boolean =>
  a.splices.some((splice) => touches(splice, b)) || b.splices.some((splice) => touches(splice, a));

function touches(splice: Splice, other: Placed): boolean {
  if (splice.start === splice.end)
    return (
      (other.start < splice.start && splice.start < other.end) ||
      other.splices.some(({ start, end }) => start === end && start === splice.start)
    );
  return splice.start < other.end && other.start < splice.end;
}
