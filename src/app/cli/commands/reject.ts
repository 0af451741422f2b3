import type { Context } from "../context.ts";
import { type JudgeOptions, judge } from "../judge.ts";

/** `pawl reject TASK -m M`: the message becomes a finding. */
export const run = (ctx: Context, [id]: readonly string[], options: JudgeOptions): Promise<number> =>
  judge(ctx, id, { verdict: "reject", options });
