import type { CDPSession } from "playwright-core";
import { PawlError } from "../../../domain/errors.ts";
import type { Frame, Point } from "../../../ports/bridge.ts";
import { frameOf } from "../png.ts";

/** How wide each picture is in CSS pixels of the page: what touches are told in. */
const widths = new WeakMap<Frame, number>();

/** What the screen shows now: the viewport alone, as a picture of the whole page ends the emulation of touches. */
export async function picture(cdp: CDPSession): Promise<Frame> {
  const takenAt = Date.now();
  const shot = { format: "png", optimizeForSpeed: true, captureBeyondViewport: false } as const;
  const [{ data }, width] = await Promise.all([cdp.send("Page.captureScreenshot", shot), widthOf(cdp)]);
  const frame = await frameOf(Buffer.from(data, "base64"), takenAt);
  widths.set(frame, width);
  return frame;
}

async function widthOf(cdp: CDPSession): Promise<number> {
  const { cssVisualViewport } = await cdp.send("Page.getLayoutMetrics");
  return cssVisualViewport.clientWidth;
}

/**
 * From a pixel of the frame to the CSS pixels that touches are told in: those of the visual viewport, which is wider than
 * the screen on pages that know no phones, and narrower where somebody has zoomed. Throws SCREEN_REFUSED for what is no
 * pixel of the frame.
 */
export async function placeOf(cdp: CDPSession, { x, y }: Point, frame: Frame): Promise<Point> {
  const isInside = x >= 0 && y >= 0 && x < frame.width && y < frame.height;
  if (!isInside || !Number.isInteger(x) || !Number.isInteger(y))
    throw new PawlError("SCREEN_REFUSED", `${x},${y} is no pixel of the picture of ${frame.width} x ${frame.height}`, {
      next: "name a place in it.",
    });
  const ratio = frame.width / (widths.get(frame) ?? (await widthOf(cdp)));
  return { x: (x + 0.5) / ratio, y: (y + 0.5) / ratio };
}
