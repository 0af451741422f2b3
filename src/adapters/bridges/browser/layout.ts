import type { CDPSession } from "playwright-core";
import type { Frame, ScreenNode } from "../../../ports/bridge.ts";

export type Bounds = ScreenNode["bounds"];

/** Where a node is in the frame, and whether the page itself listens for taps on it, whatever its role is. */
export interface Placed {
  readonly bounds: Bounds;
  readonly hearsTaps: boolean;
}

/**
 * Where each node of the page is in the frame, by its backend id; those outside of it are missing. What the protocol tells
 * is CSS pixels of the document: the visual viewport (scrolled, pinched, wider than the screen on pages that know no
 * phones) is taken off, and the scale is that of this very frame.
 */
export async function layoutOf(cdp: CDPSession, frame: Frame): Promise<ReadonlyMap<number, Placed>> {
  const [snapshot, { cssVisualViewport }] = await Promise.all([
    cdp.send("DOMSnapshot.captureSnapshot", { computedStyles: [] }),
    cdp.send("Page.getLayoutMetrics"),
  ]);
  const { pageX, pageY, clientWidth } = cssVisualViewport;
  const scale = frame.width / clientWidth;
  const [page] = snapshot.documents;
  const found = new Map<number, Placed>();
  if (page === undefined) return found;
  const ids = page.nodes.backendNodeId ?? [];
  const listening = new Set(page.nodes.isClickable?.index);
  page.layout.nodeIndex.forEach((index, at) => {
    const [x = 0, y = 0, width = 0, height = 0] = page.layout.bounds[at] ?? [];
    const left = (x - pageX) * scale;
    const top = (y - pageY) * scale;
    const bounds = clipped({ left, top, right: left + width * scale, bottom: top + height * scale }, frame);
    const id = ids[index];
    if (bounds !== null && id !== undefined && !found.has(id))
      found.set(id, { bounds, hearsTaps: listening.has(index) && !isMostOf(bounds, frame) });
  });
  return found;
}

/** What listens for all taps on a page says nothing of the place of one. */
const isMostOf = ({ left, top, right, bottom }: Bounds, { width, height }: Frame): boolean =>
  (right - left) * (bottom - top) > (width * height) / 2;

function clipped({ left, top, right, bottom }: Bounds, { width, height }: Frame): Bounds | null {
  const inside = {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.min(height, Math.ceil(bottom)),
  };
  return inside.right > inside.left && inside.bottom > inside.top ? inside : null;
}
