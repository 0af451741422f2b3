import { join } from "node:path";
import type { DeviceEvent } from "../../../device/event.ts";
import type { DeviceRunEnd } from "../../../device/run-on-device.ts";
import { PawlError } from "../../../domain/errors.ts";
import { askTerminal } from "../../device/ask-terminal.ts";
import { askedInFolder } from "../../device/asked-in-folder.ts";
import { type DeviceRunOrder, deviceRun } from "../../device/device-run.ts";
import { newRunFolder } from "../../device/run-folders.ts";
import { amount, eventLine } from "../../device/step-line.ts";
import { mcpTools } from "../../mcp-tools.ts";
import type { Context } from "../context.ts";
import { deviceProgress } from "../device/device-progress.ts";
import { type DeviceWork, deviceWork, writeVerdict } from "../device/device-work.ts";
import { deviceRuns, targetOf } from "../device/places.ts";
import { type RunFlags, settingsOf } from "../device/run-settings.ts";
import { EXIT } from "../exit-code.ts";
import { kindOf, noteBlameless, noteWaiting } from "../note-waiting.ts";
import { oneLine } from "../printable.ts";
import { onStopOrder } from "../stop-signals.ts";

/**
 * `pawl device run GOAL --on TARGET`: a model drives a screen until it says FINISH. Without a goal, in a worker's
 * environment (PAWL_ASSIGNMENT), the goal is the task's, and the end is its verdict. Exit code: 0 so it did, 1 it did
 * not, 4 no key, 5 (in a worker) the screen or the model is away, 130 stopped; then, too, the trajectory is whole.
 */
export async function run(ctx: Context, words: readonly string[], flags: RunFlags): Promise<number> {
  const work = words.length === 0 ? deviceWork(ctx) : null;
  const goal = work?.goal ?? words.join(" ").trim();
  if (goal === "" || !flags.on)
    throw new PawlError("USAGE", `pawl device run needs ${goal === "" ? "a goal" : "--on: a screen"}`, {
      next: 'pawl device run "open the shop" --on adb:SERIAL  |  --on browser:https://example.org',
    });
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  const away = awayWatch();
  try {
    const end = await started(ctx, { goal, work, flags, on: flags.on, away: away.saw }, stop.signal);
    const last = end.status === "failed" ? away.last() : null;
    if (work !== null) return ended(ctx, { work, end, away: last });
    return last?.code === "MODEL_KEY_REFUSED" ? EXIT.credential : end.code;
  } catch (error) {
    if (stop.signal.aborted && error instanceof PawlError && error.code === "CANCELLED") return EXIT.interrupted;
    if (work === null) throw error;
    if (!(error instanceof PawlError) || !IS_SCREEN.has(error.code)) noteBlameless(ctx.env, error);
    else noteWaiting(ctx.env, { for: "provider-down", until: null, why: error.message });
    throw error;
  } finally {
    listening.off();
  }
}

interface Start {
  readonly goal: string;
  readonly work: DeviceWork | null;
  readonly flags: RunFlags;
  readonly on: string;
  readonly away: (event: DeviceEvent) => void;
}

type Ended = DeviceRunEnd & { readonly code: number };

async function started(ctx: Context, { goal, work, flags, on, away }: Start, signal: AbortSignal): Promise<Ended> {
  const settings = settingsOf(flags);
  const { runs, pawl } = await deviceRuns(ctx);
  const target = targetOf(on, { runs, cwd: ctx.cwd });
  const tools = await mcpTools(pawl.mcp_servers, ctx.env);
  const place = work ?? newRunFolder(runs);
  const progress = work === null ? null : deviceProgress(work);
  try {
    const order: DeviceRunOrder = {
      goal,
      ...place,
      target,
      settings,
      model: flags.model,
      models: pawl.models ?? {},
      marks: flags.marks ?? false,
      env: ctx.env,
      tools,
      ask: work !== null ? askedInFolder(work.folder) : ctx.isTerminal ? askTerminal : null,
      told(event, run) {
        away(event);
        progress?.saw(event, run);
        const line = eventLine(event, run);
        if (line !== null) ctx.say(line);
      },
    };
    const end = await deviceRun(order, signal);
    return { ...end, code: tell(ctx, order, end) };
  } finally {
    await tools.close();
  }
}

/** What is not the worker's doing is no round of its task. */
function ended(ctx: Context, of: { work: DeviceWork; end: Ended; away: Away | null }): number {
  const { work, end, away } = of;
  if (away !== null) {
    noteWaiting(ctx.env, { for: kindOf(away.code, away.why), until: null, why: away.why });
    return EXIT.waits;
  }
  if (end.status !== "interrupted") writeVerdict(ctx, work, end);
  return end.code;
}

/** What keeps the screen from being used; said without its code, as its words are whole. */
const IS_SCREEN: ReadonlySet<string> = new Set(["SCREEN_GONE", "SCREEN_TAKEN"]);
const AWAY: ReadonlySet<string> = new Set(["SCREEN_GONE", "MODEL_DOWN", "MODEL_RATE_LIMITED", "MODEL_KEY_REFUSED"]);

interface Away {
  readonly code: string;
  readonly why: string;
}

/** Remembers what went wrong last and was not the run's doing: the screen or the model away, a key that is refused. */
function awayWatch() {
  let last: Away | null = null;
  return {
    last: () => last,
    saw(event: DeviceEvent): void {
      if (event.kind === "connection-gone") last = { code: "SCREEN_GONE", why: `the screen is away: ${event.advice}` };
      if (event.kind === "prediction-failed")
        last = AWAY.has(event.code) ? { code: event.code, why: event.message } : null;
      if (event.kind === "prediction-made") last = null;
    },
  };
}

/** In quotes where it is the agent's word; what went wrong is said as it is. */
const said = (status: DeviceRunEnd["status"], reason: string): string =>
  status === "success" ? `"${oneLine(reason)}"` : oneLine(reason);

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
      `${HEADS[status].padEnd(9)} ${said(status, reason)} · ${facts.join(" · ")} · next: pawl device show ${taskId}`,
    );
  }
  if (status === "interrupted") return EXIT.interrupted;
  return status === "success" ? EXIT.done : EXIT.no;
}

const usd = (microUsd: number | null): number | null => (microUsd === null ? null : microUsd / 1e6);
