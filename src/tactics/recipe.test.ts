import { describe, expect, test } from "vitest";
import { scratch, write } from "../../test/support/scratch.ts";
import { shows } from "../../test/support/shows.ts";
import { readMaterials } from "../app/worker/materials.ts";
import { cutText, type Doc, pack, type Recipe, recipeSchema } from "./recipe.ts";
import { tokensOf } from "./rough-tokens.ts";
import { OWN_TOOLS } from "./tool-names.ts";

const TOOLS = new Set(OWN_TOOLS);
const long = (tokens: number): string => "word ".repeat(Math.ceil((tokens * 3.6) / 5));
const doc =
  (text: string): Doc =>
  (most) =>
    cutText("a document", text, most);
const recipe = (over: Partial<Recipe> = {}): Recipe =>
  recipeSchema.parse({
    name: "r",
    role: "executor",
    prompt_fragments: ["prompts/a.md (100 tokens)", "prompts/b.md"],
    input_docs: [
      { path: "one", max_tokens: 300 },
      { path: "two", optional: true, max_tokens: 300 },
    ],
    token_budget: { total: 1000, prompt: 200, input_docs: 400, output: 200, buffer: 200 },
    ...over,
  });
const fragments = new Map([
  ["prompts/a.md", "A"],
  ["prompts/b.md", "B"],
]);

describe("what a recipe comes to", () => {
  test("TAC-5.1 recipes are data: the shipped task_executor has the specification's fields and numbers", () => {
    const found = readMaterials([], TOOLS).recipes.get("task_executor");
    expect(found).toMatchObject({
      role: "executor",
      phase: "execution",
      input_docs: [{ path: "context.md", optional: false, max_tokens: 1500, path_type: "turn" }],
      token_budget: { total: 3500, prompt: 800, input_docs: 1500, output: 500, buffer: 700 },
      temperature: 0.3,
    });
    const folder = scratch();
    write(folder, {
      "recipes/task_executor.yaml":
        "name: task_executor\nrole: executor\nprompt_fragments: []\ninput_docs: []\ntoken_budget: {total: 5, prompt: 1, input_docs: 1, output: 1, buffer: 1}\n",
    });
    expect(readMaterials([folder], TOOLS).recipes.get("task_executor")?.token_budget.total).toBe(5);
    shows("TAC-5.1", 1);
  });

  test("TAC-5.1 a document over its budget is cut, and it is said that it is", () => {
    const docs = new Map([
      ["one", doc(long(1000))],
      ["two", doc(long(1000))],
    ]);
    const made = pack(recipe(), { fragments: new Map([...fragments, ["prompts/a.md", long(500)]]), docs });
    expect(made.docs).toMatch(/\[cut: a document has \d+ tokens, and 300 are here\][\s\S]*and (9\d|100) are here\]$/);
    expect(tokensOf(made.docs)).toBeLessThanOrEqual(401);
    expect(made.system).toMatch(/\[cut: prompts\/a\.md has \d+ tokens, and 100 are here\]/);
    expect(tokensOf(made.system)).toBeLessThanOrEqual(200);
    expect(made.cut).toEqual(["prompts/a.md to 100 tokens"]);
    shows("TAC-5.1", 2);
  });

  test("TAC-5.1 a document that has to be there and is not is an error that names the recipe", () => {
    expect(() => pack(recipe(), { fragments, docs: new Map() })).toThrow(
      expect.objectContaining({ code: "RECIPE_DOC_MISSING", message: expect.stringContaining('recipe "r" needs one') }),
    );
    expect(() => pack(recipe(), { fragments: new Map(), docs: new Map([["one", doc("")]]) })).toThrow(/prompts\/a\.md/);
    expect(pack(recipe(), { fragments, docs: new Map([["one", doc("1")]]) })).toEqual({
      system: "A\n\nB",
      docs: "1",
      cut: [],
    });
    shows("TAC-5.1", 3);
  });
});

describe("cutting", () => {
  test.each([1, 5, 12, 13, 14, 20, 50, 200])("to %i tokens gives no more than that, in any script", (most) => {
    for (const text of [long(400), "\u00fc\u{1f600}".repeat(300), "\n".repeat(3_000)]) {
      const cut = cutText("x", text, most);
      expect(tokensOf(cut)).toBeLessThanOrEqual(most);
      expect(cut).not.toContain("\ufffd");
    }
  });
  test("a replacement character that stands in the text stays", () => {
    expect(cutText("x", `${"a".repeat(100)}\ufffd${"b".repeat(400)}`, 60)).toContain("\ufffdb");
  });
});

test.each([
  ["more in its parts than in all", { token_budget: { total: 10, prompt: 9, input_docs: 1, output: 1, buffer: 1 } }],
  ["a field that there is not", { prompts: [] }],
  ["a fragment without a path", { prompt_fragments: ["a b c"] }],
  ["no tokens", { token_budget: { total: 10, prompt: 0, input_docs: 1, output: 1, buffer: 1 } }],
])("a recipe with %s is refused", (_, over) => {
  expect(recipeSchema.safeParse({ ...recipe(), ...over }).success).toBe(false);
});
