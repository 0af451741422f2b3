import type { CDPSession } from "playwright-core";
import type { Point } from "../../../ports/bridge.ts";
import { pause } from "./bounded.ts";

/** A place in CSS pixels of the screen. */
export type Place = Readonly<Point>;

type Touch = "touchStart" | "touchMove" | "touchEnd" | "touchCancel";
const touch = (cdp: CDPSession, type: Touch, places: readonly Place[]) =>
  cdp.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(({ x, y }) => ({ x, y })) });

/** A finger, down and up again. */
export async function tap(cdp: CDPSession, at: Place): Promise<void> {
  await touch(cdp, "touchStart", [at]);
  await touch(cdp, "touchEnd", []);
}

/** A finger, down for so long. It is lifted also where the call is given up. */
export async function press(cdp: CDPSession, at: Place, ms: number, signal: AbortSignal): Promise<void> {
  await touch(cdp, "touchStart", [at]);
  await pause(ms, signal);
  if (ms < LONG_MS || signal.aborted) return void (await touch(cdp, "touchEnd", []));
  await touch(cdp, "touchCancel", []);
  await askMenu(cdp, at);
}
/** from here on a phone takes it for a long press: the page is asked for its menu, and no click comes of it */
const LONG_MS = 500;

/** The protocol's own touches never become a long press: a mouse asks for the menu, as the page sees it. */
async function askMenu(cdp: CDPSession, { x, y }: Place): Promise<void> {
  const button = { x, y, button: "right", clickCount: 1 } as const;
  await cdp.send("Input.dispatchMouseEvent", { type: "mousePressed", ...button });
  await cdp.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button });
}

/**
 * A finger that goes from one place to another in so long, and rests there a moment, so that nothing is flung. Its places
 * are the same each time, however busy the machine: a page scrolls from the move on that is taken for a swipe, so that
 * other places would scroll it less or further.
 */
export async function swipe(
  cdp: CDPSession,
  { from, to, ms }: { readonly from: Place; readonly to: Place; readonly ms: number },
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const moves = Math.max(2, Math.round(ms / FRAME_MS));
  const until = (at: number) => pause(Math.max(0, began + at - performance.now()), signal);
  await touch(cdp, "touchStart", [from]);
  try {
    for (let move = 1; move <= moves && !signal.aborted; move++) {
      await until((ms * move) / moves);
      await touch(cdp, "touchMove", [between(from, to, move / moves)]);
    }
    await rest(cdp, to, signal);
  } finally {
    await touch(cdp, "touchEnd", []);
  }
}
const FRAME_MS = 16;

/** Stays for about 100 ms, trembling as fingers do: only moves that lead nowhere tell that it stopped. */
async function rest(cdp: CDPSession, at: Place, signal: AbortSignal): Promise<void> {
  for (let moves = 1; moves <= RESTS && !signal.aborted; moves++) {
    await pause(FRAME_MS, signal);
    await touch(cdp, "touchMove", [{ x: at.x + (moves % 2) * TREMBLE, y: at.y }]);
  }
}
const RESTS = 6;
/** CSS pixels; a move to the very same place is none */
const TREMBLE = 0.25;

const between = (from: Place, to: Place, share: number): Place => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
});
