import { PawlError } from "../../../domain/errors.ts";
import type { Frame, Point } from "../../../ports/bridge.ts";
import type { TouchSize } from "./capture.ts";

/** Where `input` has to touch so that the pixel that was seen is hit. Throws SCREEN_REFUSED for a point outside the frame. */
export function touchPoint({ x, y }: Point, frame: Frame, touch: TouchSize): string {
  const isIn = (at: number, size: number): boolean => Number.isInteger(at) && at >= 0 && at < size;
  if (!isIn(x, frame.width) || !isIn(y, frame.height))
    throw new PawlError(
      "SCREEN_REFUSED",
      `the point ${x}, ${y} is outside the frame of ${frame.width}x${frame.height} pixels`,
      {
        next: "take a point inside the newest frame",
      },
    );
  return `${scaled(x, frame.width, touch.width)} ${scaled(y, frame.height, touch.height)}`;
}

/** the middle of the pixel, in the other measure */
const scaled = (at: number, from: number, to: number): number => Math.min(to - 1, Math.floor(((at + 0.5) * to) / from));
