import { expect, test } from "vitest";
import { request } from "../../../test/contracts/model.contract.ts";
import type { Turn } from "../../ports/model.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { asked } from "./prompt.ts";

const spec = (over: Partial<ModelSpec>): ModelSpec => ({
  name: "main",
  provider: "anthropic",
  model: "m",
  baseUrl: null,
  keyEnv: null,
  context: null,
  maxOutput: null,
  temperature: null,
  price: null,
  api: null,
  tools: true,
  stream: true,
  ...over,
});
const TURNS: readonly Turn[] = [
  { role: "user", text: "Mend it." },
  { role: "assistant", text: "", calls: [{ id: "a", name: "list", args: { json: {} } }] },
  { role: "results", results: [{ id: "a", name: "list", text: "b.ts", failed: false }] },
  { role: "assistant", text: "So.", calls: [{ id: "c", name: "list", args: { text: "{" } }] },
  { role: "results", results: [{ id: "c", name: "list", text: "no", failed: true }] },
];
const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } };

test("Anthropic caches up to the tools, the system text, and our last two turns: four marks, as many as there may be", () => {
  const { prompt, tools } = asked(spec({}), request(TURNS), { maxOutput: null });
  const marked = prompt.map(({ providerOptions }) => providerOptions !== undefined);
  expect(marked).toEqual([true, false, false, true, false, true]);
  expect(tools?.map((tool) => "providerOptions" in tool && tool.providerOptions)).toEqual([false, MARK]);
  expect(prompt[0]!.providerOptions).toEqual(MARK);
});

test("OpenAI keeps nothing, finds its cache by one key per system text, and makes no property required", () => {
  const { providerOptions, tools } = asked(spec({ provider: "openai" }), request(TURNS), { maxOutput: null });
  const other = asked(spec({ provider: "openai" }), request("Other turns."), { maxOutput: null });
  expect(providerOptions?.openai).toMatchObject({
    store: false,
    promptCacheKey: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(other.providerOptions).toEqual(providerOptions);
  expect(tools?.every((tool) => "strict" in tool && tool.strict === false)).toBe(true);
});

test("a model that takes no tools is told of none, and reads its calls and their results as words", () => {
  const { prompt, tools, toolChoice } = asked(spec({ provider: "ollama", tools: false }), request(TURNS), {
    maxOutput: null,
  });
  expect([tools, toolChoice]).toEqual([undefined, undefined]);
  const texts = prompt
    .slice(1)
    .map(({ content }) =>
      typeof content === "string" ? content : content.map((part) => "text" in part && part.text).join(),
    );
  expect(texts).toEqual([
    "Mend it.",
    '{"name":"list","args":{}}',
    "Result of list:\nb.ts",
    "So.\n{",
    "list failed:\nno",
  ]);
});

test("the request's own limits go before the model's", () => {
  const of = (over: object) => asked(spec({ temperature: 0.1 }), request("x", over), { maxOutput: 500 });
  expect(of({ maxOutput: null })).toMatchObject({ maxOutputTokens: 500, temperature: 0.1 });
  expect(of({ maxOutput: 7, temperature: 1 })).toMatchObject({ maxOutputTokens: 7, temperature: 1 });
});

test("ids that one provider gives and another refuses are written anew, each still with its result", () => {
  const turns: readonly Turn[] = [
    { role: "user", text: "x" },
    {
      role: "assistant",
      text: "",
      calls: [
        { id: "f:1", name: "a", args: { json: {} } },
        { id: "f.1", name: "b", args: { json: {} } },
      ],
    },
    {
      role: "results",
      results: [
        { id: "f:1", name: "a", text: "one", failed: false },
        { id: "f.1", name: "b", text: "two", failed: false },
      ],
    },
  ];
  const { prompt } = asked(spec({}), request(turns), { maxOutput: null });
  const ids = prompt
    .slice(2)
    .map(
      ({ content }) => typeof content !== "string" && content.map((part) => "toolCallId" in part && part.toolCallId),
    );
  expect(ids).toEqual([
    ["f_1", "f_1_2"],
    ["f_1", "f_1_2"],
  ]);
});
