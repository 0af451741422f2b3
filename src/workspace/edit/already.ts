import { type ByteText, trim } from "./byte-text.ts";
import { fold } from "./endings.ts";
import { findAll } from "./find-all.ts";
import { type LineHunk, lineHunk, type TextHunk } from "./operation.ts";
import { placeOf } from "./place.ts";
import type { Target } from "./target.ts";

/**
 * Lines, from 1, where the new text of a hunk stands, whose old text is nowhere: it was probably applied before. Nothing
 * is done or left out because of it; it only makes a better answer than "not found".
 */
export function alreadyAt(target: Target, hunk: LineHunk | TextHunk): readonly number[] {
  return hunk.kind === "text" ? textAt(target, hunk) : linesAt(target, hunk);
}

/** So little text says nothing: it stands anywhere. */
const SAYS_SOMETHING = 3;
const saysSomething = (text: ByteText): boolean => trim(text).length >= SAYS_SOMETHING;

function textAt(target: Target, { new: now }: TextHunk): readonly number[] {
  if (!saysSomething(now)) return [];
  const exact = findAll(target.text, now);
  const offsets = exact.length > 0 || !target.text.includes("\r") ? exact : foldedAt(target, now);
  return offsets.slice(0, 100).map((offset) => target.lineAt(offset) + 1);
}

/** The first place, where line ends count as one byte. */
function foldedAt(target: Target, now: ByteText): readonly number[] {
  const folded = fold(target.text);
  const [at] = findAll(folded, fold(now));
  return at === undefined ? [] : [target.startOf(folded.slice(0, at).split("\n").length - 1)];
}

/** Where lines are only taken away, that is seen by what stands on both sides of them coming together. */
const showsItsEffect = ({ lines }: LineHunk): boolean =>
  lines.some(({ kind }) => kind === "add") || (lines[0]?.kind === "keep" && lines.at(-1)?.kind === "keep");

function linesAt(target: Target, hunk: LineHunk): readonly number[] {
  const wanted = hunk.lines.filter(({ kind }) => kind !== "drop");
  if (!showsItsEffect(hunk) || !saysSomething(wanted.map(({ text }) => text).join(""))) return [];
  const asOld = lineHunk(
    wanted.map(({ text }) => ({ kind: "keep", text })),
    { anchors: hunk.anchors },
  );
  const search = placeOf(target, asOld, false);
  if (search.kind === "many") return search.lines;
  return search.kind === "found" ? [search.place.line + 1] : [];
}
