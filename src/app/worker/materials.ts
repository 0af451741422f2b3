import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { z } from "zod";
import { PawlError } from "../../domain/errors.ts";
import { faultsOf } from "../../tactics/decision.ts";
import type { Materials } from "../../tactics/materials.ts";
import { type Pattern, patternFaults, patternSchema } from "../../tactics/pattern.ts";
import { type Recipe, recipeSchema } from "../../tactics/recipe.ts";
import { packageRoot } from "../config/package-root.ts";

/**
 * Task types, recipes and prompts: those of the user's own folders before the shipped ones of the same name. `folders`:
 * absolute, in which `patterns/`, `recipes/` and `prompts/` may lie; `own`: absolute, one that holds patterns alone, and
 * comes before all. Throws TASK_TYPE_BAD, RECIPE_BAD with the file.
 */
export function readMaterials(
  folders: readonly string[],
  knownTools: ReadonlySet<string>,
  own: string | null = null,
): Materials {
  const roots = [packageRoot(), ...[...folders].reverse()];
  const patterns = new Map<string, Pattern>();
  const recipes = new Map<string, Recipe>();
  const prompts = new Map<string, string>();
  for (const folder of [...roots.map((root) => join(root, "patterns")), ...(own === null ? [] : [own])])
    for (const file of filesIn(folder, ".", ".yaml")) {
      const pattern = checked(file, patternSchema, "TASK_TYPE_BAD");
      refuse(file, patternFaults(pattern, knownTools));
      patterns.set(pattern.name, pattern);
    }
  for (const root of roots) {
    for (const file of filesIn(root, "recipes", ".yaml")) {
      const recipe = checked(file, recipeSchema, "RECIPE_BAD");
      recipes.set(recipe.name, recipe);
    }
    for (const file of filesIn(root, "prompts", ".md"))
      prompts.set(`prompts/${file.slice(file.lastIndexOf("/") + 1)}`, readFileSync(file, "utf8"));
  }
  return { patterns, recipes, prompts };
}

function filesIn(root: string, kind: string, end: string): readonly string[] {
  const folder = resolve(root, kind);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(end) && !name.startsWith("."))
    .sort()
    .map((name) => join(folder, name));
}

function checked<T>(file: string, schema: z.ZodType<T>, code: "TASK_TYPE_BAD" | "RECIPE_BAD"): T {
  let value: unknown;
  try {
    value = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw bad(code, file, error instanceof Error ? error.message.split("\n")[0]! : String(error));
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw bad(code, file, faultsOf(read.error));
}

function refuse(file: string, faults: readonly string[]): void {
  if (faults.length > 0) throw bad("TASK_TYPE_BAD", file, faults.join("; "));
}

const bad = (code: string, file: string, why: string): PawlError =>
  new PawlError(code, `${file} cannot be used: ${why}`, {
    at: { file },
    next: "mend it, or take it away; docs/worker.md has its form.",
  });
