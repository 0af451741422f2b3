import { setTimeout as pause } from "node:timers/promises";
import { PawlError } from "../../../domain/errors.ts";
import type { Instant, TaskId } from "../../../domain/names.ts";
import type { Until } from "../../../engine/parts.ts";
import type { Holder } from "../../../ports/store.ts";
import { type ComposeOptions, compose, type Processor } from "../../compose.ts";
import { askForge } from "../../forge.ts";
import { pawlCommand } from "../../pawl-command.ts";
import type { Context } from "../context.ts";
import { dryRun } from "../dry-run.ts";
import { type Ended, endReport } from "../end-report.ts";
import { openLive } from "../live/open-live.ts";
import { onStopOrder, type StopOrder } from "../stop-signals.ts";
import { version } from "../version.ts";
import { localOffset, past } from "../views/times.ts";

interface Options {
  readonly once?: boolean;
  readonly dry?: boolean;
  readonly untilIdle?: boolean;
  readonly stay?: boolean;
  readonly live?: boolean;
  readonly standby?: boolean;
}

/**
 * `pawl run`: the processor, until every task is terminal (or, with --until-idle, all that is left waits for people); with
 * --stay until somebody stops it. With --standby it waits while another holds the store, also after it lost its own hold.
 */
export async function run(ctx: Context, args: readonly string[], options: Options): Promise<number> {
  const repo = await ctx.repo();
  const only = args.length > 0 ? new Set(args as TaskId[]) : null;
  if (options.dry) return dryRun(ctx, { repo, only });
  if (!options.standby) return work(ctx, { repo, only, options });
  for (;;) {
    const code = await work(ctx, { repo, only, options }).catch((error) => unlessLost(ctx, error));
    if (code !== null) return code;
    await pause(AGAIN_MS);
  }
}

/** How long one that lost its store waits before it stands by again. */
const AGAIN_MS = 1_000;

/** A store that was lost, or cannot be reached for a while, ends one that stands by as little as another holder does. */
function unlessLost(ctx: Context, error: unknown): null {
  if (!(error instanceof PawlError) || !LOST.has(error.code)) throw error;
  ctx.say(`${error.message}; standing by`);
  return null;
}
const LOST: ReadonlySet<string> = new Set(["LEASE_LOST", "STORE_DOUBT", "STORE_UNREACHABLE"]);

interface Order {
  readonly repo: string;
  readonly only: ReadonlySet<TaskId> | null;
  readonly options: Options;
}

/** From the lease on to the end. */
async function work(ctx: Context, { repo, only, options }: Order): Promise<number> {
  const live = openLive(ctx, { wanted: options.live !== false });
  const say = (line: string) => live.event(line);
  const tell = (word: string, text: string) => live.note(word, text);
  const told = (holder: Holder) => ctx.say(`${heldWords(holder)}; standing by`);
  const processor = await open(ctx, { repo, only, say, tell, ...(options.standby ? { standBy: { told } } : {}) });
  if (typeof processor === "number") return processor;
  try {
    await forgeAnswers(ctx, processor);
    live.start(processor);
    if (processor.hooksAt.length > 0) tell("webhooks", `taken at ${processor.hooksAt.join(" and ")}`);
    const { ending, by } = options.once ? await once(processor) : await turn(processor, untilOf(options));
    live.close();
    return await endReport(ctx, processor, { ending, by });
  } finally {
    live.close();
    await processor.close();
  }
}

/**
 * A forge that cannot be used is said before anything is spawned. One that is only away stops nothing where work is in
 * progress: that is looked after, and what needs the forge waits.
 */
async function forgeAnswers(ctx: Context, { settings, engine }: Processor): Promise<void> {
  try {
    await askForge(settings.forge);
  } catch (error) {
    const isAway = error instanceof PawlError && error.code === "FORGE_UNREACHABLE";
    if (!isAway || engine.board.rows.size === 0) throw error;
    ctx.say(`${error.message}; what needs the forge waits`);
  }
}

const untilOf = ({ stay, untilIdle }: Options): Until => (stay ? "stopped" : untilIdle ? "idle" : "terminal");

async function open(
  ctx: Context,
  of: Pick<ComposeOptions, "repo" | "only" | "say" | "tell" | "standBy">,
): Promise<Processor | number> {
  try {
    const warn = (warnings: readonly PawlError[]) => ctx.warn(warnings);
    return await compose({ ...of, warn, overrides: ctx.overrides, pawl: pawlCommand(), build: version() });
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    if (error.code === "STORE_HELD" && !ctx.flags.json) throw heldText(error);
    if (error.code !== "CONFIG_INVALID") throw error;
    return ctx.fail(error.data.errors as readonly PawlError[], "Nothing was started.");
  }
}

/** The same for a person: times are local, and how long ago. */
function heldText(error: PawlError): PawlError {
  // of a store in an older format nobody can be asked who holds it
  if (error.data.holder === undefined) return error;
  const message = heldWords(error.data.holder as Holder);
  return new PawlError("STORE_HELD", message, { ...(error.next === null ? {} : { next: error.next }) });
}

function heldWords({ pid, host, since, epoch }: Holder): string {
  const face = { now: Date.now() as Instant, offset: localOffset };
  return `the store is held by pid ${pid} on ${host} since ${past(since, face)}, epoch ${epoch}`;
}

async function once({ engine }: Processor): Promise<Ended> {
  await engine.step();
  return { ending: { kind: "ended", rest: "idle" }, by: null };
}

/** Ctrl+C, SIGTERM and a closed terminal end the processor, never a worker's work; a second Ctrl+C ends it at once. */
async function turn({ engine, record }: Processor, until: Until): Promise<Ended> {
  const abort = new AbortController();
  let by: StopOrder | null = null;
  const orders = onStopOrder((order) => {
    by = order;
    record({ event: "stop_ordered", by: order });
    abort.abort();
  });
  try {
    return { ending: await engine.run(until, abort.signal), by };
  } finally {
    orders.off();
  }
}
