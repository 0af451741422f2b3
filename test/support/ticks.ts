import { createHash } from "node:crypto";
import { UNLIMITED } from "../../src/domain/budget.ts";
import type { BlobHash, Instant, MapHash, PhaseName, TaskId } from "../../src/domain/names.ts";
import type { PhaseMap } from "../../src/domain/phase.ts";
import { pristine } from "../../src/domain/pristine.ts";
import type { Seed, Task } from "../../src/domain/task.ts";
import type { Tick } from "../../src/ports/store.ts";

export const at = (ms: number): Instant => ms as Instant;
export const hashOf = (bytes: Uint8Array | string): BlobHash =>
  `sha256-${createHash("sha256").update(bytes).digest("hex")}` as BlobHash;

/** A task that nobody has picked up. */
export const aSeed = (id: string, deps: readonly string[] = []): Seed => ({
  id: id as TaskId,
  spec: hashOf(id),
  terms: {
    title: `The work of ${id}`,
    deps: deps as readonly TaskId[],
    phases: "default",
    base: "main",
    branch: `pawl/${id}`,
    touches: [],
    maxRounds: null,
    wallMs: 3_600_000,
    limit: UNLIMITED,
    draft: false,
  },
  gone: false,
});

/** A task in progress, with what the test says of it. */
export const aTask = (id: string, change: Partial<Task> = {}): Task => ({
  ...pristine(aSeed(id)),
  status: "in-progress",
  map: "map-1" as MapHash,
  phase: "implement" as PhaseName,
  visit: 1,
  started: at(1),
  ...change,
});

export const aMap = (hash = "map-1"): PhaseMap => ({
  hash: hash as MapHash,
  name: "default",
  first: "implement" as PhaseName,
  phases: {},
  maxRounds: null,
});

/** A tick that changes nothing but what the test says. */
export const aTick = (seq: number, change: Partial<Tick> = {}): Tick => ({
  seq,
  now: at(1_000 + seq),
  build: "test",
  inputs: [],
  facts: [],
  rows: [],
  seeds: [],
  backlog: null,
  maps: [],
  blobs: new Map(),
  ...change,
});
