import { lstatSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import { type RepoMap, repoMap } from "../../../workspace/index/repo-map.ts";
import { withCode } from "../checkout-code.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { mapDocument } from "../views/map.ts";

interface Options {
  readonly tokens?: string;
}

const USUAL_TOKENS = "2k";

/** `pawl map [PATH]`: what a repository's files define, those first that much leans on, within a budget of tokens. */
export async function run(ctx: Context, [path = "."]: readonly string[], options: Options): Promise<number> {
  const tokens = tokensFrom(options.tokens ?? USUAL_TOKENS);
  return withCode(ctx, async ({ indexer }, root) => {
    const folder = folderIn(root, resolve(ctx.cwd, ctx.flags.repo ?? ctx.env.PAWL_REPO ?? ".", path), path);
    const index = await indexer.refresh();
    const map = repoMap(index, { folder, tokens });
    if (ctx.flags.json) ctx.json(mapDocument(map, { tokens, skipped: index.skipped }));
    else tell(ctx, map, tokens);
    for (const { path, why } of index.skipped) ctx.say(`left out: ${path} (${why})`);
    return EXIT.done;
  });
}

function tokensFrom(text: string): number {
  const [, number, unit] = /^(\d{1,6})(k?)$/.exec(text) ?? [];
  if (number !== undefined && Number(number) > 0) return Number(number) * (unit === "k" ? 1_000 : 1);
  throw new PawlError("USAGE", `--tokens takes a number like 800 or 2k, and is "${text}"`, { next: "pawl map --help" });
}

function folderIn(root: string, at: string, named: string): string {
  const inside = relative(root, at).replaceAll("\\", "/");
  if (inside.startsWith("..") || lstatSync(join(root, inside), { throwIfNoEntry: false }) === undefined)
    throw new PawlError("USAGE", `${named} is no folder or file of this repository`, { next: "pawl map --help" });
  return inside;
}

function tell(ctx: Context, { entries, of, tokens }: RepoMap, budget: number): void {
  for (const { text } of entries) ctx.out(text);
  const files = `${entries.length} of ${of} ${of === 1 ? "file" : "files"}`;
  ctx.say(of === 0 ? "no source files here" : `${files}, ${tokens} of ${budget} tokens; by weight in the import graph`);
}
