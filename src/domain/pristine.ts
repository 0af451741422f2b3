import { emptyLedger } from "./budget.ts";
import type { Instant } from "./names.ts";
import type { Seed, Task } from "./task.ts";

/** The row of a task that nobody has picked up yet. */
export const pristine = (seed: Seed): Task => ({
  id: seed.id,
  spec: seed.spec,
  terms: seed.terms,
  gone: seed.gone,
  status: "not-started",
  map: null,
  phase: null,
  entered: 0 as Instant,
  waitingSince: null,
  pausedSince: null,
  overdue: false,
  visit: 0,
  round: 0,
  attempt: 0,
  n: 0,
  counts: { crashes: 0, infra: 0, conflicts: 0, tips: 0 },
  infraSince: null,
  doing: { kind: "nothing" },
  chores: [],
  head: null,
  foreign: false,
  change: null,
  published: null,
  pr: null,
  ready: false,
  candidate: null,
  conflict: null,
  approvals: [],
  findings: [],
  notes: [],
  answers: [],
  ledger: emptyLedger,
  noChange: null,
  merged: null,
  synced: false,
  cancelling: null,
  unsure: null,
  why: null,
  started: null,
  finished: null,
});

export const seedOf = ({ id, spec, terms, gone }: Seed): Seed => ({ id, spec, terms, gone });
