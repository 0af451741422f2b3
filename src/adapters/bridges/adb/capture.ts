import { PawlError } from "../../../domain/errors.ts";
import type { Frame } from "../../../ports/bridge.ts";
import { frameOf } from "../png.ts";
import { gone, look } from "./calls.ts";
import { runLine, type Shell } from "./shell.ts";

/** What `input` counts in, turned as the frame is. */
export interface TouchSize {
  readonly width: number;
  readonly height: number;
}
export interface Captured {
  readonly frame: Frame;
  readonly touch: TouchSize;
  /** the system asked which of several displays was meant */
  readonly hasDisplays: boolean;
}

/**
 * A picture, and with it, in the same line, what `wm size` says at that moment: a screen can be turned, and a size laid
 * over the panel's, at any time, and then screenshots and touches differ in pixels. `display`: which panel; null: its own
 * choice. Throws CAPTURE_FAILED, SCREEN_GONE, CANCELLED.
 */
export async function capture(
  shell: Shell,
  display: string | null,
  { signal, withinMs }: { signal: AbortSignal; withinMs: number },
): Promise<Captured> {
  const line = `wm size; screencap -p${display === null ? "" : ` -d ${display}`}`;
  const end = await runLine(shell, line, { signal, withinMs });
  if (end.kind === "not-sent" || (end.kind === "unanswered" && !end.isLate)) throw gone(shell, end.why);
  if (end.kind === "unanswered") throw failed(shell, end.why);
  if (end.code !== 0)
    throw failed(shell, end.err.trim() || end.out.toString("utf8", 0, 300).trim() || `exit code ${end.code}`);
  const frame = await frameOf(end.out, Date.now());
  const text = end.out.toString("latin1", 0, 4096).split("\x89PNG")[0]!;
  return { frame, touch: touchSize(text, frame), hasDisplays: /Multiple displays/.test(text + end.err) };
}

const failed = (shell: Shell, why: string): PawlError =>
  new PawlError("CAPTURE_FAILED", `${shell.serial} gave no picture of its screen: ${why}`, {
    next: "look whether its screen is on",
  });

/** "Physical size: 1080x2400", "Override size: 720x1600": upright; where there is neither, touches are the frame's pixels. */
function touchSize(text: string, frame: Frame): TouchSize {
  const said = /Override size: (\d+)x(\d+)/.exec(text) ?? /Physical size: (\d+)x(\d+)/.exec(text);
  if (said === null) return { width: frame.width, height: frame.height };
  const [width, height] = [Number(said[1]), Number(said[2])];
  return width > height === frame.width > frame.height ? { width, height } : { width: height, height: width };
}

/**
 * The panel on which `input` acts: that of the viewport of display 0, by its long id; else the first that the
 * compositor names. Null: the system tells neither.
 */
export async function mainDisplay(
  shell: Shell,
  bounds: { signal: AbortSignal; withinMs: number },
): Promise<string | null> {
  const viewports = (await look(shell, "dumpsys display", bounds)) ?? "";
  for (const [, inside] of viewports.matchAll(/DisplayViewport\{([^}]*)\}/g)) {
    const id = /uniqueId='local:(\d+)'/.exec(inside!)?.[1];
    if (id && /\bdisplayId=0\b/.test(inside!)) return id;
  }
  const listed = (await look(shell, "dumpsys SurfaceFlinger --display-id", bounds)) ?? "";
  return /^Display (\d+) \(HWC display \d+\)/m.exec(listed)?.[1] ?? null;
}
