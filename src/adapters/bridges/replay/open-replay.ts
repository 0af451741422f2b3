import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readTrajectory, type Trajectory, type TrajStep } from "../../../device/trajectory.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Bridge, BridgeState, Frame, Point } from "../../../ports/bridge.ts";
import { frameOf } from "../png.ts";

/** So far, in pixels, a finger may be from where it was. */
const NEAR = 24;

/**
 * A recorded trajectory as a screen: it shows what was recorded, and goes one step on when it is done what was done then.
 * Something else is SCREEN_REFUSED, as nobody knows what would have come of it. `replay:FOLDER`; throws TARGET_BAD.
 */
export function openReplay(target: string): Bridge {
  const folder = resolve(target.replace(/^replay:/, ""));
  const steps = screenSteps(trajectoryOf(folder));
  let at = 0;
  const show = (signal: AbortSignal): Promise<Frame> => {
    heed(signal);
    const step = steps.all[Math.min(at, steps.all.length - 1)]!;
    const named = at < steps.all.length ? step.screenshot : (step.screenshot_after ?? step.screenshot);
    return pictureOf(folder, { named, embedded: steps.embedded, takenAt: Date.parse(step.timestamp) });
  };
  const done = async (signal: AbortSignal, action: string, fits: (step: TrajStep) => boolean): Promise<void> => {
    heed(signal);
    const step = steps.all[at];
    if (step === undefined) throw refused("the recording is at its end");
    if (step.action.action !== action || !fits(step))
      throw refused(`then it was ${JSON.stringify(step.action)}, and not this ${action}`);
    at++;
  };
  const touch = async (action: string, points: readonly Point[], of: { frame: Frame; signal: AbortSignal }) => {
    for (const point of points) inside(point, of.frame);
    return done(of.signal, action, ({ result }) => near(points, result.at ?? []));
  };
  const plain = (action: string) => (signal: AbortSignal) => done(signal, action, () => true);
  return {
    target,
    abilities: { tree: false, recent: true, reconnects: false },
    capture: async (signal) => show(signal),
    tree: async (_, signal) => {
      heed(signal);
      return null;
    },
    tap: (point, frame, signal) => touch("tap", [point], { frame, signal }),
    doubleTap: (point, frame, signal) => touch("double_tap", [point], { frame, signal }),
    longPress: (point, _, frame, signal) => touch("long_press", [point], { frame, signal }),
    swipe: (from, to, _, frame, signal) => touch("swipe", [from, to], { frame, signal }),
    type: (text, signal) => done(signal, "type", ({ action }) => action.text === text),
    back: plain("back"),
    home: plain("home"),
    recent: plain("recent"),
    enter: plain("enter"),
    open: (app, signal) => done(signal, "open", ({ action }) => isDeepStrictEqual(action.app, app)),
    state: async (): Promise<BridgeState> => ({ kind: "ready" }),
    reconnect: async (): Promise<BridgeState> => ({ kind: "ready" }),
    close: async () => {},
  };
}

interface Recorded {
  readonly all: readonly TrajStep[];
  readonly embedded: boolean;
}

/** Steps that did something to the screen; the others changed nothing that could be shown. */
function screenSteps({ steps, screenshots }: Trajectory): Recorded {
  const touching = steps.filter(
    ({ action, result }) => result.outcome !== "failed" && SCREEN_ACTIONS.has(String(action.action)),
  );
  return { all: touching.length > 0 ? touching : steps.slice(0, 1), embedded: screenshots === "base64" };
}
const SCREEN_ACTIONS: ReadonlySet<string> = new Set(
  "tap double_tap long_press swipe type back home recent enter open".split(" "),
);

function trajectoryOf(folder: string): Trajectory {
  const bad = (why: string): PawlError =>
    new PawlError("TARGET_BAD", `${folder} is no recorded run: ${why}`, { next: "name the folder of a device run." });
  let text: string;
  try {
    text = readFileSync(join(folder, "trajectory.json"), "utf8");
  } catch {
    throw bad("it has no trajectory.json");
  }
  const read = readTrajectory(text);
  if (!("steps" in read)) throw bad(String(read.fault));
  const trajectory = read as Trajectory;
  if (trajectory.steps.length === 0) throw bad("it has no steps");
  return trajectory;
}

async function pictureOf(
  folder: string,
  { named, embedded, takenAt }: { readonly named: string; readonly embedded: boolean; readonly takenAt: number },
): Promise<Frame> {
  if (embedded) return frameOf(Buffer.from(named, "base64"), takenAt);
  const path = resolve(folder, named);
  const png = path.startsWith(folder + sep) ? await readFile(path).catch(() => null) : null;
  if (png !== null) return frameOf(png, takenAt);
  throw new PawlError("CAPTURE_FAILED", `the recorded picture ${named} is not there`, {
    next: "take a run whose folder is whole.",
  });
}

const near = (points: readonly Point[], then: readonly (readonly [number, number])[]): boolean =>
  points.length === then.length &&
  points.every(({ x, y }, i) => Math.abs(x - then[i]![0]) <= NEAR && Math.abs(y - then[i]![1]) <= NEAR);

function inside({ x, y }: Point, { width, height }: Frame): void {
  const fits = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && y >= 0 && x < width && y < height;
  if (!fits) throw refused(`${x},${y} is no pixel of the picture of ${width} x ${height}`);
}

function heed(signal: AbortSignal): void {
  if (signal.aborted) throw new PawlError("CANCELLED", "it was cancelled", { next: "nothing." });
}
const refused = (why: string): PawlError => new PawlError("SCREEN_REFUSED", why, { next: "do what was done then." });
