import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lockPhone } from "../../src/app/device/phone-lock.ts";
import { mcpTools } from "../../src/app/mcp-tools.ts";
import type { Fact } from "../../src/domain/fact.ts";
import type { TaskId } from "../../src/domain/names.ts";
import { type Android, startAndroid } from "../support/android/android.ts";
import { commandLine } from "../support/command-line.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { suiteNeeding } from "../support/needs.ts";
import { ask, project, runFile, start } from "../support/project.ts";
import { scratch } from "../support/scratch.ts";
import { adbHere } from "./support/adb-here.ts";
import { androidStage } from "./support/android-stage.ts";
import { drive } from "./support/drive.ts";
import { scriptedAgent } from "./support/scripted-agent.ts";

/** Who began and ended work on the phone, in order. */
const onPhone = (facts: readonly Fact[]): readonly string[] =>
  facts.flatMap((fact) =>
    (fact.kind === "worker-spawned" || fact.kind === "worker-ended") && fact.leg.includes("/1/")
      ? [`${fact.task} ${fact.kind === "worker-spawned" ? "begins" : "ends"}`]
      : [],
  );

/** What a person was told of questions. */
const told = (said: readonly string[]): readonly string[] => said.filter((line) => line.includes("asks:"));

suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "a phone beyond the screen", () => {
  let android: Android;
  let server: ModelServer;
  let lines: string[] = [];
  beforeAll(async () => {
    android = await startAndroid();
    server = await startModelServer(() => ({ text: lines.shift() ?? '{"action": "FINISH", "reason": "found it"}' }), {
      keys: null,
    });
  });
  afterAll(async () => {
    await android?.close();
    await server?.close();
    delete process.env.ANDROID_ADB_SERVER_PORT;
    delete process.env.XDG_STATE_HOME;
  });

  /** The phone as it is at first, for whoever looks for it in this process's environment. */
  function aim(): void {
    process.env.ANDROID_ADB_SERVER_PORT = String(android.port);
    process.env.XDG_STATE_HOME = scratch();
    android.phone.reset();
  }

  test("agents: {phone: {device: …}} is a worker: it fails a round with a finding, then passes, and the task is completed", async () => {
    aim();
    const config = `agents: {phone: {device: {target: "${android.target}", model: eyes, max_steps: 2, step_delay: 0.5s}}}
models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}
phases: {version: 1, phases: {look: {run: agent phone, on_pass: done, on_fail: look}}}
`;
    const { repo, state } = project({
      config,
      tasks: {
        "task-1":
          "---\ntitle: find a kettle\nenvironment: device\nacceptance_criteria: [a kettle shows]\n---\nIn the shop.\n",
      },
    });
    lines = ['{"action": "home"}', '{"action": "back"}', '{"action": "open", "app": "Shop"}'];
    const run = await start(repo);
    void run.run();
    const end = await run.fact("task-completed", "task-1", () => true, 60_000);
    const evidence = "done on the screen: found it (2 steps): runs/task-1/02-look-a1/device/trajectory.json";
    expect(end).toMatchObject({ evidence });
    expect(run.task("task-1")).toMatchObject({ round: 1, visit: 2 });
    const first = JSON.parse(readFileSync(join(state, "runs/task-1/01-look-a1/verdict.json"), "utf8"));
    expect(first).toMatchObject({
      verdict: "FAIL",
      findings: [{ key: "device-timeout", text: expect.stringContaining("max_steps reached (2 of 2)") }],
    });
    const folder = join(state, "runs/task-1/02-look-a1/device");
    const trajectory = JSON.parse(readFileSync(join(folder, "trajectory.json"), "utf8"));
    expect(trajectory).toMatchObject({ status: "success", reason: "found it", task_id: "task-1", total_steps: 2 });
    expect(trajectory.task_goal).toContain("It is done when:\n- a kettle shows");
    expect(trajectory.task_goal).toContain("What was wrong the last time:\n- max_steps reached");
    expect(existsSync(join(folder, trajectory.steps[0].screenshot))).toBe(true);
    expect(android.phone.front.label).toBe("Shop");
    const alone = `on the model's word alone: ${evidence}`;
    for (const look of ["why", "show"])
      expect((await commandLine(repo, [look, "task-1"])).out.replace(/\s+/g, " ")).toContain(alone);
  }, 120_000);

  test("6.13 environment: device goes through the usual phases: the screen's work is approved by a person, and nothing is merged", async () => {
    aim();
    const config = `agents:
  default: {command: "echo nobody is to work here; exit 1", verdict: exit_code}
  phone: {device: {target: "${android.target}", model: eyes, max_steps: 3, step_delay: 0.5s}}
models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}
checks: ["true"]
`;
    const matter = (title: string) => `---\ntitle: ${title}\nenvironment: device\n---\nIn the shop.\n`;
    const { repo, state } = project({ config, tasks: { "task-1": matter("one"), "task-2": matter("two") } });
    lines = ['{"action": "home"}'];
    const run = await start(repo);
    void run.run();
    const asks = (id: string) => run.processor.engine.board.find(id as TaskId)?.doing.kind === "asking";
    for (const id of ["task-1", "task-2"]) {
      await expect.poll(() => asks(id), { timeout: 40_000 }).toBe(true);
      await ask(run, id, { do: "approve", head: null, message: null });
    }
    const ends = [await run.fact("task-completed", "task-1"), await run.fact("task-completed", "task-2")];
    const shown = (id: string) => expect.stringContaining(`: runs/${id}/01-implement-a1/device/trajectory.json`);
    expect(ends).toMatchObject([{ evidence: shown("task-1") }, { evidence: shown("task-2") }]);
    expect(readFileSync(join(state, "runs/task-1/02-verify-a1/verdict.json"), "utf8")).toContain("PASS");
    expect(run.facts.filter(({ kind }) => kind === "pr-opened")).toEqual([]);
    expect(onPhone(run.facts)).toEqual(["task-1 begins", "task-1 ends", "task-2 begins", "task-2 ends"]);
  }, 120_000);

  test("a phone that somebody else's run has is waited for: no round, why says whose it is, and it goes on when it is free", async () => {
    const { repo } = whoAsks({ askTimeout: "1m" });
    lines = [];
    const phone = { serial: android.serial, host: "127.0.0.1", port: android.port };
    const by = { by: "ada at her desk", env: process.env, signal: new AbortController().signal };
    const free = await lockPhone(phone, by);
    const run = await start(repo);
    void run.run();
    const waits = await run.fact("task-waiting", "task-1");
    expect(waits.on).toMatchObject({ code: "provider-down", owner: "provider" });
    const why = (await commandLine(repo, ["why", "task-1"])).out.replace(/\s+/g, " ");
    expect(why).toContain(`${android.target} is in use: ada at her desk (pid ${process.pid}) works on it since 20`);
    expect(why).toContain("no round, no crash counted");
    expect([run.task("task-1").round, android.phone.lines]).toEqual([0, []]);
    free();
    await ask(run, "task-1", { do: "retry" });
    await run.fact("task-completed", "task-1");
    expect(run.task("task-1").round).toBe(0);
  }, 120_000);

  /** One task on the phone, whose model asks at once which of the two it is to buy. */
  function whoAsks({ askTimeout }: { askTimeout: string }): { readonly repo: string } {
    aim();
    lines = ['{"action": "ask_user", "question": "Which of the two?"}'];
    return project({
      config: `agents: {phone: {device: {target: "${android.target}", model: eyes, step_delay: 0.5s, ask_timeout: ${askTimeout}}}}
models: {eyes: {provider: openai-compatible, base_url: "${server.url}/v1", model: m, dialect: pawl}}
phases: {version: 1, phases: {look: {run: agent phone, on_pass: done, on_fail: look}}}
`,
      tasks: { "task-1": "---\ntitle: buy a kettle\nenvironment: device\n---\n" },
    });
  }

  test("DEV-4.2 a worker on a screen asks: the question stands in its progress, pawl answer answers it once", async () => {
    const { repo } = whoAsks({ askTimeout: "1m" });
    const run = await start(repo);
    void run.run();
    const why = async () => (await commandLine(repo, ["why", "task-1"])).out.replace(/\s+/g, " ");
    await expect
      .poll(why, { timeout: 20_000 })
      .toContain("asks: Which of the two? (pawl answer task-1 TEXT, within 60 s)");
    const answered = await commandLine(repo, ["answer", "task-1", "the", "cheaper", "one", "--as", "ada"]);
    expect([answered.code, answered.out]).toEqual([
      0,
      "task-1 is told: the cheaper one (it asked: Which of the two?)\n",
    ]);
    const again = await commandLine(repo, ["answer", "task-1", "the other one"]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("task-1 asks nothing now")]);
    await run.fact("task-completed", "task-1");
    const { steps } = JSON.parse(runFile(join(repo, ".pawl"), "task-1", "01-look-a1", "device/trajectory.json"));
    const said = { question: "Which of the two?", answer: "the cheaper one", timed_out: false };
    expect(steps[0].result.user_response).toEqual(said);
    expect(JSON.stringify(server.log.at(-1)!.body)).toContain("the cheaper one");
  }, 120_000);

  test("DEV-4.2 a worker's question is told on the channel once, also across a restart, and stands in status until it is answered", async () => {
    const { repo } = whoAsks({ askTimeout: "2m" });
    const first = await start(repo);
    void first.run();
    await first.fact("worker-asked", "task-1");
    await expect.poll(() => told(first.said), { timeout: 10_000 }).toHaveLength(1);
    expect(told(first.said)[0]).toContain('task-1 waiting asks: Which of the two?: pawl answer task-1 "…"');
    const status = (await commandLine(repo, ["status"])).out;
    expect(status).toContain("waiting for you: task-1");
    expect(status).toContain('you: pawl answer task-1 "…"');
    await first.stop();
    const second = await start(repo);
    void second.run();
    await expect.poll(() => second.ticks.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(second.task("task-1").doing).toMatchObject({ asks: { number: 1, text: "Which of the two?" } });
    await commandLine(repo, ["answer", "task-1", "the cheaper one"]);
    const over = await second.fact("worker-asked", "task-1");
    expect(over.question).toBe(null);
    await second.fact("task-completed", "task-1");
    expect(told(second.said)).toEqual([]);
  }, 120_000);

  test("DEV-4.2 tools of a public MCP server, over stdio: found, called, refused, ended", async () => {
    const memory = join(scratch(), "memory.json");
    const program = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/server-memory/dist/index.js");
    const start = ["env", `MEMORY_FILE_PATH=${memory}`, process.execPath, program];
    const tools = await mcpTools({ memory: { command: start, url: undefined, token_env: undefined } }, process.env);
    try {
      expect(tools.names).toContain("create_entities");
      const stage = await androidStage(android)();
      const kettle = { name: "kettle", entityType: "good", observations: ["red"] };
      const agent = scriptedAgent([
        { action: "mcp_call", tool: "create_entities", args: { entities: [kettle] } },
        { action: "mcp_call", tool: "search_nodes", args: { query: "kettle" } },
        { action: "mcp_call", tool: "search_nodes", args: { query: 7 } },
      ]);
      const run = drive({ bridge: stage.bridge, agent, tools });
      await run.end;
      expect(agent.seen[2]!.toolResult).toMatchObject({ ok: true, content: expect.stringContaining("red") });
      expect(agent.seen[3]!.toolResult).toMatchObject({ ok: false, error: expect.stringMatching(/query|string/) });
      expect(readFileSync(memory, "utf8")).toContain("kettle");
    } finally {
      await tools.close();
    }
  });

  test("an MCP server that does not start is an error that names it", async () => {
    const broken = { docs: { command: ["false"], url: undefined, token_env: undefined } };
    await expect(mcpTools(broken, process.env)).rejects.toMatchObject({
      code: "MCP_SERVER_FAILED",
      message: expect.stringContaining("the MCP server docs (false) does not answer"),
    });
  });
});
