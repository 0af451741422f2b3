import type { Coordinate } from "../device-action.ts";
import { Unreadable } from "./unreadable.ts";

const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};
/** how far a finger goes, as a share of the screen */
const FAR = 0.4;

/** A swipe of which only the way of the finger is said: from `from`, else through the middle of the screen. */
export function swipeTo(way: unknown, from: Coordinate | null): { start: Coordinate; end: Coordinate } {
  const [dx, dy] = wayOf(way);
  const start: Coordinate = from ?? [0.5 - (dx * FAR) / 2, 0.5 - (dy * FAR) / 2];
  return { start, end: [within(start[0] + dx * FAR), within(start[1] + dy * FAR)] };
}

/** The same where the way is that of the content that is wanted: what lies further down comes when the finger goes up. */
export function scrollTo(way: unknown, from: Coordinate | null): { start: Coordinate; end: Coordinate } {
  wayOf(way);
  return swipeTo({ up: "down", down: "up", left: "right", right: "left" }[String(way).toLowerCase()], from);
}

function wayOf(way: unknown): readonly [number, number] {
  const name = typeof way === "string" ? way.trim().toLowerCase() : "";
  if (Object.hasOwn(WAYS, name)) return WAYS[name]!;
  throw new Unreadable(`a direction is one of ${Object.keys(WAYS).join(", ")}, and not ${JSON.stringify(way)}`);
}

/** so far from the edges that no gesture of the system begins there */
const within = (part: number): number => Math.min(0.98, Math.max(0.02, Math.round(part * 1e6) / 1e6));
