import { systemClock } from "../../src/adapters/system/clock.ts";
import type { SpawnWish } from "../../src/domain/intent.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { Parts } from "../../src/engine/parts.ts";
import type { Forge } from "../../src/ports/forge.ts";
import type { Inbox } from "../../src/ports/inbox.ts";
import type { Store } from "../../src/ports/store.ts";
import { hash, memorySource } from "./backlog.ts";
import { memoryRuntime } from "./memory-runtime.ts";

/** A forge that takes every branch: nothing is merged on these maps. */
const forge: Forge = {
  find: async () => ({ kind: "absent" }),
  perform: async () => ({ kind: "done", made: { what: "nothing" }, found: false }),
  branches: async () => ({ seen: [], againAfterMs: 60_000 }),
  contains: async (_, commits) => new Set(commits),
};

export interface Load {
  readonly store: Store & Inbox;
  readonly tasks: number;
  readonly phases: number;
  readonly inFlight: number;
  /** what a worker does */
  readonly work?: (wish: SpawnWish) => void;
  /** workers that go on for ever */
  readonly neverEnd?: boolean;
}

export interface Ended {
  readonly completed: number;
  readonly spawned: number;
  readonly ticks: number;
}

/**
 * The shipped engine over so many tasks, with workers in memory. They are handed in first, by a processor that may pick
 * up none of them (`only`), so that what is measured between `began` and `ended` is the steps alone: `began` is called when
 * the engine is open, `ended` once the last task's end is durable.
 */
export async function runPawl(
  load: Load,
  { began = () => {}, ended }: { readonly began?: () => void; readonly ended: () => void },
): Promise<Ended> {
  await handIn(load);
  const runtime = memoryRuntime(load);
  const engine = await Engine.open(partsOf(load, runtime));
  let ticks = 0;
  let completed = 0;
  engine.listen(({ facts }) => {
    return () => {
      ticks++;
      for (const fact of facts) if (fact.kind === "task-completed" && ++completed === load.tasks) ended();
    };
  });
  began();
  await engine.run("terminal", new AbortController().signal);
  await engine.close();
  return { completed, spawned: runtime.spawned(), ticks };
}

/** The same, opened and not begun. */
export async function openPawl(load: Load): Promise<Engine> {
  await handIn(load);
  return Engine.open(partsOf(load, memoryRuntime(load)));
}

async function handIn(load: Load): Promise<void> {
  const engine = await Engine.open({ ...partsOf(load, memoryRuntime()), only: new Set() });
  while (engine.board.seeds.size < load.tasks) await engine.step();
  await engine.close();
}

const partsOf = ({ store, tasks, phases, inFlight }: Load, runtime: Parts["runtime"]): Parts => ({
  store,
  inbox: store,
  runtime,
  forge,
  signals: new Map(),
  channels: [],
  probe: { record: () => {} },
  clock: systemClock(),
  source: memorySource(tasks, { phases, workers: inFlight }),
  hash,
  build: "bench",
  who: { pid: process.pid, host: "bench" },
});
