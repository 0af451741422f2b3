// npm run bench:processor: what a step costs. 2,000 tasks x 4 phases through the shipped engine on SQLite with
// synchronous=FULL, workers in memory, 16 in flight; beside it what one stream of 4 KiB appends with fsync makes here.
// -- --store postgres: the same on a server of its own (fsync on, on the same disk, over its socket), or on the one of
// PAWL_TEST_DATABASE_URL.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../../src/adapters/store/index.ts";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { Engine, type Parts } from "../../src/engine/engine.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { type Cluster, startCluster } from "../../test/support/cluster.ts";
import { hash, memorySource } from "./backlog.ts";
import { memoryRuntime } from "./memory-runtime.ts";

const TASKS = Number(process.env.PAWL_BENCH_TASKS ?? 2_000);
const PHASES = 4;
const IN_FLIGHT = 16;

/** A forge that takes every branch: nothing is merged on this map. */
const forge: Forge = {
  find: async () => ({ kind: "absent" }),
  perform: async () => ({ kind: "done", made: { what: "nothing" }, found: false }),
  branches: async () => ({ seen: [], againAfterMs: 60_000 }),
  contains: async (_, commits) => new Set(commits),
};

function fsyncsPerSecond(folder: string): number {
  const file = openSync(join(folder, "stream"), "a");
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let n = 0;
  for (; performance.now() - start < 1_500; n++) {
    writeSync(file, page);
    fsyncSync(file);
  }
  closeSync(file);
  return n / ((performance.now() - start) / 1000);
}

const { values: flags } = parseArgs({ options: { store: { type: "string", default: "sqlite" } } });
if (!["sqlite", "postgres"].includes(flags.store))
  throw new Error(`no store is called ${flags.store}: sqlite, postgres`);
const onServer = flags.store === "postgres";

/** A store that nobody has used, on that server. */
function serverAddress(server: Cluster | null): string {
  const url = server?.url() ?? process.env.PAWL_TEST_DATABASE_URL!;
  return `${url}${url.includes("?") ? "&" : "?"}schema=pawl_bench_${Date.now().toString(36)}`;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(process.env.PAWL_BENCH_DIR ?? tmpdir(), "pawl-bench-"));
  const before = fsyncsPerSecond(folder);
  const server = onServer && !process.env.PAWL_TEST_DATABASE_URL ? await startCluster({ durable: true }) : null;
  const address = onServer ? serverAddress(server) : join(folder, "store.db");
  const store = await openStore(address, { create: true });
  const runtime = memoryRuntime();
  const parts: Parts = {
    store,
    inbox: store,
    runtime,
    forge,
    signals: new Map(),
    channels: [],
    probe: { record: () => {} },
    clock: systemClock(),
    source: memorySource(TASKS, { phases: PHASES, workers: IN_FLIGHT }),
    hash,
    build: "bench",
    who: { pid: process.pid, host: "bench" },
  };
  const engine = await Engine.open(parts);
  let ticks = 0;
  let begun = 0;
  let seconds = 0;
  let completed = 0;
  engine.listen(({ facts }) => {
    ticks++;
    if (begun === 0 && facts.some((fact) => fact.kind === "task-picked-up")) begun = performance.now();
    for (const fact of facts) if (fact.kind === "task-completed") completed++;
    if (completed === TASKS && seconds === 0) seconds = (performance.now() - begun) / 1000;
  });
  const cpu = process.cpuUsage();
  await engine.run("terminal", new AbortController().signal);
  const used = process.cpuUsage(cpu);
  const after = fsyncsPerSecond(folder);
  await engine.close();
  await store.close();
  await server?.remove();
  if (!process.env.PAWL_KEEP) rmSync(folder, { recursive: true, force: true });
  const steps = TASKS * PHASES;
  const fsyncs = (before + after) / 2;
  console.log(`store            ${onServer ? "PostgreSQL" : "SQLite"}`);
  console.log(
    `steps            ${steps} (${TASKS} tasks x ${PHASES} phases, ${IN_FLIGHT} in flight), ${completed} tasks completed, ${runtime.spawned()} workers`,
  );
  console.log(`steps per second ${(steps / seconds).toFixed(0)}`);
  console.log(
    `4 KiB fsyncs     ${fsyncs.toFixed(0)} per second (before ${before.toFixed(0)}, after ${after.toFixed(0)}); steps per fsync ${(steps / seconds / fsyncs).toFixed(2)}`,
  );
  console.log(`CPU per step     ${((used.user + used.system) / steps).toFixed(0)} us`);
  console.log(
    `transactions     ${ticks} ticks, ${(ticks / steps).toFixed(2)} per step, ${(ticks / seconds).toFixed(0)} per second; a tick is one transaction`,
  );
  console.log(`memory           ${(process.memoryUsage().rss / 1024 / 1024).toFixed(0)} MiB resident at the end`);
}

await main();
