import { PawlError } from "../../../domain/errors.ts";
import { countOf, durationOf } from "../../config/units.ts";
import type { Context } from "../context.ts";
import { decide } from "../decide.ts";

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
  return decide(ctx, { id, as: options.as }, () => ({ do: "extend", timeMs, add }));
}

function dollarsOf(text: string): number {
  const dollars = /^\$?(\d{1,9}(?:\.\d{1,6})?)$/.exec(text.trim())?.[1];
  return dollars === undefined ? wrong("--cost", text, "2.50") : Math.round(Number(dollars) * 1e6);
}

function wrong(flag: string, value: string, like: string): never {
  throw new PawlError("USAGE", `${flag} cannot be "${value}"`, { next: `write it like ${flag} ${like}` });
}
