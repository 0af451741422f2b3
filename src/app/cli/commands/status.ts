import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { brokenFiles } from "../look/broken-files.ts";
import { inkFor } from "../look/ink.ts";
import { partScene } from "../look/part-scene.ts";
import { openStoreHere, sceneIn } from "../look/scene.ts";
import { type Filter, statusJson, statusLines } from "../views/status.ts";

interface Options extends Filter {
  readonly all?: boolean;
}

/** `pawl status`: where every task is; of a large backlog, what matters now. Works beside a processor and without one. */
export async function run(ctx: Context, _args: readonly string[], options: Options): Promise<number> {
  const { reader, state, repo } = await openStoreHere(ctx);
  try {
    const isWhole = ctx.flags.json || options.all || options.waiting || options.failed;
    const part = isWhole ? null : await partScene(reader, state);
    const scene = part ?? (await sceneIn({ reader, state }));
    const broken = await brokenFiles(repo, scene);
    if (ctx.flags.json) ctx.json({ ...statusJson(scene, options), broken_files: broken });
    else ctx.out([...statusLines(scene, options, inkFor(ctx)), ...brokenLines(broken)].join("\n"));
    return EXIT.done;
  } finally {
    await reader.close();
  }
}

const brokenLines = (files: readonly string[]): readonly string[] => {
  const more = files.length > 5 ? ` and ${files.length - 5} more` : "";
  return files.length === 0 ? [] : [`cannot be used: ${files.slice(0, 5).join(", ")}${more}; pawl validate`];
};
