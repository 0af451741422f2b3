import type { Frame, Point } from "../ports/bridge.ts";
import type { Coordinate } from "../ports/device-action.ts";

type Size = Pick<Frame, "width" | "height">;

/** The pixel of a frame that a coordinate means; 1 is its last row or column. Source: DEV-3.1; architecture 11.3. */
export const pixelOf = ([x, y]: Coordinate, { width, height }: Size): Point => ({
  x: pixelAt(x, width),
  y: pixelAt(y, height),
});

const pixelAt = (share: number, size: number): number => Math.min(size - 1, Math.floor(share * size));
