import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type Android, startAndroid } from "../support/android/android.ts";
import { commandLine } from "../support/command-line.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { suiteNeeding } from "../support/needs.ts";
import { project, runFile, start } from "../support/project.ts";
import { scratch } from "../support/scratch.ts";
import { webhookReceiver } from "../support/webhook-receiver.ts";
import { adbHere } from "./support/adb-here.ts";

const RUN = "01-look-a1";
const ASK = '{"action": "ask_user", "question": "Which of the two?"}';
const FINISH = '{"action": "FINISH", "reason": "bought"}';

suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "a worker on a phone that asks", () => {
  let android: Android;
  let server: ModelServer;
  beforeAll(async () => {
    android = await startAndroid();
    server = await startModelServer(() => ({ text: FINISH }), { keys: null });
  });
  afterAll(async () => {
    await android?.close();
    await server?.close();
    delete process.env.ANDROID_ADB_SERVER_PORT;
    delete process.env.XDG_STATE_HOME;
  });
  beforeEach(() => {
    process.env.ANDROID_ADB_SERVER_PORT = String(android.port);
    process.env.XDG_STATE_HOME = scratch();
    android.phone.reset();
  });

  const placed = (more: { askTimeout: string; channels?: string }) =>
    project({
      config: `agents: {phone: {device: {target: "${android.target}", model: eyes, step_delay: 0.1s, ask_timeout: ${more.askTimeout}}}}
models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}
phases: {version: 1, phases: {look: {run: agent phone, on_pass: done, on_fail: look}}}
${more.channels ?? ""}`,
      tasks: { "task-1": "---\ntitle: buy a kettle\nenvironment: device\n---\n" },
      origin: false,
    });
  const trajectory = (state: string) => JSON.parse(runFile(state, "task-1", RUN, "device/trajectory.json"));

  test("DEV-4.2 what it asks while nobody lives who could tell it is told by the next processor; one that is killed at it tells nobody twice, by webhook too", async () => {
    let running: ChildProcess | null = null;
    // the first one arrives, and nobody ever hears that it did
    const receiver = await webhookReceiver((_, n) => {
      if (n === 1) running!.kill("SIGKILL");
      return n === 1 ? null : { status: 200 };
    });
    onTestFinished(receiver.close);
    const { repo, state } = placed({
      askTimeout: "5m",
      channels: "channels: [{webhook: {url_env: HOOK_URL, events: [waiting]}}]\n",
    });
    const pawlRun = () => {
      const child = spawn(process.execPath, [join(process.cwd(), "dist/cli.mjs"), "run", "--no-live"], {
        cwd: repo,
        env: { ...process.env, HOOK_URL: receiver.url },
        stdio: "ignore",
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      running = child;
      return once(child, "exit") as Promise<[number | null, string | null]>;
    };
    let askedModel = (): void => {};
    let letAnswer = (): void => {};
    const thinks = new Promise<void>((resolve) => {
      askedModel = resolve;
    });
    const answers = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    let n = 0;
    server.script(async () => {
      if (++n > 1) return { text: FINISH };
      askedModel();
      await answers;
      return { text: ASK };
    });

    const first = pawlRun();
    await thinks;
    running!.kill("SIGKILL");
    await first;
    letAnswer();
    const question = join(state, "runs/task-1", RUN, "device/question.json");
    await expect.poll(() => existsSync(question), { timeout: 20_000 }).toBe(true);
    expect(receiver.received).toHaveLength(0);

    expect(await pawlRun()).toEqual([null, "SIGKILL"]);
    const third = pawlRun();
    await expect.poll(() => receiver.taken.size, { timeout: 20_000 }).toBe(1);
    expect((await commandLine(repo, ["answer", "task-1", "the", "cheaper", "one"])).code).toBe(0);
    expect(await third).toEqual([0, null]);

    const keys = receiver.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      task: "task-1",
      event: "waiting",
      text: 'asks: Which of the two?: pawl answer task-1 "…"',
    });
    expect([...receiver.taken.values()]).toEqual([1]);
    expect(trajectory(state).steps[0].result.user_response).toMatchObject({ answer: "the cheaper one" });
  }, 120_000);

  test("DEV-4.3 a question whose time runs out is no longer asked, and the model is told; the next one has a number of its own, and is told too", async () => {
    const { repo, state } = placed({ askTimeout: "5s" });
    const lines = [ASK, '{"action": "ask_user", "question": "The red one?"}', FINISH];
    server.script(() => ({ text: lines.shift() ?? FINISH }));
    const run = await start(repo);
    void run.run();
    const first = await run.fact("worker-asked", "task-1");
    const second = await run.fact("worker-asked", "task-1", ({ question }) => question?.text === "The red one?");
    expect([first.question?.number, second.question?.number]).toEqual([1, 2]);
    expect((await commandLine(repo, ["answer", "task-1", "yes"])).out).toContain("(it asked: The red one?)");
    await run.fact("task-completed", "task-1");
    expect(
      trajectory(state).steps.map(({ result }: { result: { user_response?: unknown } }) => result.user_response),
    ).toEqual([
      { question: "Which of the two?", answer: null, timed_out: true },
      { question: "The red one?", answer: "yes", timed_out: false },
      undefined,
    ]);
    const bodies = server.log.slice(-3).map(({ body }) => JSON.stringify(body));
    expect(bodies[1]).toContain("There is no answer in time");
    const told = () => run.said.filter((line) => line.includes("asks:"));
    await expect
      .poll(told)
      .toEqual([expect.stringContaining("Which of the two?"), expect.stringContaining("The red one?")]);
    const late = await commandLine(repo, ["answer", "task-1", "the other"]);
    expect([late.code, late.err]).toEqual([1, expect.stringContaining("task-1 asks nothing now")]);
  }, 120_000);
});
