import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LegKey } from "../../src/domain/names.ts";
import type { OutputFormat } from "../../src/protocol/output-format.ts";
import { endsOf, house, permit, until, type Wanted } from "../support/host.ts";
import { git } from "../support/scratch.ts";

/** A program of Node that works and says what it did in JSON, a line for each thing. */
const node = (script: string): readonly string[] => [
  process.execPath,
  "-e",
  `const fs = require("node:fs"); const say = (o) => console.log(JSON.stringify(o)); ${script}`,
];
const WORK = 'fs.writeFileSync("src/b.txt", "b\\n");';
const RESULT: OutputFormat = {
  format: "json-lines",
  message: { when: { type: "result" }, at: ["text"] },
  tokens: { at: ["usage.in", "usage.out"], each: true },
  costUsd: { when: { type: "result" }, at: ["cost"] },
  error: { when: { type: "error" }, at: ["message"] },
  verdict: { PASS: { when: { ok: "true" } }, FAIL: { when: { ok: "false" } } },
};
const json = (script: string, more: Wanted["program"] = {}): Wanted => ({
  program: { command: node(script), verdict: "output", output: RESULT, ...more },
});
const text = (script: string, output: OutputFormat, more: Wanted["program"] = {}): Wanted => ({
  program: { command: script, output, ...more },
});
const SAYS: OutputFormat = { format: "text", message: { match: "^agent: (.*)" }, error: { match: "^error: (.*)" } };
const failing = (message: string) =>
  json(`say({ type: "error", message: ${JSON.stringify(message)} }); process.exit(1);`);

const { home, end } = endsOf({
  json: json(`${WORK} say({ usage: { in: 10, out: 2 } }); console.error("{ noise"); process.stdout.write("... ");
    console.log(); say({ usage: { in: 20, out: 3 } }); say({ type: "result", ok: true, text: "added b", cost: 0.25 });`),
  no: json('say({ type: "result", ok: false, text: "cannot be done so" });'),
  mute: json(WORK),
  broken: json(`${WORK} say({ type: "result", ok: true, text: "done" }); process.exit(3);`),
  half: json(`${WORK} process.stdout.write(JSON.stringify({ type: "result", ok: true, text: "no line end" }));`),
  idle: json('say({ type: "result", ok: true, text: "nothing to do" });'),
  limit: failing("429 Too Many Requests, retry after 90s"),
  login: failing("Not logged in: please log in"),
  spent: failing("insufficient_quota: check your plan and billing"),
  full: failing("prompt is too long: 210000 tokens > 200000 maximum"),
  refuses: failing("blocked by the content policy"),
  odd: failing("something nobody knows"),
  retried: json(
    `${WORK} say({ type: "error", message: "429, again" }); say({ type: "result", ok: true, text: "done" });`,
  ),
  stdin: text('cat > src/prompt.txt; echo "agent: read it"', SAYS, { prompt: "stdin", verdict: "exit_code" }),
  file: text(
    `cp "$PAWL_PROMPT" src/prompt.txt; printf '{"verdict":"PASS","detail":"by file"}' > "$PAWL_RUN_DIR/verdict.json"; echo "error: 429"; exit 1`,
    SAYS,
  ),
  lastly: text('echo b > src/b.txt; echo "agent: PASS all of it"; echo "bye"', SAYS, { verdict: "last_line" }),
  blocked: text('echo "agent: BLOCKED: two sentences disagree"; echo bye', SAYS, { verdict: "last_line" }),
  exits: text('echo "agent: I gave up"; exit 4', SAYS, { verdict: "exit_code" }),
  limited: text('echo "error: rate limit, try again in 2m"; exit 1', SAYS, { verdict: "exit_code" }),
});

describe("a command-line agent whose output has a declared format", () => {
  it("ends by its rule, with its message; its usage is added up, and noise between the lines is none", () => {
    expect(end("json")).toMatchObject({
      how: "verdict",
      verdict: "PASS",
      detail: "added b",
      change: { commits: 1, files: 1 },
      usageKnown: true,
      usage: { microUsd: 250_000, tokens: 35, spawns: 1 },
    });
    expect(end("half")).toMatchObject({ verdict: "PASS", detail: "no line end" });
    expect(end("no")).toMatchObject({ verdict: "FAIL", detail: "cannot be done so" });
  });

  it("passes only with an exit of 0, and with something done", () => {
    expect(end("broken")).toMatchObject({ verdict: "FAIL", detail: expect.stringContaining("ended with exit 3") });
    expect(end("idle")).toMatchObject({ verdict: "FAIL", detail: expect.stringContaining("nothing changed") });
  });

  it("that says nothing of its rule has ended without a verdict", () => {
    expect(end("mute")).toMatchObject({
      how: "no-verdict",
      detail: expect.stringContaining("without writing verdict"),
    });
  });

  it.each([
    ["limit", { how: "rate-limited", cause: "rate-limit", until: expect.any(Number) }],
    ["limited", { how: "rate-limited", cause: "rate-limit", until: expect.any(Number) }],
    ["login", { how: "auth", cause: "auth" }],
    ["spent", { how: "auth", cause: "quota" }],
    ["full", { how: "verdict", verdict: "FAIL", cause: "context-full" }],
    ["refuses", { how: "verdict", verdict: "BLOCKED", cause: "model-refused" }],
    ["odd", { how: "no-verdict", detail: expect.stringContaining("it says: something nobody knows") }],
  ])("is told apart by its error: %s", (name, wanted) => {
    expect(end(name)).toMatchObject(wanted);
  });

  it("that went on by itself after an error has passed", () => {
    expect(end("retried")).toMatchObject({ verdict: "PASS", detail: "done" });
  });

  it("gets its prompt on stdin or as a file, and may say its verdict by exit code, by file or in its last line", () => {
    const prompt = (task: string) => git(home().repo, "show", `pawl/${task}:src/prompt.txt`);
    expect(end("stdin")).toMatchObject({ verdict: "PASS", detail: "read it" });
    expect(end("file")).toMatchObject({ verdict: "PASS", detail: "by file" });
    expect([prompt("stdin"), prompt("file")]).toEqual(["Do stdin.", "Do file."]);
    expect(end("lastly")).toMatchObject({ verdict: "PASS", detail: "all of it" });
    expect(end("blocked")).toMatchObject({ verdict: "BLOCKED", detail: "two sentences disagree" });
    expect(end("exits")).toMatchObject({ verdict: "FAIL", detail: "exit 4\nI gave up" });
  });
});

it("what it says that it spends counts while it works: over its budget it is seen so, and a later leg adds to it", async () => {
  const { order, runtime, parts } = await house();
  const wait = "const wait = setInterval(() => fs.existsSync(process.env.GO) && clearInterval(wait), 20);";
  const spends = {
    ...json(`say({ usage: { in: 900, out: 100 } }); ${wait}`),
    reserve: { microUsd: 0, tokens: 500, wallMs: 0, spawns: 1 },
  };
  const { wish, brief } = order(spends);
  const leg = wish.leg as LegKey;
  await runtime.spawn({ wish, brief }, permit());
  const seen = async () => (await runtime.look([leg], permit())).get(leg);
  await until(async () => ((await seen()) as { overBudget?: boolean })?.overBudget === true, "it is over its budget");
  await runtime.stop(leg, "budget", permit());
  expect(await runtime.reap(leg, permit())).toMatchObject({ how: "stopped", usage: { tokens: 1_000 } });
  const again = order({
    ...json('say({ usage: { in: 7, out: 0 } }); say({ ok: false, type: "result", text: "no" });'),
    n: 2,
  });
  await runtime.spawn(again, permit());
  const second = again.wish.leg as LegKey;
  await until(async () => (await runtime.look([second], permit())).get(second)?.kind === "ended", "it has ended");
  expect(await runtime.reap(second, permit())).toMatchObject({ verdict: "FAIL", usage: { tokens: 1_007 } });
  expect(readFileSync(join(parts.state, "runs/task-1/01-implement-a1/usage.json"), "utf8")).toContain("1007");
});
