import { setTimeout as sleep } from "node:timers/promises";
import { act } from "../../device/act.ts";
import { actionOf, isInvalid } from "../../device/device-action.ts";
import { DEVICE_DEFAULTS } from "../../device/settings.ts";
import { settleMs } from "../../device/timing.ts";
import type { Trajectory } from "../../device/trajectory.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Bridge } from "../../ports/bridge.ts";
import { differenceOf } from "./picture-difference.ts";

/** What became of one recorded step when it was done again. */
export interface Replayed {
  readonly step: number;
  readonly action: Readonly<Record<string, unknown>>;
  /** skipped: nothing that is done to a screen; refused: this screen did not do it */
  readonly ended: "same" | "different" | "size" | "skipped" | "refused" | "unseen";
  /** share of pixels that differ from the recorded picture behind the step, 0 to 1; null: not compared */
  readonly difference: number | null;
  readonly note?: string;
}

/** From here on two screens count as different: a clock's digits and a caret are less. */
export const DIFFERENT = 0.001;

/** Does what was recorded again on a screen, step by step, and compares what it shows. Ends at the first refusal. */
export async function* replayRun(
  { steps }: Trajectory,
  { bridge, picture }: { readonly bridge: Bridge; readonly picture: (named: string) => Uint8Array | null },
  signal: AbortSignal,
): AsyncGenerator<Replayed, void> {
  for (const { step, action: recorded, result, screenshot_after: after } of steps) {
    const action = actionOf(recorded);
    const isDone = !isInvalid(action) && ON_SCREEN.has(action.action) && result.outcome !== "failed";
    if (!isDone) {
      yield { step, action: recorded, ended: "skipped", difference: null };
      continue;
    }
    try {
      await act(action, { bridge, frame: await bridge.capture(signal), signal });
    } catch (error) {
      if (!(error instanceof PawlError) || signal.aborted) throw error;
      yield { step, action: recorded, ended: "refused", difference: null, note: error.message };
      return;
    }
    await sleep(settleMs(action, DEVICE_DEFAULTS), undefined, { signal });
    const then = after === undefined ? null : picture(after);
    if (then === null) yield { step, action: recorded, ended: "unseen", difference: null };
    else {
      const difference = await restedDifference(then, bridge, signal);
      const ended = difference === null ? "size" : difference > DIFFERENT ? "different" : "same";
      yield { step, action: recorded, ended, difference };
    }
  }
}

/** How far a screen is from a picture; one that differs may be slower today, and is looked at again, for 3 s. */
async function restedDifference(then: Uint8Array, bridge: Bridge, signal: AbortSignal): Promise<number | null> {
  for (let looks = 1; ; looks++) {
    const difference = await differenceOf(then, (await bridge.capture(signal)).png);
    if (difference === null || difference <= DIFFERENT || looks > LOOKS) return difference;
    await sleep(LOOK_MS, undefined, { signal });
  }
}
const LOOKS = 6;
const LOOK_MS = 500;

const ON_SCREEN: ReadonlySet<string> = new Set(
  "tap double_tap long_press swipe type back home recent enter open".split(" "),
);
