import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import type { PawlError } from "../../src/domain/errors.ts";
import type { Model, ModelAnswer, ModelNews, ModelRequest, ToolSpec, Turn } from "../../src/ports/model.ts";
import type { Answer, Asked, Script } from "../support/model-server/script.ts";
import type { Logged } from "../support/model-server/server.ts";
import type { PushedClock } from "../support/pushed-clock.ts";

/** A model whose provider says what a script says, with the key that it is asked by. */
export interface ModelWorld {
  readonly model: Model;
  readonly clock: PushedClock;
  readonly key: string;
  /** what the provider was sent */
  readonly log: readonly Logged[];
  /** answers from now on by another script */
  script(script: Script): void;
}

export interface ModelKind {
  readonly label: string;
  readonly streams: boolean;
  /** the provider signs thoughts, and wants them back */
  readonly signs: boolean;
  /** what a call's arguments look like is the model's, not the provider's */
  readonly rawArgs: boolean;
  open(script: Script): Promise<ModelWorld>;
}

const READ: ToolSpec = {
  name: "read_file",
  description: "Reads a file.",
  input: {
    type: "object",
    properties: { path: { type: "string" }, lines: { type: "array", items: { type: "integer" } } },
    required: ["path"],
  },
};
const LIST: ToolSpec = { name: "list", description: "Lists what is there.", input: { type: "object", properties: {} } };

export const request = (turns: readonly Turn[] | string, over: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "You mend things.",
  turns: typeof turns === "string" ? [{ role: "user", text: turns }] : turns,
  tools: [READ, LIST],
  choice: "auto",
  maxOutput: 1_000,
  temperature: null,
  ...over,
});

/** A PNG of one grey pixel, as base64. */
function pixel(grey: number): string {
  const png = new PNG({ width: 1, height: 1 });
  png.data.fill(grey);
  return PNG.sync.write(png).toString("base64");
}

/** An answer as the turn that it is from then on, through JSON as every turn goes. */
const turnOf = ({ text, calls, opaque }: ModelAnswer): Turn =>
  JSON.parse(JSON.stringify({ role: "assistant", text, calls, ...(opaque === undefined ? {} : { opaque }) }));
const resultsOf = ({ calls }: ModelAnswer, text = "done"): Turn => ({
  role: "results",
  results: calls.map(({ id, name }, i) => ({ id, name, text: `${text} ${i + 1}`, failed: i > 0 })),
});
const never = new AbortController().signal;
const thrown = (promise: Promise<unknown>): Promise<PawlError> =>
  promise.then(
    () => expect.unreachable("it gave an answer"),
    (error: PawlError) => error,
  );

/** Asks, and lets time pass wherever it waits. */
async function askThrough(
  { model, clock }: ModelWorld,
  what: ModelRequest,
): Promise<{ answer: ModelAnswer; news: readonly ModelNews[] }> {
  const news: ModelNews[] = [];
  const answer = await model.ask(what, {
    signal: never,
    news: (one) => {
      news.push(one);
      if (one.kind === "waiting") clock.push(one.until - clock.read().wall);
    },
  });
  return { answer, news };
}

const WAITED = { kind: "waiting", until: expect.any(Number), why: expect.any(String) };
const GOOD: Answer = { text: "Here it is." };

/** What every model does, whatever the wire. */
export function modelContract(kind: ModelKind): void {
  describe(`model: ${kind.label}`, () => {
    const asks = async (script: Script, what = request("Mend it.")) => {
      const world = await kind.open(script);
      return { world, ...(await askThrough(world, what)) };
    };

    it("gives the text, how it stopped, what it used and what that cost", async () => {
      const usage = { input: 1_000, output: 200, cached: 600 };
      const { answer, news } = await asks([{ text: "Here it is, whole: äöü 漢字 🙂.", usage }]);
      expect(answer).toMatchObject({ text: "Here it is, whole: äöü 漢字 🙂.", calls: [], stop: "end" });
      expect(answer.usage).toEqual({ ...usage, written: 0 });
      // 400 at 3, 600 at 0.3, 200 at 15 millionths: the price that every model of this suite has.
      expect(answer.microUsd).toBe(4_380);
      const told = news.map((one) => (one.kind === "text" ? one.text : "")).join("");
      expect(told).toBe(kind.streams ? answer.text : "");
      expect(news.length).toBe(kind.streams ? news.length : 0);
    });

    it("says who it is", async () => {
      const { model } = await kind.open([]);
      expect(model.id).toMatch(/^[a-z-]+\/.+/);
      expect([model.name, model.hasTools, model.context]).toEqual(["main", true, 200_000]);
    });

    it("sends system text, turns, tools, limits and choice, and all of them arrive", async () => {
      const seen: Asked[] = [];
      const script = (asked: Asked) => {
        seen.push(asked);
        return GOOD;
      };
      await asks(script, request("Mend it.", { choice: "any", temperature: 0.5, maxOutput: 77 }));
      expect(seen[0]).toMatchObject({
        system: "You mend things.",
        turns: [{ role: "user", text: "Mend it." }],
        choice: "any",
        maxOutput: 77,
        temperature: 0.5,
        stream: kind.streams,
      });
      expect(seen[0]!.tools.map(({ name, description }) => [name, description])).toEqual([
        ["read_file", "Reads a file."],
        ["list", "Lists what is there."],
      ]);
    });

    it("gives calls with their arguments, each with an id of its own, and takes their results back", async () => {
      const calls = [
        { name: "read_file", args: { path: "src/ä.ts", lines: [1, 2] } },
        { name: "read_file", args: { path: "b.ts" } },
        { name: "list" },
      ];
      const seen: Asked[] = [];
      const script = (asked: Asked): Answer => {
        seen.push(asked);
        return asked.n === 1 ? { text: "I look.", calls } : GOOD;
      };
      const { world, answer } = await asks(script);
      expect(answer).toMatchObject({ text: "I look.", stop: "calls" });
      expect(answer.calls.map(({ name, args }) => [name, args])).toEqual(
        calls.map(({ name, args }) => [name, { json: args ?? {} }]),
      );
      expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(3);
      const user: Turn = { role: "user", text: "Mend it." };
      await askThrough(world, request([user, turnOf(answer), resultsOf(answer), { role: "user", text: "Go on." }]));
      const [, said, results, more] = seen[1]!.turns;
      expect(said).toMatchObject({ role: "assistant", text: "I look." });
      expect(said?.role === "assistant" && said.calls.map(({ args }) => args)).toEqual(
        calls.map(({ args }) => args ?? {}),
      );
      expect(results).toMatchObject({ role: "results" });
      expect(results?.role === "results" && results.results.map(({ text }) => text)).toEqual([
        "done 1",
        "done 2",
        "done 3",
      ]);
      expect(more).toEqual({ role: "user", text: "Go on." });
    });

    it("shows pictures behind the words of their turn, whole", async () => {
      const seen: Asked[] = [];
      const pictures = [pixel(0), pixel(255)].map((base64) => ({ mediaType: "image/png" as const, base64 }));
      const { answer } = await asks(
        (asked) => {
          seen.push(asked);
          return GOOD;
        },
        request([
          { role: "user", text: "Before.", pictures: pictures.slice(0, 1) },
          { role: "user", text: "After.", pictures: pictures.slice(1) },
        ]),
      );
      expect(answer.text).toBe(GOOD.text);
      const shown = seen[0]!.turns.flatMap((turn) => (turn.role === "user" ? (turn.pictures ?? []) : []));
      expect(shown.map(({ width, height, bytes }) => [width, height, Buffer.from(bytes).toString("base64")])).toEqual(
        pictures.map(({ base64 }) => [1, 1, base64]),
      );
      expect(seen[0]!.turns.map((turn) => turn.role === "user" && turn.text)).toEqual(["Before.\n\nAfter."]);
    });

    it("what was said before is a prefix of what is said next, so that it is found in the provider's cache", async () => {
      const { world, answer } = await asks((asked) =>
        asked.n === 1 ? { calls: [{ name: "list" }], thought: "So." } : GOOD,
      );
      await askThrough(world, request([{ role: "user", text: "Mend it." }, turnOf(answer), resultsOf(answer)]));
      const [first, second] = world.log.map(({ body }) => prefixOf(body as Record<string, unknown>));
      expect(second!.head).toBe(first!.head);
      expect(second!.turns.slice(0, first!.turns.length)).toEqual(first!.turns);
      expect(second!.turns.length).toBeGreaterThan(first!.turns.length);
    });

    if (kind.rawArgs && kind.streams)
      it("keeps arguments that are no JSON as the text that they are, and sends them back as such", async () => {
        const rawArgs = '{"path": "src/a.ts", "lines": [1, 2';
        const seen: Asked[] = [];
        const { world, answer } = await asks((asked) => {
          seen.push(asked);
          return asked.n === 1 ? { calls: [{ name: "read_file", rawArgs }, { name: "list" }] } : GOOD;
        });
        expect(answer.calls.map(({ args }) => args)).toEqual([{ text: rawArgs }, { json: {} }]);
        await askThrough(world, request([{ role: "user", text: "Mend it." }, turnOf(answer), resultsOf(answer)]));
        expect(seen[1]!.turns[1]).toMatchObject({ calls: [{ args: { invalid_arguments: rawArgs } }, { args: {} }] });
      });

    it("gives a call of a tool that is not there, and takes it back, whatever its name", async () => {
      const { world, answer } = await asks((asked) =>
        asked.n === 1 ? { calls: [{ name: "rm -rf (please)", args: { a: 1 } }] } : GOOD,
      );
      expect(answer.calls[0]).toMatchObject({ name: "rm -rf (please)", args: { json: { a: 1 } } });
      const next = await askThrough(
        world,
        request([{ role: "user", text: "Mend it." }, turnOf(answer), resultsOf(answer)]),
      );
      expect(next.answer.text).toBe(GOOD.text);
    });

    it("takes turns with nothing in them", async () => {
      const empty: Turn[] = [
        { role: "user", text: " " },
        { role: "assistant", text: "\n", calls: [] },
        { role: "user", text: "a" },
        { role: "user", text: "b" },
        { role: "assistant", text: "", calls: [{ id: "functions.list:0", name: "list", args: { text: "" } }] },
        { role: "results", results: [{ id: "functions.list:0", name: "list", text: "", failed: true }] },
      ];
      expect((await asks([GOOD], request(empty))).answer.text).toBe(GOOD.text);
    });

    if (kind.signs)
      it("gives signed thoughts back to the provider as they were, and to no other model", async () => {
        const seen: Asked[] = [];
        const script = (asked: Asked): Answer => {
          seen.push(asked);
          return asked.n === 1
            ? { thought: "First I look, then äöü.", text: "I look.", calls: [{ name: "list" }] }
            : GOOD;
        };
        const { world, answer } = await asks(script);
        expect(answer.text).toBe("I look.");
        const turn = turnOf(answer);
        const history = (one: Turn) => request([{ role: "user", text: "Mend it." }, one, resultsOf(answer)]);
        await askThrough(world, history(turn));
        expect(seen[1]!.turns[1]).toMatchObject({ thoughts: ["First I look, then äöü."], text: "I look." });
        const edited = { ...turn, text: "Something else." } as Turn;
        await askThrough(world, history(edited));
        expect(seen[2]!.turns[1]).toMatchObject({ thoughts: [], text: "Something else." });
      });

    it.each([
      ["a limit of tokens", "length"],
      ["the provider's filter", "refused"],
    ] as const)("says that it was stopped by %s", async (_, stop) => {
      const { answer } = await asks([{ text: "Half of", stop }]);
      expect(answer).toMatchObject({ text: "Half of", stop });
    });

    const passing: readonly (readonly [
      string,
      Script extends infer S ? Extract<S, readonly unknown[]>[number] : never,
    ])[] = [
      ["500", { fail: 500 }],
      ["502 with a proxy's page", { html: 502 }],
      ["a proxy's page that says that all is well", { html: 200 }],
      ["503", { fail: 503 }],
      ["529", { fail: 529 }],
      ["408", { fail: 408 }],
      ["429 without a time", { fail: 429 }],
      ["429 with retry-after", { fail: 429, headers: { "retry-after": "7" } }],
      ["nothing at all, and the connection cut", { text: "x".repeat(100), cutAfter: 0 }],
      ["a connection cut in its first bytes", { text: "x".repeat(100), cutAfter: 20 }],
      ["a connection cut in the middle", { text: "x".repeat(100), cutAfter: 300 }],
      ["an error that is no JSON", { fail: 500, body: "upstream connect error" }],
      ["an answer that is no JSON", { fail: 200, body: "{" }],
    ];
    it.each(passing)("asks again after %s, and says until when it waits", async (_, bad) => {
      const { world, answer, news } = await asks([bad, GOOD]);
      expect(answer.text).toBe(GOOD.text);
      expect(world.log).toHaveLength(2);
      expect(news.filter(({ kind }) => kind === "waiting")).toEqual([WAITED]);
    });

    if (kind.streams)
      it("never takes a stream that was cut for an answer, wherever it was cut", async () => {
        const whole: Answer = { text: "Two words.", calls: [{ name: "read_file", args: { path: "a" } }] };
        const world = await kind.open([]);
        const answered: ModelAnswer[] = [];
        for (let cut = 150; cut < 3_000; cut += 211) {
          const before = world.log.length;
          // Torn, or ended as if it were whole, as a proxy does with what was torn behind it.
          for (const how of [{ cutAfter: cut }, { endAfter: cut }]) {
            world.script([{ ...whole, ...how }, whole]);
            answered.push((await askThrough(world, request("Mend it."))).answer);
          }
          if (world.log.length < before + 4) break;
        }
        expect(answered.length).toBeGreaterThan(3);
        for (const one of answered)
          expect([one.text, one.calls[0]?.args]).toEqual(["Two words.", { json: { path: "a" } }]);
      });

    if (kind.streams)
      it.each(["overloaded", "limit"] as const)(
        "asks again when the stream says that it failed (%s)",
        async (failInside) => {
          const { answer, news } = await asks([{ text: "x".repeat(30), failInside }, GOOD]);
          expect(answer.text).toBe(GOOD.text);
          expect(news.filter(({ kind }) => kind === "waiting")).toEqual([WAITED]);
        },
      );

    if (kind.streams)
      it("reads a stream that comes in pieces of a few bytes", async () => {
        const { answer } = await asks([
          { text: "äöü 漢字 🙂", calls: [{ name: "read_file", args: { path: "ä" } }], oddBytes: true, step: 1 },
        ]);
        expect([answer.text, answer.calls[0]?.args]).toEqual(["äöü 漢字 🙂", { json: { path: "ä" } }]);
      });

    it("waits as long as the provider says, and no longer", async () => {
      const { world, news } = await asks([{ fail: 429, headers: { "retry-after-ms": "2500" } }, GOOD]);
      expect(news.filter(({ kind }) => kind === "waiting")).toHaveLength(1);
      expect(world.clock.read().mono).toBe(2_500);
    });

    it("does not begin a wait that would be too long, and says until when it is", async () => {
      const world = await kind.open([{ fail: 429, headers: { "retry-after": "3600" } }]);
      const error = await thrown(askThrough(world, request("Mend it.")));
      expect(error).toMatchObject({
        code: "MODEL_RATE_LIMITED",
        retryable: true,
        data: { until: world.clock.read().wall + 3_600_000 },
      });
      expect(error.next).toBeTruthy();
      expect(world.log).toHaveLength(1);
    });

    it("gives up after some tries", async () => {
      const world = await kind.open(() => ({ fail: 500, message: "ill" }));
      const error = await thrown(askThrough(world, request("Mend it.")));
      expect(error).toMatchObject({ code: "MODEL_DOWN", retryable: true });
      expect(error.message).toMatch(/main.*500 \(ill\); asked 4 times/);
      expect(world.log).toHaveLength(4);
    });

    it.each([
      ["in the middle of an answer", kind.streams ? 3_000 : 200],
      ["before it begins", 0],
    ])("asks again when nothing is heard for too long %s", async (_, stallAfter) => {
      const world = await kind.open([{ text: "A long text. ".repeat(80), stallAfter }, GOOD]);
      const said: ModelNews[] = [];
      const answer = world.model.ask(request("Mend it."), {
        signal: never,
        news: (one) => {
          said.push(one);
          if (one.kind === "waiting") world.clock.push(one.until - world.clock.read().wall);
        },
      });
      await until(() => (kind.streams && stallAfter > 0 ? said.length > 0 : world.log[0]?.status === 200));
      await pushUntil(world, () => said.some((one) => one.kind === "waiting" && /said nothing for/.test(one.why)));
      expect((await answer).text).toBe(GOOD.text);
    });

    const final: readonly (readonly [string, { fail: number; message?: string; type?: string }, string])[] = [
      ["the key is wrong", { fail: 401 }, "MODEL_KEY_REFUSED"],
      ["the key may not", { fail: 403 }, "MODEL_KEY_REFUSED"],
      [
        "there is no credit left",
        { fail: 429, message: "You exceeded your current quota", type: "insufficient_quota" },
        "MODEL_KEY_REFUSED",
      ],
      ["the model is not there", { fail: 404 }, "MODEL_UNKNOWN"],
      ["it does not take the request", { fail: 400, message: "temperature: out of range" }, "MODEL_REFUSED"],
      [
        "the request is too long",
        { fail: 400, message: "prompt is too long: 300000 tokens > 200000 maximum" },
        "MODEL_TOO_LONG",
      ],
    ];
    it.each(final)("does not ask again when %s", async (_, bad, code) => {
      const world = await kind.open([bad]);
      const error = await thrown(askThrough(world, request("Mend it.")));
      expect([error.code, error.retryable, world.log.length]).toEqual([code, false, 1]);
      expect(error.next).toBeTruthy();
      if (bad.message) expect(error.message).toContain(bad.message);
    });

    it("never says the key, not even where the provider says it", async () => {
      const bad = [
        { fail: 401, echoKey: true },
        { fail: 400, echoKey: true },
      ];
      for (const one of bad) {
        const { key, ...world } = await kind.open([one]);
        const error = await thrown(askThrough({ key, ...world }, request("Mend it.")));
        expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)} ${error.next}`).not.toContain(key);
        expect(error.message).toContain("[key]");
      }
      const { answer, news, world } = await asks([
        { fail: 500, echoKey: true },
        { echoKey: true, step: 3 },
      ]);
      expect(answer.text).toBe("the key is [key], as you know");
      const told = news.map((one) => (one.kind === "text" ? one.text : one.why)).join("");
      expect(told).not.toContain(world.key);
      expect(told).toContain("[key]");
    });

    it("ends at once, with the signal's reason, when it is told to in the middle of an answer", async () => {
      const { model, log } = await kind.open([{ text: "x".repeat(500), stallAfter: 700 }]);
      const stop = new AbortController();
      const asked = model.ask(request("Mend it."), {
        signal: stop.signal,
        news: () => stop.abort(new Error("enough")),
      });
      await until(() => log[0]?.status === 200);
      stop.abort(new Error("enough"));
      await expect(asked).rejects.toThrow("enough");
    });

    it("ends at once when it is told to while it waits, and when it was told to before", async () => {
      const world = await kind.open([{ fail: 429, headers: { "retry-after": "30" } }]);
      const stop = new AbortController();
      const asked = world.model.ask(request("Mend it."), {
        signal: stop.signal,
        news: () => queueMicrotask(() => stop.abort(new Error("enough"))),
      });
      await expect(asked).rejects.toThrow("enough");
      await expect(
        world.model.ask(request("Mend it."), { signal: AbortSignal.abort(new Error("no")) }),
      ).rejects.toThrow("no");
      expect(world.log).toHaveLength(1);
      expect(world.clock.read().mono).toBe(0);
    });
  });
}

/** What comes before the turns, and the turns, without the marks that say up to where is cached. */
function prefixOf(body: Record<string, unknown>): { head: string; turns: readonly string[] } {
  const { messages, input, contents, ...head } = body;
  const turns = (messages ?? input ?? contents) as readonly unknown[];
  const plain = (value: unknown) => JSON.stringify(value, (key, one) => (key === "cache_control" ? undefined : one));
  return { head: plain(head), turns: turns.map(plain) };
}

/** Waits for a fact, not for a time. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
async function pushUntil({ clock }: ModelWorld, holds: () => boolean): Promise<void> {
  while (!holds()) {
    clock.push(1_000);
    await new Promise(setImmediate);
  }
}
