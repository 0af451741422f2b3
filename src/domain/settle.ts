import type { Backlog } from "./backlog.ts";
import type { Fact } from "./fact.ts";
import type { Input } from "./input.ts";
import type { Rules } from "./move.ts";
import type { Commit, Instant, TaskId } from "./names.ts";
import type { PhaseMap } from "./phase.ts";
import { settleBranch } from "./settle-branch.ts";
import { settleCommand } from "./settle-command.ts";
import { settleChore, settleEffect } from "./settle-effect.ts";
import { settleEnd } from "./settle-end.ts";
import { settleGateSaid } from "./settle-gate.ts";
import { settleSighting } from "./settle-sighting.ts";
import { settleSignal } from "./settle-signal.ts";
import { isTerminal, type Task } from "./task.ts";
import { isKnown } from "./terms.ts";
import { beginTurn, type Turn } from "./turn.ts";

/** What settle() goes by beside the row and the input. */
export interface Setting {
  readonly now: Instant;
  readonly backlog: Backlog;
  /** the task's own map; null before pickup */
  readonly map: PhaseMap | null;
  /** the newest valid map of its name */
  readonly newest: PhaseMap | null;
  /** five or more workers, and half of all, ended unseen in this very tick */
  readonly massEnd: boolean;
  /** dependencies of a task that was never picked up, not completed and synced */
  readonly unmet: readonly TaskId[];
}

/**
 * What is concluded from one input. Pure, total, deterministic: an input that does not fit (late, twice, of another
 * life) is a fact `input-ignored` with the reason, never an error. `task` is null where the input is about none, or one
 * that is not known; of a task not picked up it is a pristine row.
 */
export function settle(task: Task | null, input: Input, setting: Setting): readonly Fact[] {
  switch (input.kind) {
    case "processor-started":
      return setting.backlog.stopping === null ? [] : [{ kind: "stop-cleared" }];
    case "settings-read":
      return [{ kind: "limits-adopted", limits: input.limits }];
    case "map-read":
      return [{ kind: "map-adopted", name: input.map.name, map: input.map.hash }];
    case "spec-read":
      return specRead(task, input, setting.now);
    case "command-received":
      return settleCommand(task, input, setting);
    case "spec-gone":
      return task === null || task.gone ? [] : [{ kind: "task-file-gone", task: task.id }];
    default:
      return task === null ? [] : about(task, input, setting);
  }
}

type About = Exclude<
  Input,
  { kind: "processor-started" | "settings-read" | "map-read" | "spec-read" | "spec-gone" | "command-received" }
>;

function about(task: Task, input: About, setting: Setting): readonly Fact[] {
  const turn = beginTurn(task, setting.now);
  const { map } = setting;
  // a task that was cancelled before it began has no map, and still its notice
  if (input.kind === "effect-ended" && settleChore(turn, input)) return turn.facts;
  if (map === null || task.status === "not-started")
    return ignored(turn, `${input.kind} of a task that was not picked up`);
  const rules: Rules = { map, newest: setting.newest ?? map, limits: setting.backlog.limits };
  settleAbout(turn, input, rules, setting);
  return turn.facts;
}

function settleAbout(turn: Turn, input: About, rules: Rules, setting: Setting): void {
  switch (input.kind) {
    case "effect-ended":
      return settleEffect(turn, input, rules);
    case "run-seen":
      return settleSighting(turn, input, rules, setting.massEnd);
    case "run-ended":
      return settleEnd(turn, input, rules);
    case "gate-said":
      return settleGateSaid(turn, input, rules);
    case "signal-seen":
      return settleSignal(turn, input, rules);
    case "branch-seen":
      return settleBranch(turn, input.branch, rules);
    case "base-seen":
      if (input.contains && turn.task().merged !== null && !turn.task().synced) turn.note({ kind: "task-synced" });
      return;
    case "clock-gap":
      if (turn.task().doing.kind === "running") turn.note({ kind: "deadline-shifted", ms: input.ms, extended: false });
      return;
  }
}

const ignored = (turn: Turn, why: string): readonly Fact[] => {
  turn.note({ kind: "input-ignored", why });
  return turn.facts;
};

function specRead(task: Task | null, input: Extract<Input, { kind: "spec-read" }>, at: Instant): readonly Fact[] {
  const { task: id, spec, terms, landed } = input;
  if (task === null)
    return [{ kind: "task-added", task: id, spec, terms }, ...(landed ? foundDone(id, landed, at) : [])];
  return isTerminal(task) || isKnown(task, spec, terms) ? [] : [{ kind: "task-respecified", task: id, spec, terms }];
}

/** What was merged before this store was made is not done again. */
const foundDone = (task: TaskId, commit: Commit, at: Instant): readonly Fact[] => [
  { kind: "task-completed", task, evidence: `found on the base: ${commit.slice(0, 7)}`, at },
  { kind: "merge-landed", task, commit, byHand: false },
  { kind: "task-synced", task },
];
