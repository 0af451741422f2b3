import { type ByteText, trim } from "./byte-text.ts";
import { tokensOf } from "./rung.ts";
import type { Target } from "./target.ts";

/** Lines from `from`, before `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where a hunk may lie that stands below certain lines. */
export interface Below {
  /** in the blocks that the innermost anchor heads, as the indents show them */
  readonly blocks: readonly Range[];
  /** anywhere below the first of them: for what indents do not show */
  readonly rest: Range;
}

/**
 * What lies below anchor lines, each looked for in the blocks of the one before it. An anchor that is there more than
 * once gives more blocks, not the first of them: the hunk itself has to say which. Null: an anchor is not there.
 */
export function belowAnchors(target: Target, anchors: readonly ByteText[]): Below | null {
  const { own, indents } = target.tokens("unicode-punctuation");
  let blocks: readonly Range[] = [{ from: 0, to: own.length }];
  for (const anchor of anchors) {
    const wanted = tokensOf("unicode-punctuation", [trim(anchor)]).own[0]!;
    const heads = blocks.flatMap((block) => linesWithin(block, (line) => own[line] === wanted));
    if (heads.length === 0) return null;
    blocks = heads.map((head) => ({ from: head + 1, to: endOfBlock(head, own, indents) }));
  }
  return { blocks, rest: { from: blocks[0]!.from, to: own.length } };
}

function linesWithin({ from, to }: Range, fits: (line: number) => boolean): readonly number[] {
  const lines: number[] = [];
  for (let line = from; line < to; line++) if (fits(line)) lines.push(line);
  return lines;
}

/** A block ends with the first line that is indented no more than its head: that line, a closing brace, still counts. */
function endOfBlock(head: number, own: readonly string[], indents: readonly string[]): number {
  for (let line = head + 1; line < own.length; line++)
    if (own[line] !== "" && indents[line]!.length <= indents[head]!.length)
      return isOpening(line, head, own) ? endOfBlock(line, own, indents) : line + 1;
  return own.length;
}

/** `{` on a line of its own belongs to the head above it. */
const isOpening = (line: number, head: number, own: readonly string[]): boolean =>
  line === head + 1 && own[line] === "{";

export const isWithin = (line: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ from, to }) => from <= line && line < to);
