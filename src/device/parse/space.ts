import type { AnswerDialect, CoordinateSpace } from "../../ports/model-spec.ts";
import type { Coordinate } from "../device-action.ts";
import { Unreadable } from "./unreadable.ts";

/** What a model saw. */
export interface Seen {
  readonly space: CoordinateSpace;
  /** only pixels need it */
  readonly frame: { readonly width: number; readonly height: number } | null;
  /** the middles of the elements that were numbered in the picture, from 1 */
  readonly marks?: readonly Coordinate[];
}

/**
 * The space that a dialect's models are known to use; null: they differ, and it has to be declared. UI-TARS counted
 * thousandths and counts pixels since 1.5, Qwen-VL counted pixels and counts thousandths since 3.
 */
export const USUAL_SPACE: Readonly<Record<AnswerDialect, CoordinateSpace | null>> = {
  pawl: "0-1",
  autoglm: "0-1000",
  "mai-ui": "0-1000",
  "ui-tars": null,
  qwen: null,
};

export const SPACES: readonly CoordinateSpace[] = ["0-1", "0-1000", "pixel", "pixel-28"];

/**
 * The place, as shares, that a point `[x, y]` or a box `[x1, y1, x2, y2]` (its middle) names in the declared space. Throws
 * Unreadable where it is neither, lies outside, or was plainly counted in another space: that is never guessed.
 */
export function placeOf(value: unknown, seen: Seen): Coordinate {
  if (isMark(value)) return markedPlace(value.mark, seen);
  const numbers = typeof value === "string" ? numbersIn(value) : numbersOf(value);
  if (numbers === null) throw new Unreadable(`${JSON.stringify(value)?.slice(0, 100)} is no point and no box`);
  const size = sizeOf(seen);
  numbers.forEach((number, i) => {
    checkInside(number, size[i % 2]!, seen);
  });
  if (seen.space !== "0-1" && numbers.every((number) => number > 0 && number < 1))
    throw new Unreadable(`[${numbers}] looks like shares from 0 to 1, and this model's are declared ${seen.space}`);
  const [x1, y1, x2 = x1, y2 = y1] = numbers as [number, number, number?, number?];
  if (x2 < x1 || y2 < y1) throw new Unreadable(`the box [${numbers}] ends before it begins`);
  return [(x1 + x2) / 2 / size[0], (y1 + y2) / 2 / size[1]];
}

const isMark = (value: unknown): value is { readonly mark: unknown } =>
  typeof value === "object" && value !== null && "mark" in value;

function markedPlace(mark: unknown, { marks = [] }: Seen): Coordinate {
  const place = typeof mark === "number" ? marks[mark - 1] : undefined;
  if (place !== undefined) return place;
  throw new Unreadable(`there is no mark ${JSON.stringify(mark)} in the picture: there are ${marks.length}`);
}

/** Width and height that a model of this space counts in; null where it does not count pixels. */
export const seenSize = (seen: Seen): readonly [number, number] | null =>
  seen.space === "pixel" || seen.space === "pixel-28" ? sizeOf(seen) : null;

/** A place as a model of this space would write it. */
export function inSpace([x, y]: Coordinate, seen: Seen): readonly [number, number] {
  const [width, height] = sizeOf(seen);
  const of = (part: number, size: number): number =>
    seen.space === "0-1" ? Math.round(part * 10_000) / 10_000 : Math.round(part * size);
  return [of(x, width), of(y, height)];
}

function checkInside(number: number, size: number, { space }: Seen): void {
  if (number >= 0 && number <= size) return;
  throw new Unreadable(`${number} lies outside: coordinates are declared ${space}, here from 0 to ${size}`);
}

function sizeOf({ space, frame }: Seen): readonly [number, number] {
  if (space === "0-1") return [1, 1];
  if (space === "0-1000") return [1000, 1000];
  if (frame === null) throw new Unreadable("pixels need the size of the picture");
  return space === "pixel" ? [frame.width, frame.height] : [nearest28(frame.width), nearest28(frame.height)];
}

/** As Python rounds: a half goes to the even neighbour. */
function nearest28(size: number): number {
  const times = size / 28;
  const below = Math.floor(times);
  const up = times - below > 0.5 || (times - below === 0.5 && below % 2 === 1);
  return Math.max(28, (up ? below + 1 : below) * 28);
}

function numbersOf(value: unknown): readonly number[] | null {
  if (!Array.isArray(value)) return null;
  const flat = value.length === 2 && value.every(Array.isArray) ? (value as unknown[][]).flat() : value;
  const isBox = flat.length === 2 || flat.length === 4;
  return isBox && flat.every((one) => typeof one === "number" && Number.isFinite(one)) ? (flat as number[]) : null;
}

const PAIRS: readonly (readonly [string, string])[] = [
  ["<|box_start|>", "<|box_end|>"],
  ["<bbox>", "</bbox>"],
  ["<point>", "</point>"],
  ["<box>", "</box>"],
  ["(", ")"],
  ["[", "]"],
];

/** `(1,2)`, `[1, 2, 3, 4]`, `<point>1 2</point>`, `<|box_start|>(1,2),(3,4)<|box_end|>` and their like; nothing beside them. */
function numbersIn(text: string): readonly number[] | null {
  const bare = unpaired(
    text
      .slice(0, 200)
      .trim()
      .replace(/\)\s*,\s*\(/, ","),
  );
  const parts = bare.split(/\s*,\s*|\s+/);
  const isAll = parts.every((part) => /^-?(?:0|[1-9]\d{0,5})(?:\.\d{1,20})?$/.test(part));
  return isAll && text.length < 200 ? numbersOf(parts.map(Number)) : null;
}

function unpaired(text: string): string {
  const pair = PAIRS.find(([open, close]) => text.startsWith(open) && text.endsWith(close));
  return pair ? unpaired(text.slice(pair[0].length, -pair[1].length).trim()) : text;
}
