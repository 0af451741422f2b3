import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/adapters/store/index.ts";
import type { Instant, TaskId } from "../../../src/domain/names.ts";
import { median } from "../figure.ts";
import { openPawl } from "../pawl-engine.ts";
import type { Measure } from "./measure.ts";

const SMALL = 1_000;
const TURNS = 200;
const CHANGED = 10;

/** The shipped engine in this process, on SQLite, with workers that never end: what one turn costs, by size. */
export async function measureEngine(tasks: number, active: number): Promise<readonly Measure[]> {
  const small = await turns(SMALL, active);
  const large = await turns(tasks, active);
  return [
    { name: `idle tick, ${SMALL} tasks`, value: small.idle, unit: "ms", target: null },
    { name: `idle tick, ${tasks} tasks`, value: large.idle, unit: "ms", target: 5 },
    { name: `tick with ${CHANGED} requests, ${SMALL} tasks`, value: small.busy, unit: "ms", target: null },
    { name: `tick with ${CHANGED} requests, ${tasks} tasks`, value: large.busy, unit: "ms", target: null },
    { name: "the one to the other", value: large.busy / small.busy, unit: "x", target: 1.5 },
  ];
}

/** Medians of turns in which nothing came in, and of ones with a few requests; each asks every source once. */
async function turns(tasks: number, inFlight: number): Promise<{ readonly idle: number; readonly busy: number }> {
  const folder = mkdtempSync(join(process.env.PAWL_BENCH_DIR ?? tmpdir(), "pawl-size-"));
  const store = await openStore(join(folder, "store.db"), { create: true });
  const engine = await openPawl({ store, tasks, phases: 4, inFlight, neverEnd: true });
  while (engine.board.indexes.running.size < inFlight) await engine.step();
  const idle: number[] = [];
  const busy: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    idle.push(await msOf(() => engine.step()));
    for (let n = 0; n < CHANGED; n++) {
      const command = { do: "go", seq: null, message: null } as const;
      const task = `task-${n + 1}` as TaskId;
      await store.post({ id: `${turn}-${n}`, by: "bench", task, command, at: Date.now() as Instant });
    }
    busy.push(await msOf(() => engine.step()));
  }
  await engine.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return { idle: median(idle), busy: median(busy) };
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
