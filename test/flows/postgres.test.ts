import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { openReader } from "../../src/adapters/store/index.ts";
import { runProgram } from "../../src/app/cli/program.ts";
import type { TaskId } from "../../src/domain/names.ts";
import { newSchema, onPostgres } from "../support/postgres.ts";
import { project, WORKER } from "../support/project.ts";
import { git } from "../support/scratch.ts";

const SECRET = "tr0ub4dor";
const LEASE_MS = 2_000;
const MAP = `version: 1
phases:
  implement: {run: agent implementer, on_pass: review, on_fail: implement}
  review: {run: signal human-approval, on_pass: done, on_fail: implement}
`;

/** A project whose state is on a server, and the command line in it. */
function onServer(url: string, schema: string, more = "") {
  const store = `store: {postgres_env: PAWL_DATABASE_URL, schema: ${schema}}\n`;
  const { repo } = project({
    config: `agents: {implementer: {command: agents/work.sh}}\nsignals: {human-approval: {pr: false}}\n${store}${more}`,
    tasks: { "task-1": "Write it" },
    files: { "agents/work.sh": WORKER, "phase-maps/default.yaml": MAP },
    origin: false,
  });
  const env = { ...process.env, PAWL_DATABASE_URL: url };
  const words = (args: readonly string[]) => [join(process.cwd(), "dist/cli.mjs"), "--repo", repo, ...args];
  return {
    repo,
    /** a command in this process: a process each costs a second */
    async pawl(...args: string[]): Promise<{ readonly status: number; readonly said: string; readonly out: string }> {
      vi.stubEnv("PAWL_DATABASE_URL", url);
      let [out, err] = ["", ""];
      const stdout = { write: (text: string | Uint8Array) => (out += text) };
      const streams = { stdin: {}, stdout, stderr: { write: (text: string | Uint8Array) => (err += text) } };
      const status = await runProgram(args, { cwd: repo, env, streams }).finally(() => vi.unstubAllEnvs());
      return { status, said: out + err, out };
    },
    start(...args: string[]): Running {
      const child = spawn(process.execPath, words(args), { env, stdio: ["ignore", "pipe", "pipe"] });
      const running: Running = { child, said: "", gone: once(child, "exit").then(([code, signal]) => code ?? signal) };
      for (const stream of [child.stdout, child.stderr])
        stream!.on("data", (bytes) => {
          running.said += String(bytes);
        });
      onTestFinished(async () => {
        child.kill("SIGKILL");
        await running.gone;
      });
      return running;
    },
  };
}
interface Running {
  readonly child: ChildProcess;
  said: string;
  readonly gone: Promise<number | string>;
}

const says = (running: Running, words: string) =>
  vi.waitUntil(() => running.said.includes(words), { timeout: 30_000, interval: 25 });

onPostgres("pawl with its state on a server", { own: true }, (server) => {
  it("works to the end; a second is told who holds it, a third stands by and takes over at once after a clean end", async () => {
    const schema = newSchema();
    const url = server.cluster.url({ password: SECRET });
    const { repo, pawl, start } = onServer(url, schema);
    const first = start("run", "--no-live");
    const reader = await vi.waitFor(() => openReader(server.address({ schema })), { timeout: 20_000, interval: 50 });
    onTestFinished(() => reader.close());
    const doing = async () => (await reader.task("task-1" as TaskId))?.doing.kind;
    await vi.waitUntil(async () => (await doing()) === "asking", { timeout: 30_000, interval: 50 });

    const second = await pawl("run");
    expect([second.status, second.said]).toEqual([3, expect.stringContaining(`held by pid ${first.child.pid} on`)]);
    const third = start("run", "--standby", "--no-live");
    await says(third, "standing by");
    expect(third.said).toContain(`held by pid ${first.child.pid} on`);

    first.child.kill("SIGTERM");
    expect(await first.gone).toBe(130);
    const since = performance.now();
    await vi.waitUntil(async () => (await reader.holder())?.epoch === 2, { timeout: 10_000, interval: 10 });
    expect(performance.now() - since).toBeLessThan(2_000);
    const approved = await pawl("approve", "task-1");
    expect([approved.status, approved.said]).toEqual([0, expect.stringContaining(`taken by pid ${third.child.pid}`)]);
    expect(await third.gone).toBe(0);

    const status = await pawl("status", "--json");
    expect(JSON.parse(status.out)).toMatchObject({ ok: true });
    const doctor = await pawl("doctor");
    expect(doctor.out).toContain(`PAWL_DATABASE_URL (schema ${schema})`);
    expect(git(repo, "log", "--format=%s", "-1", "pawl/task-1")).toBe("Work on task-1");
    expect(existsSync(join(repo, ".pawl/store.db"))).toBe(false);
    const printed = await pawl("validate", "--print");
    expect(printed.out).toContain(schema);
    const replayed = await pawl("replay");
    expect([replayed.status, replayed.said]).toEqual([0, expect.stringContaining("decides each as it is in the log")]);
    const all = [second, first, third, approved, status, doctor, printed, replayed].map(({ said }) => said);
    expect(all.join("\n")).not.toContain(SECRET);
  });

  it("is taken over when it was killed, within the time of its lease and two seconds, and nothing is done twice", async () => {
    const schema = newSchema();
    const { start } = onServer("unused", schema);
    const address = server.address({ schema, leaseMs: LEASE_MS });
    const first = start("run", "--no-live", "--store", address);
    const reader = await vi.waitFor(() => openReader(address), { timeout: 20_000, interval: 50 });
    onTestFinished(() => reader.close());
    await vi.waitUntil(async () => (await reader.task("task-1" as TaskId))?.visit, { timeout: 20_000, interval: 10 });
    const second = start("run", "--standby", "--until-idle", "--no-live", "--store", address);
    await says(second, "standing by");
    first.child.kill("SIGKILL");
    const since = performance.now();
    await vi.waitUntil(async () => (await reader.holder())!.epoch >= 2, { timeout: 20_000, interval: 10 });
    expect(performance.now() - since).toBeLessThan(LEASE_MS + 2_000);
    expect(await second.gone).toBe(5);
    const facts = (await reader.ticks(0, 1_000)).flatMap((tick) => tick.facts.map((fact) => fact.kind));
    expect(facts.filter((kind) => kind === "worker-spawned")).toHaveLength(1);
  });

  it("goes on by itself when the server was started again, and stands by again when it was away for too long", async () => {
    const schema = newSchema();
    const { start, pawl } = onServer(server.cluster.url(), schema);
    const address = server.address({ schema, leaseMs: LEASE_MS });
    const one = start("run", "--standby", "--no-live", "--store", address);
    const read = await vi.waitFor(() => openReader(address), { timeout: 20_000, interval: 50 });
    onTestFinished(() => read.close());
    const held = () => read.holder().catch(() => null);
    const asks = async () => (await read.task("task-1" as TaskId))?.doing.kind === "asking";
    await vi.waitUntil(asks, { timeout: 30_000, interval: 50 });
    const { epoch } = (await held())!;
    await server.cluster.stop("immediate");
    await says(one, "standing by");
    await server.cluster.start();
    await vi.waitUntil(async () => ((await held())?.epoch ?? 0) > epoch, { timeout: 30_000, interval: 100 });
    expect((await pawl("approve", "task-1", "--store", address)).status).toBe(0);
    expect(await one.gone).toBe(0);
  });

  it("refuses the store of another repository, and one that is empty where runs of an earlier one lie", async () => {
    const schema = newSchema();
    const one = onServer(server.cluster.url(), schema);
    await one.start("run", "--once", "--no-live").gone;
    const other = onServer(server.cluster.url(), schema, "# another history\n");
    const foreign = await other.pawl("run", "--once");
    expect([foreign.status, foreign.said]).toEqual([3, expect.stringContaining("another repository")]);
    const lost = await one.pawl("run", "--store", server.address());
    expect([lost.status, lost.said]).toEqual([3, expect.stringContaining("holds runs of an earlier one")]);
    expect((await one.pawl("run", "--dry", "--store", server.address())).out).toContain("would spawn");
    expect((await one.pawl("status", "--store", server.address())).status).toBe(3);
  });

  it("ends with 4 where the variable is not set, and says which", async () => {
    const { pawl } = onServer("", newSchema());
    const { status, said } = await pawl("run");
    expect([status, said]).toEqual([4, expect.stringContaining("PAWL_DATABASE_URL")]);
  });
});
