import { evolve } from "./evolve.ts";
import type { Fact, TaskFact } from "./fact.ts";
import { isTaskFact } from "./fact.ts";
import type { NoticeEvent, TraceIntent } from "./intent.ts";
import { type EffectKey, effectKey, type Instant } from "./names.ts";
import type { Task } from "./task.ts";

type Distributive<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A chore without its key and task: they come from the row. */
export type ChoreWish = Distributive<
  Extract<TraceIntent, { kind: "notify" | "clean-up" | "deliver" | "stop" }>,
  "key" | "task"
>;
/** A fact about the task of this turn. */
export type Said = Distributive<TaskFact, "task">;

/** Facts about one task, each seen by the next: the row moves along as they are noted. Local to one call, never shared. */
export interface Turn {
  readonly now: Instant;
  readonly facts: readonly Fact[];
  task(): Task;
  note(fact: Said): void;
  /** an effect that holds up nothing, intended here and now */
  chore(wish: ChoreWish): void;
  notify(event: NoticeEvent, text: string): void;
}

export function beginTurn(start: Task, now: Instant): Turn {
  let task = start;
  const facts: Fact[] = [];
  const note = (said: Said) => {
    const fact = { ...said, task: task.id } as TaskFact;
    facts.push(fact);
    if (isTaskFact(fact)) task = evolve(task, fact);
  };
  const chore = (wish: ChoreWish) => {
    const key: EffectKey = effectKey(task, wish.kind);
    note({ kind: "effect-intended", intent: { ...wish, key, task: task.id } as TraceIntent, at: now });
  };
  return { now, facts, task: () => task, note, chore, notify: (event, text) => chore({ kind: "notify", event, text }) };
}
