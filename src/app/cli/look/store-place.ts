import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isServer, serverFrom } from "../../../adapters/store/address.ts";
import { PawlError } from "../../../domain/errors.ts";
import { storeIn } from "../../config/store-in.ts";
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
  const repo = await repoOf(ctx, named !== undefined && !isServer(named));
  if (repo === null) return { store: named!, state: dirname(named!), repo };
  return {
    store: named ?? storeIn(repo, (await storeOf(repo)) ?? undefined),
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

/** A text that stands in pawl.yaml at the top; null: it does not. */
export async function keyOf(repo: string, key: string): Promise<string | null> {
  const value = await valueAt(repo, key);
  return typeof value === "string" ? value : null;
}

async function storeOf(repo: string): Promise<string | null> {
  const value = await valueAt(repo, "store");
  if (typeof value !== "object" || value === null) return typeof value === "string" ? value : null;
  const { postgres_env: variable, schema } = value as { readonly postgres_env?: unknown; readonly schema?: unknown };
  return typeof variable === "string" ? serverFrom(variable, typeof schema === "string" ? schema : undefined) : null;
}

/** What stands in pawl.yaml at the top; null: nothing. The parser is loaded only where the word is there at all. */
async function valueAt(repo: string, key: string): Promise<unknown> {
  let text: string;
  try {
    text = readFileSync(join(repo, "pawl.yaml"), "utf8");
  } catch {
    return null;
  }
  if (!text.replace(/^\s*#.*$/gm, "").includes(key)) return null;
  const { isMap, parseDocument } = await import("yaml");
  const value: unknown = parseDocument(text, { logLevel: "silent" }).get(key);
  return isMap(value) ? value.toJSON() : (value ?? null);
}
