import { PawlError } from "../../../domain/errors.ts";
import { countOf, duration, durationOf } from "../../config/units.ts";
import { sayUnasked } from "../../worker/say-unasked.ts";
import type { WorkStand } from "../../worker/work-stand.ts";
import { decider } from "../ask-processor.ts";
import type { Context } from "../context.ts";
import { decide } from "../decide.ts";
import { EXIT } from "../exit-code.ts";
import { workMeant } from "../work-or-task.ts";

interface Options {
  readonly time?: string;
  readonly cost?: string;
  readonly spawns?: string;
  readonly tokens?: string;
  readonly as?: string;
}

/** `pawl extend TASK --time D --cost USD --spawns N --tokens N`: more for the running attempt, and for what the task may spend. */
export async function run(ctx: Context, [id]: readonly string[], options: Options): Promise<number> {
  const timeMs = options.time === undefined ? 0 : (durationOf(options.time) ?? wrong("--time", options.time, "30m"));
  const add = {
    microUsd: options.cost === undefined ? 0 : dollarsOf(options.cost),
    tokens: options.tokens === undefined ? 0 : (countOf(options.tokens) ?? wrong("--tokens", options.tokens, "500k")),
    wallMs: 0, // the processor adds the time to the budget by itself
    spawns: options.spawns === undefined ? 0 : (countOf(options.spawns) ?? wrong("--spawns", options.spawns, "5")),
  };
  if (timeMs === 0 && Object.values(add).every((amount) => amount === 0))
    throw new PawlError("USAGE", "pawl extend needs to be told what there is more of", {
      next: `pawl extend ${id ?? "TASK"} --time 30m | --cost 3 | --spawns 5 | --tokens 500k`,
    });
  const work = await workMeant(ctx, id);
  if (work === null) return decide(ctx, { id, as: options.as }, () => ({ do: "extend", timeMs, add }));
  if (Object.values(add).some((amount) => amount > 0))
    throw new PawlError(
      "REFUSED",
      `${id} is a ticket of pawl work, which has a time, and no budget that could be more`,
      {
        next: `pawl extend ${id} --time 30m`,
      },
    );
  return extendWork(ctx, id!, { work, timeMs, as: options.as });
}

async function extendWork(
  ctx: Context,
  id: string,
  { work, timeMs, as }: { readonly work: WorkStand; readonly timeMs: number; readonly as: string | undefined },
): Promise<number> {
  const by = await decider(as, await ctx.repo());
  sayUnasked(work.run, { message_type: "EXTEND", minutes: timeMs / MINUTE, by });
  if (ctx.flags.json) ctx.json({ ok: true, task: id, said: "EXTEND", minutes: timeMs / MINUTE, run: work.run });
  else
    ctx.out(
      `${duration(timeMs)} more is noted for ${id}; ${work.isAlive ? "it has them after what it does just now" : "the same pawl work command goes on with it"}.`,
    );
  return EXIT.done;
}
const MINUTE = 60_000;

function dollarsOf(text: string): number {
  const dollars = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1];
  return dollars === undefined ? wrong("--cost", text, "2.50") : Math.round(Number(dollars) * 1e6);
}

function wrong(flag: string, value: string, like: string): never {
  throw new PawlError("USAGE", `${flag} cannot be "${value}"`, { next: `write it like ${flag} ${like}` });
}
