import type { Context } from "../context.ts";
import { type JudgeOptions, judge } from "../judge.ts";

/** `pawl approve TASK` */
export const run = (ctx: Context, [id]: readonly string[], options: JudgeOptions): Promise<number> =>
  judge(ctx, id, { verdict: "approve", options });
