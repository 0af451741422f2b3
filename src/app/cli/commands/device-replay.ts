import { PawlError } from "../../../domain/errors.ts";
import { openBridge } from "../../device/open-bridge.ts";
import { type Replayed, replayRun } from "../../device/replay-run.ts";
import { actionText } from "../../device/step-line.ts";
import type { Context } from "../context.ts";
import { targetOf } from "../device/places.ts";
import { recordedRun } from "../device/recorded-run.ts";
import { EXIT } from "../exit-code.ts";
import { onStopOrder } from "../stop-signals.ts";

interface Options {
  readonly on?: string;
}

/** `pawl device replay RUN --on TARGET`: does again what was recorded. Exit code: 0 every screen is the same, 1 it is not (or another run has the phone), 130 stopped. */
export async function run(ctx: Context, [named = ""]: readonly string[], { on }: Options): Promise<number> {
  if (on === undefined)
    throw new PawlError("USAGE", "pawl device replay needs --on: a screen", { next: "--on browser:URL or adb:SERIAL" });
  const { folder, trajectory, picture, runs } = await recordedRun(ctx, named);
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  const done: Replayed[] = [];
  try {
    const bridge = await openBridge({
      target: targetOf(on, { runs, cwd: ctx.cwd }),
      env: ctx.env,
      signal: stop.signal,
      by: `the replay of ${folder}`,
    });
    try {
      for await (const one of replayRun(trajectory, { bridge, picture }, stop.signal)) {
        done.push(one);
        if (!ctx.flags.json) ctx.say(lineOf(one));
      }
    } finally {
      await bridge.close();
    }
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    listening.off();
  }
  return tell(ctx, done);
}

function tell(ctx: Context, done: readonly Replayed[]): number {
  const other = done.filter(({ ended }) => ["different", "size", "refused"].includes(ended));
  const compared = done.filter(({ difference }) => difference !== null).length;
  if (ctx.flags.json) ctx.json({ ok: other.length === 0, compared, steps: done });
  else if (other.length === 0) ctx.out(`the same: ${compared} screens compared, of ${done.length} steps`);
  else ctx.out(`different: step ${other.map(({ step }) => step).join(", ")} (${compared} screens compared)`);
  return other.length === 0 ? EXIT.done : EXIT.no;
}

function lineOf({ step, action, ended, difference, note }: Replayed): string {
  const share = difference === null || difference === 0 ? "" : ` (${(difference * 100).toFixed(1)} % of its pixels)`;
  return `${String(step).padStart(3)}  ${actionText(action).padEnd(24)} ${ended}${share}${note ? `: ${note}` : ""}`;
}
