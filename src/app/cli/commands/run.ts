import { PawlError } from "../../../domain/errors.ts";
import type { TaskId } from "../../../domain/names.ts";
import type { Ending } from "../../../engine/engine.ts";
import { compose, type Processor } from "../../compose.ts";
import { pawlCommand } from "../../pawl-command.ts";
import type { Context } from "../context.ts";
import { dryRun } from "../dry-run.ts";
import { endReport } from "../end-report.ts";
import { EXIT } from "../exit-code.ts";
import { openLive } from "../live/open-live.ts";
import { version } from "../version.ts";

interface Options {
  readonly once?: boolean;
  readonly dry?: boolean;
  readonly untilIdle?: boolean;
  readonly live?: boolean;
}

/** `pawl run`: the processor, until every task is terminal (or, with --until-idle, all that is left waits for people). */
export async function run(ctx: Context, args: readonly string[], options: Options): Promise<number> {
  const repo = await ctx.repo();
  const only = args.length > 0 ? new Set(args as TaskId[]) : null;
  if (options.dry) return dryRun(ctx, { repo, only });
  const live = openLive(ctx, { wanted: options.live !== false });
  const say = (line: string) => live.event(line);
  const processor = await open(ctx, { repo, only, say });
  if (typeof processor === "number") return processor;
  live.start(processor);
  try {
    const ending = options.once
      ? await once(processor)
      : await turn(processor, options.untilIdle ? "idle" : "terminal");
    live.close();
    return endReport(ctx, processor, ending);
  } finally {
    live.close();
    await processor.close();
  }
}

async function open(
  ctx: Context,
  of: { repo: string; only: ReadonlySet<TaskId> | null; say: (line: string) => void },
): Promise<Processor | number> {
  try {
    return await compose({ ...of, overrides: ctx.overrides, pawl: pawlCommand(), build: version() });
  } catch (error) {
    if (!(error instanceof PawlError) || error.code !== "CONFIG_INVALID") throw error;
    return ctx.fail(error.data.errors as readonly PawlError[], "Nothing was started.");
  }
}

async function once({ engine }: Processor): Promise<Ending> {
  await engine.step();
  return { kind: "ended", rest: "idle" };
}

/** Ctrl+C and SIGTERM end the processor, never a worker's work; a second one ends it at once. */
async function turn({ engine }: Processor, until: "idle" | "terminal"): Promise<Ending> {
  const abort = new AbortController();
  const stop = () => {
    if (abort.signal.aborted) process.exit(EXIT.interrupted);
    abort.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  try {
    return await engine.run(until, abort.signal);
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
}
