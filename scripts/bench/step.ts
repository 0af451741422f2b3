import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/adapters/store/index.ts";
import { type Cluster, startCluster } from "../../test/support/cluster.ts";
import { fsyncsPerSecond } from "./fsyncs.ts";
import { runPawl } from "./pawl-engine.ts";

const PHASES = 4;

export interface StepOptions {
  readonly store: "sqlite" | "postgres";
  readonly tasks: number;
  readonly inFlight: number;
}

/** A store that nobody has used, on that server. */
function serverAddress(server: Cluster | null): string {
  const url = server?.url() ?? process.env.PAWL_TEST_DATABASE_URL!;
  return `${url}${url.includes("?") ? "&" : "?"}schema=pawl_bench_${Date.now().toString(36)}`;
}

/** What a step costs the processor, beside the fsyncs that the disk makes before and after. */
export async function benchStep({ store: kind, tasks, inFlight }: StepOptions): Promise<void> {
  const folder = mkdtempSync(join(process.env.PAWL_BENCH_DIR ?? tmpdir(), "pawl-bench-"));
  const onServer = kind === "postgres";
  const before = fsyncsPerSecond(folder);
  const server = onServer && !process.env.PAWL_TEST_DATABASE_URL ? await startCluster({ durable: true }) : null;
  const store = await openStore(onServer ? serverAddress(server) : join(folder, "store.db"), { create: true });
  let start = 0;
  let seconds = 0;
  let cpu = process.cpuUsage();
  let transactions = 0;
  const counted: typeof store = {
    ...store,
    commit(epoch, ...ticks) {
      transactions++;
      return store.commit(epoch, ...ticks);
    },
  };
  const ended = await runPawl(
    { store: counted, tasks, phases: PHASES, inFlight },
    {
      began() {
        transactions = 0;
        cpu = process.cpuUsage();
        start = performance.now();
      },
      ended() {
        seconds = (performance.now() - start) / 1000;
        cpu = process.cpuUsage(cpu);
      },
    },
  );
  await store.close();
  const after = fsyncsPerSecond(folder);
  await server?.remove();
  if (!process.env.PAWL_KEEP) rmSync(folder, { recursive: true, force: true });
  const steps = tasks * PHASES;
  const fsyncs = (before + after) / 2;
  console.log(`store            ${onServer ? "PostgreSQL" : "SQLite"}
steps            ${steps} (${tasks} tasks x ${PHASES} phases, ${inFlight} in flight), ${ended.completed} tasks completed, ${ended.spawned} workers
steps per second ${(steps / seconds).toFixed(0)}
4 KiB fsyncs     ${fsyncs.toFixed(0)} per second (before ${before.toFixed(0)}, after ${after.toFixed(0)}); steps per fsync ${(steps / seconds / fsyncs).toFixed(2)}
CPU per step     ${((cpu.user + cpu.system) / steps).toFixed(0)} us
transactions     ${transactions}, ${(transactions / steps).toFixed(3)} per step, ${(transactions / seconds).toFixed(0)} per second, of ${ended.ticks} ticks
memory           ${(process.memoryUsage().rss / 1024 / 1024).toFixed(0)} MiB resident at the end`);
}
