import { hostname } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore } from "../../src/adapters/store/index.ts";
import { type Backlog, DEFAULT_LIMITS, emptyBacklog } from "../../src/domain/backlog.ts";
import type { Fact } from "../../src/domain/fact.ts";
import type { Instant } from "../../src/domain/names.ts";
import { settle } from "../../src/domain/settle.ts";
import type { Seed, Task } from "../../src/domain/task.ts";
import { Board } from "../../src/engine/board.ts";
import type { Tick } from "../../src/ports/store.ts";
import { MAP } from "./scenes.ts";
import { repository, write } from "./scratch.ts";
import { aTick } from "./ticks.ts";

/** A repository whose store was told what is in it, tick by tick. */
export interface Told {
  readonly repo: string;
  readonly state: string;
  /** commits one more tick, as the processor that it plays does */
  tick(change: Partial<Tick>): Promise<void>;
  /** from now on a processor (this process) answers what is posted; ends with the test, or when `rest` is called */
  answers(): Promise<{ rest(): Promise<void> }>;
}

export async function toldStore(of: {
  rows?: readonly Task[];
  seeds?: readonly Seed[];
  backlog?: Partial<Backlog>;
  facts?: readonly Fact[];
  files?: Record<string, string>;
}): Promise<Told> {
  const { repo } = repository({ "pawl.yaml": "version: 1\n", ...of.files });
  const state = join(repo, ".pawl");
  const path = join(state, "store.db");
  let seq = 0;
  const backlog = { ...emptyBacklog, maps: { default: MAP.hash }, limits: DEFAULT_LIMITS, ...of.backlog };
  const told: Told = {
    repo,
    state,
    tick: async (change) => {
      const store = await openStore(path, { create: true });
      const got = await store.lease({ pid: process.pid, host: hostname(), now: Date.now() as Instant });
      if (!("lease" in got)) throw new Error("somebody holds the store of this test");
      await store.commit(got.lease.epoch, aTick(++seq, { now: Date.now() as Instant, ...change }));
      await got.lease.release();
      await store.close();
    },
    answers: async () => {
      const served = await serve(path);
      onTestFinished(served.rest);
      return served;
    },
  };
  await told.tick({ rows: of.rows ?? [], seeds: of.seeds ?? [], backlog, maps: [MAP], facts: of.facts ?? [] });
  write(repo, { ".pawl/.gitignore": "*\n" });
  return told;
}

/** The part of a processor that answers requests: the real settle(), and the real commit. */
async function serve(path: string): Promise<{ rest(): Promise<void> }> {
  const store = await openStore(path);
  const got = await store.lease({ pid: process.pid, host: hostname(), now: Date.now() as Instant });
  if (!("lease" in got)) throw new Error("somebody holds the store of this test");
  const snapshot = await store.load();
  const board = new Board(snapshot);
  const stop = new AbortController();
  let { seq } = snapshot;
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      for (const input of await store.unread(50)) {
        const now = Date.now() as Instant;
        const task = input.task === null ? null : (board.find(input.task) ?? (await store.task(input.task)));
        if (task !== null && board.find(task.id) === null) board.hydrate(task);
        const facts = settle(task, input, {
          now,
          backlog: board.backlog,
          map: MAP,
          newest: MAP,
          massEnd: false,
          unmet: [],
        });
        for (const fact of facts) board.apply(fact);
        await store.commit(got.lease.epoch, aTick(++seq, { now, inputs: [input], facts, ...board.changes() }));
        board.kept();
      }
      await store.rung(stop.signal);
    }
  };
  const running = loop();
  let rested = false;
  return {
    async rest() {
      if (rested) return;
      rested = true;
      stop.abort();
      await running;
      await got.lease.release();
      await store.close();
    },
  };
}
