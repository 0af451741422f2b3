import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { signatureOf } from "../../src/adapters/channels/signature.ts";
import { openReader } from "../../src/adapters/store/index.ts";
import { project, verdict } from "../support/project.ts";
import { webhookReceiver } from "../support/webhook-receiver.ts";

const SECRET = "of the test";
const MAP = `version: 1
phases:
  implement: {run: agent implementer, on_pass: review, on_fail: implement}
  review: {run: signal human-approval, on_pass: done, on_fail: implement}
`;

test("a processor killed while a notice is under way: the next one sends it again with its key; every notice is taken, and no other is sent twice", async () => {
  let running: ChildProcess | null = null;
  // the first notice arrives, and nobody ever hears that it did; later the receiver is busy once
  const receiver = await webhookReceiver((_, n) => {
    if (n === 1) running!.kill("SIGKILL");
    return n === 1 ? null : { status: n === 3 ? 503 : 200 };
  });
  onTestFinished(receiver.close);
  const channel = "{webhook: {url_env: HOOK_URL, secret_env: HOOK_SECRET, events: [waiting]}}";
  const { repo, state } = project({
    config: `agents: {implementer: {command: agents/work.sh}}\nchannels: [console, ${channel}]\n`,
    tasks: { "task-1": "One.", "task-2": "Two." },
    files: { "agents/work.sh": verdict("BLOCKED", "no way"), "phase-maps/default.yaml": MAP },
    origin: false,
  });
  const run = async () => {
    const env = { ...process.env, HOOK_URL: receiver.url, HOOK_SECRET: SECRET };
    running = spawn(process.execPath, [join(process.cwd(), "dist/cli.mjs"), "run", "--until-idle", "--no-live"], {
      cwd: repo,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void running?.kill("SIGKILL"));
    return (await once(running, "exit")) as [number | null, string | null];
  };
  expect(await run()).toEqual([null, "SIGKILL"]);
  expect(await run()).toEqual([5, null]);

  const reader = await openReader(join(state, "store.db"));
  const ticks = await reader.ticks(0, 10_000);
  await reader.close();
  const notices = ticks
    .flatMap(({ facts }) => facts)
    .flatMap((fact) => (fact.kind === "effect-intended" && fact.intent.kind === "notify" ? [fact.intent] : []));
  const wanted = notices.filter(({ event }) => event === "waiting").map(({ key }) => key);
  expect(wanted).toHaveLength(2);
  expect([...receiver.taken]).toEqual(expect.arrayContaining(wanted.map((key) => [key, 1])));
  expect(receiver.taken.size).toBe(wanted.length);
  const keys = receiver.received.map(({ headers }) => String(headers["idempotency-key"]));
  expect(keys.length).toBe(4); // lost, taken, refused for now, taken
  expect(keys.filter((key) => key === keys[0])).toHaveLength(2);
  for (const { headers, body } of receiver.received) {
    const [id, timestamp] = [String(headers["webhook-id"]), Number(headers["webhook-timestamp"])];
    expect(headers["webhook-signature"]).toBe(signatureOf({ id, timestamp, body, secret: SECRET }));
    expect(receiver.received.filter((one) => one.headers["webhook-id"] === id).every((one) => one.body === body)).toBe(
      true,
    );
  }
});
