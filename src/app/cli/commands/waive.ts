import type { Context } from "../context.ts";
import { type DecideOptions, decide, messageOf } from "../decide.ts";

/** `pawl waive TASK FINDING -m M`: the finding rests, and is not told to workers again. */
export async function run(
  ctx: Context,
  [id, finding = ""]: readonly string[],
  options: DecideOptions,
): Promise<number> {
  const message = messageOf("waive", `${id ?? "TASK"} ${finding}`, options);
  return decide(ctx, { id, as: options.as }, () => ({ do: "waive", finding, message }));
}
