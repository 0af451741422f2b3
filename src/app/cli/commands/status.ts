import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { brokenFiles } from "../look/broken-files.ts";
import { inkFor } from "../look/ink.ts";
import { looking } from "../look/scene.ts";
import { type Filter, statusJson, statusLines } from "../views/status.ts";

/** `pawl status`: where every task is. Works beside a processor and without one. */
export async function run(ctx: Context, _args: readonly string[], filter: Filter): Promise<number> {
  return looking(ctx, async ({ scene, repo }) => {
    const broken = await brokenFiles(repo);
    if (ctx.flags.json) ctx.json({ ...statusJson(scene, filter), broken_files: broken });
    else ctx.out([...statusLines(scene, filter, inkFor(ctx)), ...brokenLines(broken)].join("\n"));
    return EXIT.done;
  });
}

const brokenLines = (files: readonly string[]): readonly string[] => {
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return files.length === 0 ? [] : [`cannot be read: ${files.slice(0, 5).join(", ")}${more}; pawl validate`];
};
