import { ledgerFacts } from "./evolve-ledger.ts";
import { mergeFacts } from "./evolve-merge.ts";
import { phaseFacts } from "./evolve-phase.ts";
import { runFacts } from "./evolve-run.ts";
import type { TaskFact } from "./fact.ts";
import type { Task } from "./task.ts";

/** How each kind of fact changes a row. */
export type Apply<K extends TaskFact["kind"] = TaskFact["kind"]> = {
  readonly [P in K]: (task: Task, fact: Extract<TaskFact, { kind: P }>) => Task;
};

const APPLY: Apply = { ...phaseFacts, ...runFacts, ...mergeFacts, ...ledgerFacts };

/** The row after one fact. Pure and total; the only way a row changes. */
export const evolve = (task: Task, fact: TaskFact): Task =>
  (APPLY[fact.kind] as (task: Task, fact: TaskFact) => Task)(task, fact);
