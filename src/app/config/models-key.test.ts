import { expect, test } from "vitest";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { pawlFile } from "./pawl-file.ts";
import { parseYaml } from "./spot.ts";

function read(yaml: string): { models: Readonly<Record<string, ModelSpec>> | undefined; faults: readonly string[] } {
  const root = parseYaml({ file: "pawl.yaml", yaml });
  const { models } = pawlFile(root);
  return { models, faults: root.text.faults.map(({ code, at }) => `${code}:${at.line}:${at.column}`) };
}

const PLAIN: ModelSpec = {
  name: "main",
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  baseUrl: null,
  keyEnv: null,
  context: null,
  maxOutput: null,
  temperature: null,
  price: null,
  api: null,
  tools: true,
  stream: true,
};

test("a model is PROVIDER/MODEL, or a mapping; what is not said is left to what is known of it", () => {
  const { models, faults } = read(`models:
  main: anthropic/claude-sonnet-4-5
  fast: {provider: openai, model: gpt-5-mini, max_output_tokens: 4k, api: chat, temperature: 0.3}
  local: {provider: ollama, model: "qwen3-coder:30b", context: 32k}
  routed: ollama/library/qwen3:8b
  eyes: {provider: openai-compatible, base_url: "http://127.0.0.1:8000/v1/", key_env: VLLM_KEY, model: ui-tars, tools: false, stream: false, price: {input: 1, output: 2, cached: 0.1}}
`);
  expect(faults).toEqual([]);
  expect(models).toEqual({
    main: PLAIN,
    fast: {
      ...PLAIN,
      name: "fast",
      provider: "openai",
      model: "gpt-5-mini",
      maxOutput: 4_000,
      api: "chat",
      temperature: 0.3,
    },
    local: { ...PLAIN, name: "local", provider: "ollama", model: "qwen3-coder:30b", context: 32_000 },
    routed: { ...PLAIN, name: "routed", provider: "ollama", model: "library/qwen3:8b" },
    eyes: {
      ...PLAIN,
      name: "eyes",
      provider: "openai-compatible",
      model: "ui-tars",
      baseUrl: "http://127.0.0.1:8000/v1",
      keyEnv: "VLLM_KEY",
      tools: false,
      stream: false,
      price: { input: 1, output: 2, cached: 0.1, written: 1 },
    },
  });
});

test("how a model says what it wants on a screen is declared: its dialect, and what its coordinates count", () => {
  const base = 'provider: openai-compatible, base_url: "http://127.0.0.1:8000/v1", model: x';
  const { models, faults } = read(`models:
  tars: {${base}, dialect: ui-tars, coordinates: 0-1000}
  tars15: {${base}, dialect: ui-tars, coordinates: pixel-28}
  glm: {${base}, dialect: autoglm}
  calls: {${base}, coordinates: pixel}
  plain: {${base}}
`);
  expect(faults).toEqual([]);
  expect(Object.values(models ?? {}).map(({ eyes }) => eyes)).toEqual([
    { dialect: "ui-tars", coordinates: "0-1000" },
    { dialect: "ui-tars", coordinates: "pixel-28" },
    { dialect: "autoglm", coordinates: "0-1000" },
    { dialect: null, coordinates: "pixel" },
    undefined,
  ]);
});

test.each([
  ["a dialect that nobody speaks", "main: {provider: openai, model: x, dialect: tars}", "TYPE_BAD:1:54"],
  ["coordinates of another kind", "main: {provider: openai, model: x, coordinates: 1000}", "TYPE_BAD:1:58"],
  ["a dialect whose models differ", "main: {provider: openai, model: x, dialect: qwen}", "KEY_MISSING:1:10"],
  [
    "the same, with other coordinates",
    "main: {provider: openai, model: x, dialect: qwen, coordinates: x}",
    "TYPE_BAD:1:73",
  ],
  ["a provider that is not known", "main: antropic/x", "TYPE_BAD:1:16"],
  ["no model behind the slash", "main: anthropic/", "TYPE_BAD:1:16"],
  ["a name alone", "main: gpt-5", "TYPE_BAD:1:16"],
  ["a provider that is not known, in a mapping", "main: {provider: x, model: y}", "TYPE_BAD:1:27"],
  ["no model", "main: {provider: openai}", "KEY_MISSING:1:10"],
  ["no address where there is no usual one", "main: {provider: openai-compatible, model: x}", "KEY_MISSING:1:10"],
  ["no address in the short form", "main: openai-compatible/x", "KEY_MISSING:1:10"],
  [
    "a password in an address",
    'main: {provider: openai, model: x, base_url: "https://me:secret@x.org"}',
    "TYPE_BAD:1:55",
  ],
  [
    "a key in an address",
    'main: {provider: openai, model: x, base_url: "https://x.org/v1?key=secret"}',
    "TYPE_BAD:1:55",
  ],
  ["a key in the file", "main: {provider: openai, model: x, key: sk-1}", "KEY_UNKNOWN:1:45"],
  ["a variable that cannot be one", "main: {provider: openai, model: x, key_env: sk-1}", "TYPE_BAD:1:54"],
  ["a temperature of another scale", "main: {provider: openai, model: x, temperature: 30}", "TYPE_BAD:1:58"],
  ["a price with one side", "main: {provider: openai, model: x, price: {input: 1}}", "KEY_MISSING:1:45"],
  ["an API of another provider", "main: {provider: google, model: x, api: chat}", "TYPE_BAD:1:45"],
])("%s is a fault, at its place", (_, model, fault) => {
  expect(read(`models: {${model}}\n`).faults).toEqual([fault]);
});
