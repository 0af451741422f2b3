import { expect, onTestFinished, test } from "vitest";
import { request } from "../../../test/contracts/model.contract.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { pushedClock } from "../../../test/support/pushed-clock.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { createModel } from "./create.ts";

test.each<[string, Pick<ModelSpec, "provider" | "keyEnv">, Record<string, string>, RegExp]>([
  [
    "a server of one's own without key_env",
    { provider: "openai-compatible", keyEnv: null },
    {},
    /^add key_env: NAME to models\.main /,
  ],
  [
    "one with it",
    { provider: "openai-compatible", keyEnv: "MY_KEY" },
    { MY_KEY: "wrong" },
    /^look at the key in MY_KEY,/,
  ],
  [
    "a provider's usual variable",
    { provider: "openai", keyEnv: null },
    { OPENAI_API_KEY: "wrong" },
    /^look at the key in OPENAI_API_KEY,/,
  ],
])("a key that is refused is told by the variable that holds it: %s", async (_, of, env, next) => {
  const server = await startModelServer([], { keys: ["right"] });
  onTestFinished(() => server.close());
  const spec: ModelSpec = {
    ...of,
    name: "main",
    model: "m",
    api: "chat",
    stream: false,
    baseUrl: `${server.url}/v1`,
    context: 200_000,
    maxOutput: null,
    temperature: null,
    price: null,
    tools: true,
  };
  const model = createModel(spec, { clock: pushedClock(), env });
  const asked = model.ask(request("Mend it."), { signal: new AbortController().signal, news: () => {} });
  await expect(asked).rejects.toMatchObject({ code: "MODEL_KEY_REFUSED", next: expect.stringMatching(next) });
});
