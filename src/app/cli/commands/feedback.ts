import { answerGate } from "../answer-gate.ts";
import type { Context } from "../context.ts";
import type { DecideOptions } from "../decide.ts";

/** `pawl feedback TASK` */
export const run = (ctx: Context, [id]: readonly string[], options: DecideOptions): Promise<number> =>
  answerGate(ctx, id, { word: "feedback", options });
