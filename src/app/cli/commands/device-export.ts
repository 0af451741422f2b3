import { resolve } from "node:path";
import { replaceFile } from "../../../adapters/agents/files.ts";
import type { Context } from "../context.ts";
import { recordedRun } from "../device/recorded-run.ts";
import { EXIT } from "../exit-code.ts";

interface Options {
  readonly out?: string;
}

/** `pawl device export RUN`: the whole run as one JSON document, its pictures in it as base64; to stdout, or a file. */
export async function run(ctx: Context, [named = ""]: readonly string[], { out }: Options): Promise<number> {
  const { trajectory, picture } = await recordedRun(ctx, named);
  const embedded = (name: string): string => Buffer.from(picture(name) ?? []).toString("base64");
  const steps = trajectory.steps.map((step) => ({
    ...step,
    screenshot: embedded(step.screenshot),
    ...(step.screenshot_after === undefined ? {} : { screenshot_after: embedded(step.screenshot_after) }),
  }));
  const text = `${JSON.stringify({ ...trajectory, screenshots: "base64", steps }, null, 2)}\n`;
  if (out === undefined) await ctx.raw("stdout", Buffer.from(text));
  else {
    replaceFile(resolve(ctx.cwd, out), text);
    ctx.say(`${trajectory.steps.length} steps in ${out}`);
  }
  return EXIT.done;
}
