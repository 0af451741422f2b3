import { randomBytes } from "node:crypto";
import type { Frame, ScreenNode } from "../../../ports/bridge.ts";
import { rest } from "./calls.ts";
import type { TouchSize } from "./capture.ts";
import { readHierarchy } from "./hierarchy.ts";
import { runLine, type Shell } from "./shell.ts";

/**
 * The tree by `uiautomator dump`, in the frame's pixels; null when there was none to be had in `withinMs`. Each dump goes
 * to a file of a new name, so that an older one is never read; a dump fails while the screen moves, without saying so in
 * its exit code, and is asked for again as long as there is time. Throws CANCELLED alone.
 */
export async function treeOf(
  shell: Shell,
  { frame, touch }: { frame: Frame; touch: TouchSize },
  { signal, withinMs }: { signal: AbortSignal; withinMs: number },
): Promise<ScreenNode | null> {
  const until = performance.now() + withinMs;
  for (;;) {
    const file = `/data/local/tmp/pawl-${randomBytes(6).toString("hex")}.xml`;
    const left = until - performance.now();
    if (left <= 0) return null;
    const end = await runLine(shell, `uiautomator dump ${file} && cat ${file}; rm -f ${file}`, {
      signal,
      withinMs: left,
    });
    if (end.kind !== "ended") return null;
    const tree = readHierarchy(end.out.toString("utf8"), frame, touch);
    if (tree !== null) return tree;
    await rest(Math.max(0, Math.min(PAUSE_MS, until - performance.now())), signal);
  }
}
const PAUSE_MS = 200;
