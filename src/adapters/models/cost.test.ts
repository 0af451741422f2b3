import { expect, test } from "vitest";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { costOf } from "./cost.ts";
import prices from "./prices.json" with { type: "json" };

const usage = { input: 1_000, cached: 600, written: 100, output: 10 };
const spec = (provider: ModelSpec["provider"], model: string, price: ModelSpec["price"] = null): ModelSpec => ({
  name: "main",
  provider,
  model,
  baseUrl: null,
  keyEnv: null,
  context: null,
  maxOutput: null,
  temperature: null,
  price,
  api: null,
  tools: true,
  stream: true,
});

test.each<readonly [string, ModelSpec, number | null]>([
  [
    "300 fresh at 3, 600 read at 0.3, 100 written at 3.75, 10 out at 15",
    spec("anthropic", "claude-sonnet-4-5"),
    900 + 180 + 375 + 150,
  ],
  ["a name with a date", spec("anthropic", "claude-sonnet-4-5-20250929"), 1_605],
  [
    "the user's own price goes first",
    spec("anthropic", "claude-sonnet-4-5", { input: 1, cached: 0, written: 0, output: 0 }),
    300,
  ],
  ["a model on this machine", spec("ollama", "qwen3:8b"), 0],
  ["a model that nobody knows", spec("openai", "gpt-99"), null],
  ["another provider's model of a known name", spec("openai-compatible", "gpt-5"), null],
  ["no name of ours is looked up", spec("openai", "__proto__"), null],
])("%s", (_, of, cost) => {
  expect(costOf(of, usage)).toBe(cost);
});

test("a request over the mark where a model gets dearer costs the dearer price, all of it", () => {
  const big = { input: 300_000, cached: 0, written: 0, output: 0 };
  expect(costOf(spec("google", "gemini-2.5-pro"), big)).toBe(750_000);
  expect(costOf(spec("google", "gemini-2.5-pro"), { ...big, input: 200_000 })).toBe(250_000);
});

test("the price file has its date, and each row all its columns, none below zero", () => {
  expect(prices.as_of).toMatch(/^\d{4}-\d\d-\d\d$/);
  for (const rows of Object.values(prices.models))
    for (const [name, row] of Object.entries<number[]>(rows))
      expect([name, row.length, row.every((one) => one >= 0)]).toEqual([name, prices.columns.length, true]);
});
