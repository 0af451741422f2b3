import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Context } from "../context.ts";

/** Where the state of a repository lies, found without reading its configuration whole. */
export interface StorePlace {
  readonly store: string;
  /** .pawl */
  readonly state: string;
  /** main checkout; null: a store was named, and there is no repository here */
  readonly repo: string | null;
}

/** Flag, environment, `store:` in pawl.yaml, .pawl/store.db. A configuration with faults does not keep anybody from looking. */
export async function storePlace(ctx: Context): Promise<StorePlace> {
  const named = ctx.overrides.store?.value;
  const repo = await repoOf(ctx, named !== undefined);
  if (repo === null) return { store: named!, state: dirname(named!), repo };
  return {
    store: named ?? resolve(repo, (await keyOf(repo, "store")) ?? ".pawl/store.db"),
    state: join(repo, ".pawl"),
    repo,
  };
}

async function repoOf(ctx: Context, mayLack: boolean): Promise<string | null> {
  try {
    return await ctx.repo();
  } catch (error) {
    if (mayLack && error instanceof PawlError && error.code === "REPO_MISSING") return null;
    throw error;
  }
}

/** A text that stands in pawl.yaml at the top; null: it does not. The parser is loaded only where the word is there at all. */
export async function keyOf(repo: string, key: string): Promise<string | null> {
  let text: string;
  try {
    text = readFileSync(join(repo, "pawl.yaml"), "utf8");
  } catch {
    return null;
  }
  if (!text.replace(/^\s*#.*$/gm, "").includes(key)) return null;
  const { parseDocument } = await import("yaml");
  const value: unknown = parseDocument(text, { logLevel: "silent" }).get(key);
  return typeof value === "string" ? value : null;
}
