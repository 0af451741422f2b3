import type { Frame, ScreenNode } from "../../ports/bridge.ts";
import type { Coordinate } from "../../ports/device-action.ts";

/** An element with a number that is drawn on the picture, so that a model can name it instead of a place. */
export interface Mark {
  /** from 1 */
  readonly number: number;
  /** pixels of the frame, within it */
  readonly bounds: ScreenNode["bounds"];
  /** its middle, as shares of the frame */
  readonly at: Coordinate;
  /** role and name, in one line */
  readonly name: string;
}

/** More of them hide the picture. */
const MOST = 80;
/** smaller ones are no fingers' business */
const SMALLEST = 4;

/** What can be touched or typed into and is in the picture, from the top of the tree; of two at one place the first. */
export function marksOf(tree: ScreenNode, frame: Pick<Frame, "width" | "height">): readonly Mark[] {
  const found: Mark[] = [];
  const places = new Set<string>();
  const visit = (node: ScreenNode): void => {
    const bounds = within(node.bounds, frame);
    const place = Object.values(bounds).join();
    if ((node.isClickable || node.isEditable) && isTouchable(bounds) && !places.has(place) && found.length < MOST) {
      places.add(place);
      found.push({ number: found.length + 1, bounds, at: middle(bounds, frame), name: nameOf(node) });
    }
    node.children.forEach(visit);
  };
  visit(tree);
  return found;
}

function within(bounds: Mark["bounds"], { width, height }: Pick<Frame, "width" | "height">): Mark["bounds"] {
  const side = (value: number, most: number) => Math.max(0, Math.min(most, value));
  const { left, top, right, bottom } = bounds;
  return { left: side(left, width), top: side(top, height), right: side(right, width), bottom: side(bottom, height) };
}

const isTouchable = ({ left, top, right, bottom }: Mark["bounds"]): boolean =>
  right - left >= SMALLEST && bottom - top >= SMALLEST;

const middle = ({ left, top, right, bottom }: Mark["bounds"], frame: Pick<Frame, "width" | "height">): Coordinate => [
  (left + right) / 2 / frame.width,
  (top + bottom) / 2 / frame.height,
];

/** An element in words: its short role, and what it says; of one that says nothing, what those in it say. */
export function nameOf(node: ScreenNode): string {
  const role = node.role.split(".").at(-1) ?? "";
  const said = wordsOf(node) || node.children.map(wordsOf).filter(Boolean).join(" ");
  return `${role}${said === "" ? "" : ` "${said.replace(/\s+/g, " ").slice(0, 60)}"`}`;
}

const wordsOf = ({ text, label }: ScreenNode): string => text.trim() || label.trim();
