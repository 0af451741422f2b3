import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { inkFor } from "../look/ink.ts";
import { looking } from "../look/scene.ts";
import { type Filter, statusJson, statusLines } from "../views/status.ts";

/** `pawl status`: where every task is. Works beside a processor and without one. */
export async function run(ctx: Context, _args: readonly string[], filter: Filter): Promise<number> {
  return looking(ctx, async ({ scene }) => {
    if (ctx.flags.json) ctx.json(statusJson(scene, filter));
    else ctx.out(statusLines(scene, filter, inkFor(ctx)).join("\n"));
    return EXIT.done;
  });
}
