import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/adapters/store/index.ts";
import type { Instant, TaskId } from "../../../src/domain/names.ts";
import type { Inbox } from "../../../src/ports/inbox.ts";
import { median } from "../figure.ts";
import { openPawl } from "../pawl-engine.ts";
import type { Measure } from "./measure.ts";

const SMALL = 1_000;
const TURNS = 200;
const CHANGED = 10;

/**
 * The shipped engine in this process, on SQLite, with workers that never end: what one turn costs, in a small backlog and
 * in a large one, which take turns. Each turn asks every source once.
 */
export async function measureEngine(tasks: number, active: number): Promise<readonly Measure[]> {
  const small = await opened(SMALL, active);
  const large = await opened(tasks, active);
  for (let turn = 0; turn < TURNS; turn++)
    for (const one of [small, large]) {
      one.idle.push(await msOf(() => one.engine.step()));
      for (let n = 0; n < CHANGED; n++) await ask(one.store, `${turn}-${n}`, `task-${n + 1}` as TaskId);
      one.busy.push(await msOf(() => one.engine.step()));
    }
  await small.close();
  await large.close();
  const [few, many] = [median(small.busy), median(large.busy)];
  return [
    { name: `idle tick, ${SMALL} tasks`, value: median(small.idle), unit: "ms", target: null },
    { name: `idle tick, ${tasks} tasks`, value: median(large.idle), unit: "ms", target: 5 },
    { name: `tick with ${CHANGED} requests, ${SMALL} tasks`, value: few, unit: "ms", target: null },
    { name: `tick with ${CHANGED} requests, ${tasks} tasks`, value: many, unit: "ms", target: null },
    { name: "the one to the other", value: many / few, unit: "x", target: 1.5 },
  ];
}

async function opened(tasks: number, inFlight: number) {
  const folder = mkdtempSync(join(process.env.PAWL_BENCH_DIR ?? tmpdir(), "pawl-size-"));
  const store = await openStore(join(folder, "store.db"), { create: true });
  const engine = await openPawl({ store, tasks, phases: 4, inFlight, neverEnd: true });
  while (engine.board.indexes.running.size < inFlight) await engine.step();
  const close = async (): Promise<void> => {
    await engine.close();
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, engine, close, idle: [] as number[], busy: [] as number[] };
}

/** A request that is refused: nothing else comes of it. */
const ask = (store: Inbox, id: string, task: TaskId): Promise<void> =>
  store.post({
    id,
    by: "bench",
    task,
    command: { do: "go", seq: null, message: null },
    at: Date.now() as Instant,
  });

async function msOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
