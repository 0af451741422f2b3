import { join } from "node:path";
import type { DeviceRunEnd } from "../../../device/run-on-device.ts";
import { PawlError } from "../../../domain/errors.ts";
import { askTerminal } from "../../device/ask-terminal.ts";
import { type DeviceRunOrder, deviceRun } from "../../device/device-run.ts";
import { newRunFolder } from "../../device/run-folders.ts";
import { amount, eventLine } from "../../device/step-line.ts";
import type { Context } from "../context.ts";
import { deviceRuns, targetOf } from "../device/places.ts";
import { type RunFlags, settingsOf } from "../device/run-settings.ts";
import { EXIT } from "../exit-code.ts";
import { onStopOrder } from "../stop-signals.ts";

/**
 * `pawl device run GOAL --on TARGET`: a model drives a screen until it says FINISH. Exit code: 0 so it did, 1 it did not,
 * 4 no key, 130 stopped; then, too, the trajectory is whole.
 */
export async function run(ctx: Context, words: readonly string[], flags: RunFlags): Promise<number> {
  const goal = words.join(" ").trim();
  if (goal === "" || flags.on === undefined)
    throw new PawlError("USAGE", `pawl device run needs ${goal === "" ? "a goal" : "--on: a screen"}`, {
      next: 'pawl device run "open the shop" --on adb:SERIAL  |  --on browser:https://example.org',
    });
  const settings = settingsOf(flags);
  const place = await deviceRuns(ctx);
  const { taskId, folder } = newRunFolder(place.runs);
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  const order: DeviceRunOrder = {
    goal,
    taskId,
    folder,
    target: targetOf(flags.on, { ...place, cwd: ctx.cwd }),
    settings,
    model: flags.model,
    models: place.pawl.models ?? {},
    marks: flags.marks ?? false,
    env: ctx.env,
    tools: { names: [], specs: [], call: async () => ({ ok: false, text: "there are no tools" }) },
    ask: ctx.isTerminal ? askTerminal : null,
    told(event, run) {
      const line = eventLine(event, run);
      if (line !== null) ctx.say(line);
    },
  };
  try {
    return tell(ctx, order, await deviceRun(order, stop.signal));
  } catch (error) {
    if (stop.signal.aborted && error instanceof PawlError && error.code === "CANCELLED") return EXIT.interrupted;
    throw error;
  } finally {
    listening.off();
  }
}

const HEADS = { success: "FINISH", timeout: "TIMEOUT", failed: "FAILED", interrupted: "STOPPED" } as const;

function tell(ctx: Context, { taskId, folder }: DeviceRunOrder, end: DeviceRunEnd): number {
  const { status, reason, steps, durationMs, tokens, microUsd } = end;
  if (ctx.flags.json) {
    const told = { status, reason, steps, duration: durationMs / 1000, tokens, cost_usd: usd(microUsd) };
    ctx.json({ ok: status === "success", run: taskId, folder, trajectory: join(folder, "trajectory.json"), ...told });
  } else {
    const cost = [tokens > 0 ? `${tokens} tokens` : "", microUsd ? `$${(microUsd / 1e6).toFixed(3)}` : ""];
    const facts = [`${steps} steps`, amount(durationMs / 1000), ...cost].filter((fact) => fact !== "");
    ctx.out(
      `${HEADS[status].padEnd(9)} ${JSON.stringify(reason)} · ${facts.join(" · ")} · next: pawl device show ${taskId}`,
    );
  }
  if (status === "interrupted") return EXIT.interrupted;
  return status === "success" ? EXIT.done : EXIT.no;
}

const usd = (microUsd: number | null): number | null => (microUsd === null ? null : microUsd / 1e6);
