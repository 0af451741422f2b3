import { z } from "zod";
import { PawlError } from "../domain/errors.ts";
import { tokensOf } from "./rough-tokens.ts";

const tokens = z.number().int().positive();

/** What one question to a model is made of, as data (tactics.md, "Recipe Configuration"): its fields and their names. */
export const recipeSchema = z.strictObject({
  name: z.string().min(1),
  role: z.string().min(1),
  phase: z.string().default(""),
  /** `PATH (N tokens)`: a text of ours, and the most that it may have */
  prompt_fragments: z.array(z.string().regex(/^\S+(?: \(\d+ tokens\))?$/)),
  input_docs: z.array(
    z.strictObject({
      path: z.string().min(1),
      optional: z.boolean().default(false),
      max_tokens: tokens,
      path_type: z.enum(["turn", "repo"]).default("turn"),
    }),
  ),
  token_budget: z
    .strictObject({ total: tokens, prompt: tokens, input_docs: tokens, output: tokens, buffer: tokens })
    .refine(({ total, prompt, input_docs, output, buffer }) => prompt + input_docs + output + buffer <= total, {
      message: "prompt, input_docs, output and buffer come to more than total",
    }),
  temperature: z.number().min(0).max(2).nullable().default(null),
  description: z.string().default(""),
});
export type Recipe = z.infer<typeof recipeSchema>;

/** A document for a recipe: makes itself as long as it may be, and says where it was cut. */
export type Doc = (maxTokens: number) => string;

export interface Pack {
  readonly system: string;
  readonly docs: string;
  /** names of what was cut, with numbers */
  readonly cut: readonly string[];
}

/**
 * Puts together what a recipe asks for. Throws RECIPE_DOC_MISSING where a document that is not optional, or a fragment,
 * is not there.
 */
export function pack(
  recipe: Recipe,
  of: { fragments: ReadonlyMap<string, string>; docs: ReadonlyMap<string, Doc> },
): Pack {
  const cut: string[] = [];
  const noted = (name: string, text: string, most: number) => {
    const fitted = cutText(name, text, most);
    if (fitted !== text) cut.push(`${name} to ${most} tokens`);
    return fitted;
  };
  const fragments = recipe.prompt_fragments.map((fragment) => {
    const [path, most] = fragmentOf(fragment, recipe);
    return noted(path, of.fragments.get(path) ?? missing(recipe, path), most).trim();
  });
  let room = recipe.token_budget.input_docs;
  const docs = recipe.input_docs.flatMap(({ path, optional, max_tokens }) => {
    const doc = of.docs.get(path);
    if (!doc && optional) return [];
    const text = (doc ?? missing(recipe, path))(Math.min(max_tokens, room));
    room = Math.max(0, room - tokensOf(text));
    return [text];
  });
  return {
    system: noted("the prompt", fragments.join("\n\n"), recipe.token_budget.prompt),
    docs: docs.join("\n\n"),
    cut,
  };
}

function fragmentOf(fragment: string, recipe: Recipe): readonly [string, number] {
  const [, path, most] = /^(\S+)(?: \((\d+) tokens\))?$/.exec(fragment)!;
  return [path!, most ? Number(most) : recipe.token_budget.prompt];
}

/** Cuts a text to so many tokens, about, and says so at its end. */
export function cutText(name: string, text: string, most: number): string {
  if (tokensOf(text) <= most) return text;
  const words = `\n[cut: ${name} has ${tokensOf(text)} tokens, and ${most} are here]`;
  const said = [words, "[cut]", ""].find((one) => tokensOf(one) <= most) ?? "";
  const bytes = Buffer.from(text).subarray(0, Math.max(0, Math.floor((most - tokensOf(said)) * 3.6)));
  return `${new TextDecoder().decode(bytes).replace(/\ufffd+$/, "")}${said}`;
}

function missing(recipe: Recipe, path: string): never {
  throw new PawlError("RECIPE_DOC_MISSING", `recipe "${recipe.name}" needs ${path}, which is not there`, {
    next: `see input_docs and prompt_fragments of recipes/${recipe.name}.yaml, or make the document optional there.`,
  });
}
