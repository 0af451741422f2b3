import { onTestFinished } from "vitest";
import { type ModelKind, modelContract } from "../../../test/contracts/model.contract.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { pushedClock } from "../../../test/support/pushed-clock.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { createModel } from "./create.ts";

const KEY = "sk-test-4f1e+c0ffee/99==";

/** Every provider, by the path of its API and with a model of which the packages know nothing special. */
const PROVIDERS: readonly (Pick<ModelSpec, "provider" | "model" | "api"> & { path: string } & Pick<
    ModelKind,
    "signs" | "rawArgs"
  >)[] = [
  { provider: "anthropic", model: "claude-sonnet-4-5", api: null, path: "/v1", signs: true, rawArgs: true },
  { provider: "openai", model: "gpt-4.1", api: "responses", path: "/v1", signs: true, rawArgs: true },
  { provider: "openai", model: "gpt-4.1", api: "chat", path: "/v1", signs: false, rawArgs: true },
  { provider: "google", model: "gemini-2.5-pro", api: null, path: "/v1beta", signs: false, rawArgs: false },
  { provider: "openai-compatible", model: "qwen3", api: null, path: "/v1", signs: false, rawArgs: true },
];

for (const { provider, model, api, path, signs, rawArgs } of PROVIDERS)
  for (const stream of [true, false])
    modelContract({
      label: `${provider}${api === null ? "" : ` ${api}`}, ${stream ? "streamed" : "whole"}`,
      streams: stream,
      signs,
      rawArgs,
      async open(script) {
        const server = await startModelServer(script, { keys: [KEY] });
        onTestFinished(() => server.close());
        const clock = pushedClock();
        const spec: ModelSpec = {
          name: "main",
          provider,
          model,
          api,
          stream,
          baseUrl: server.url + path,
          keyEnv: "TEST_KEY",
          context: 200_000,
          maxOutput: null,
          temperature: null,
          price: { input: 3, cached: 0.3, written: 3.75, output: 15 },
          tools: true,
        };
        const bounds = { attempts: 4, patienceMs: 120_000 };
        const made = createModel(spec, { clock, env: { TEST_KEY: KEY }, bounds, chance: () => 0.5 });
        return { model: made, clock, key: KEY, log: server.log, script: server.script };
      },
    });
