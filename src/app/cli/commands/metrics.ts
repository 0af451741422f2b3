import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { looking } from "../look/scene.ts";
import { metricsText } from "../views/metrics.ts";

/** `pawl metrics`: counts for a monitor, in the text format of Prometheus. Works beside a processor and without one. */
export async function run(ctx: Context): Promise<number> {
  return looking(ctx, async ({ scene }) => {
    const text = await metricsText(scene);
    if (ctx.flags.json) ctx.json({ ok: true, metrics: text });
    else ctx.out(text.trimEnd());
    return EXIT.done;
  });
}
