import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { request } from "../../../../test/contracts/model.contract.ts";
import type { Script } from "../../../../test/support/model-server/script.ts";
import { startModelServer } from "../../../../test/support/model-server/server.ts";
import { pushedClock } from "../../../../test/support/pushed-clock.ts";
import { scratch } from "../../../../test/support/scratch.ts";
import type { PawlError } from "../../../domain/errors.ts";
import type { ModelAnswer, ModelNews, ModelRequest } from "../../../ports/model.ts";
import type { ModelSpec } from "../../../ports/model-spec.ts";
import { createModel } from "../create.ts";
import type { Fetch } from "../wire.ts";
import { openCassette } from "./cassette.ts";

const KEY = "sk-ant-4f1e-c0ffee-99";
const KINDS = [
  { provider: "anthropic", path: "/v1" },
  { provider: "openai", path: "/v1" },
  { provider: "google", path: "/v1beta" },
  { provider: "openai-compatible", path: "/v1" },
] as const;
type Kind = (typeof KINDS)[number];

const specOf = ({ provider, path }: Kind, url: string, stream = true): ModelSpec => ({
  name: "main",
  provider,
  model: "m",
  baseUrl: url + path,
  keyEnv: "TEST_KEY",
  context: null,
  maxOutput: null,
  temperature: null,
  price: null,
  api: null,
  tools: true,
  stream,
});

/** Asks, with time that passes wherever it waits. */
async function ask(spec: ModelSpec, { fetch, key }: { fetch: Fetch; key: string | null }, what: ModelRequest) {
  const clock = pushedClock();
  const news: ModelNews[] = [];
  const env = key === null ? {} : { TEST_KEY: key };
  const model = createModel(spec, { clock, env, fetch, keyless: key === null, chance: () => 0.5 });
  const answer: ModelAnswer = await model.ask(what, {
    signal: new AbortController().signal,
    news: (one) => {
      news.push(one);
      if (one.kind === "waiting") clock.push(one.until - clock.read().wall);
    },
  });
  return { answer, news };
}

const server = async (script: Script) => {
  const started = await startModelServer(script);
  onTestFinished(() => started.close());
  return started;
};
const thrown = (promise: Promise<unknown>): Promise<PawlError> =>
  promise.then(
    () => expect.unreachable(),
    (error: PawlError) => error,
  );
/** Where nobody listens: a cassette needs no network. */
const NOWHERE = "http://127.0.0.1:9";

const SCRIPT: Script = [
  { fail: 429, headers: { "retry-after": "3" }, echoKey: true },
  { text: "cut ".repeat(50), cutAfter: 200 },
  { text: "I look: äöü 漢字.", calls: [{ name: "list" }, { name: "read_file", args: { path: "ä" } }], oddBytes: true },
  { echoKey: true, step: 3 },
  { fail: 400, echoKey: true },
];

async function recorded(kind: Kind, { stream = true, file = join(scratch(), "tape.jsonl"), script = SCRIPT } = {}) {
  const { url } = await server(script);
  const { fetch } = openCassette({ file, mode: "record" });
  const first = await ask(specOf(kind, url, stream), { fetch, key: KEY }, request("Mend it."));
  const second = await ask(specOf(kind, url, stream), { fetch, key: KEY }, request("Which key?"));
  const refused = await thrown(ask(specOf(kind, url, stream), { fetch, key: KEY }, request("And now?")));
  return { file, first, second, refused };
}

describe.each(KINDS)("a cassette of $provider", (kind) => {
  test.each([true, false])("plays what was recorded, without network and key (stream: %s)", async (stream) => {
    const { file, first, second, refused } = await recorded(kind, { stream });
    const { fetch, finish } = openCassette({ file, mode: "replay" });
    const spec = specOf(kind, NOWHERE, stream);
    expect(await ask(spec, { fetch, key: null }, request("Mend it."))).toEqual(first);
    const again = await ask(spec, { fetch, key: null }, request("Which key?"));
    expect(again.answer.text).toBe("the key is [key], as you know");
    expect(again.answer.stop).toBe(second.answer.stop);
    expect((await thrown(ask(spec, { fetch, key: null }, request("And now?")))).message).toBe(refused.message);
    finish();
  });

  test.each([true, false])(
    "holds no key: not in what was asked, nor answered, nor in pieces of it (stream: %s)",
    async (stream) => {
      const { file } = await recorded(kind, { stream });
      const tape = readFileSync(file, "utf8");
      expect(tape).not.toContain(KEY);
      expect(tape).toContain("[key]");
      const lines = tape
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      for (const { asked } of lines) if (asked) expect(asked.path).toMatch(/^\/v1/);
      // A model that says the key says it three letters at a time.
      const said = lines.map(({ answered }) =>
        [...String(answered?.body).matchAll(/"(?:text|delta|content)":"([^"]*)"/g)].map(([, part]) => part).join(""),
      );
      expect(said.join("\n")).not.toContain(KEY);
      expect(said.some((text) => text.includes("the key is [key]"))).toBe(true);
    },
  );
});

describe("a cassette that does not fit", () => {
  const [kind] = KINDS;
  const play = (file: string) => {
    const { fetch, finish } = openCassette({ file, mode: "replay" });
    return { ask: (what: ModelRequest) => ask(specOf(kind, NOWHERE), { fetch, key: null }, what), finish };
  };

  test("says at which request, and what differs, both sides", async () => {
    const { file } = await recorded(kind);
    const { ask } = play(file);
    await ask(request("Mend it."));
    const error = await thrown(ask(request("Which door?")));
    expect(error).toMatchObject({
      code: "CASSETTE_MISMATCH",
      data: { request: 4, path: "body.messages[0].content[0].text" },
    });
    expect(error.message).toMatch(/request 4 is another one: .* was "Which key\?", and is "Which door\?"/);
  });

  test("says that there is no further request, and that some were never made", async () => {
    const { file } = await recorded(kind);
    const { ask, finish } = play(file);
    await ask(request("Mend it."));
    expect(finish).toThrow(/2 of its requests were not made, the first of them is 4/);
    await ask(request("Which key?"));
    await thrown(ask(request("And now?")));
    finish();
    expect((await thrown(ask(request("More?")))).message).toMatch(/it ends before request 6/);
  });

  test("whose recording was interrupted plays as far as it goes, and says where it ends, wherever that is", async () => {
    const { file } = await recorded(kind);
    const whole = readFileSync(file);
    const ended: string[] = [];
    for (let bytes = 30; bytes < whole.length; bytes += 97) {
      writeFileSync(file, whole.subarray(0, bytes));
      const { ask } = play(file);
      const error = await thrown(
        ask(request("Mend it."))
          .then(() => ask(request("Which key?")))
          .then(() => ask(request("And now?"))),
      );
      ended.push(error.code);
      if (error.code === "CASSETTE_BROKEN") expect(error.message).toMatch(/in the middle of request [1-5]/);
    }
    expect(new Set(ended)).toEqual(new Set(["CASSETTE_BROKEN", "CASSETTE_MISMATCH"]));
  });

  test("that cannot be read is told with its line", async () => {
    const { file } = await recorded(kind);
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, lines.with(2, "}").join("\n"));
    expect(() => openCassette({ file, mode: "replay" })).toThrow(/in line 3/);
  });
});

test("a recording goes on where one was interrupted, and what was asked twice is played once", async () => {
  const { url } = await server(() => ({ text: "Here it is." }));
  const file = join(scratch(), "tape.jsonl");
  const spec = specOf(KINDS[0], url);
  await ask(spec, { fetch: openCassette({ file, mode: "record" }).fetch, key: KEY }, request("Mend it."));
  const [head, asked] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${head}\n${asked}\n{"n":1,"answ`);
  await ask(spec, { fetch: openCassette({ file, mode: "record" }).fetch, key: KEY }, request("Mend it."));
  const { fetch, finish } = openCassette({ file, mode: "replay" });
  expect((await ask(spec, { fetch, key: null }, request("Mend it."))).answer.text).toBe("Here it is.");
  finish();
});

test("a part of an answer comes as it came, and a connection that was refused is refused again", async () => {
  const { url } = await server([{ text: "äöü 漢字", paceMs: 10 }]);
  const file = join(scratch(), "tape.jsonl");
  const record = openCassette({ file, mode: "record" });
  await ask(specOf(KINDS[0], url), { fetch: record.fetch, key: KEY }, request("Mend it."));
  const sizes = JSON.parse(readFileSync(file, "utf8").split("\n")[2]!).answered.sizes as number[];
  const gone = await startModelServer([]);
  await gone.close();
  await record.fetch(`${gone.url}/v1/messages`, { method: "POST", body: "{}" }).catch(() => {});
  const { fetch } = openCassette({ file, mode: "replay" });
  const asked = JSON.parse(readFileSync(file, "utf8").split("\n")[1]!).asked;
  const response = await fetch(`http://x${asked.path}`, { method: "POST", body: JSON.stringify(asked.body) });
  const parts: number[] = [];
  for await (const part of response.body!) parts.push(part.length);
  expect(parts).toEqual(sizes);
  expect(parts.length).toBeGreaterThan(5);
  await expect(fetch("http://x/v1/messages", { method: "POST", body: "{}" })).rejects.toMatchObject({
    cause: { code: "ECONNREFUSED" },
  });
});
