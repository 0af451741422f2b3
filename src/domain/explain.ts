import { wakeOf } from "./due.ts";
import { type AtGate, SUBMITTED } from "./gate.ts";
import { type PhaseMap, phaseOf } from "./phase.ts";
import { backlogIsShort } from "./slots.ts";
import { nextOf } from "./step.ts";
import { isTerminal, type Running, type Task, type WaitCode, type Waiting } from "./task.ts";
import { touching } from "./touches.ts";
import type { Pool, World } from "./world.ts";

/** Why a task does not move by itself right now. `deps`, `slot` … are computed; a WaitCode is in its row. */
export interface Explanation extends Omit<Waiting, "code" | "since"> {
  readonly code:
    | WaitCode
    | "draft"
    | "deps"
    | "stranded"
    | "slot"
    | "touches"
    | "queue"
    | "effect"
    | "acting"
    | "running"
    | "question"
    | "gate"
    | "asking"
    | "no-map";
  /** the tasks it is about: dependencies, who is in the way, who is ahead */
  readonly tasks: readonly string[];
}

/** Who owns the next move, and when it is looked at again. Total: null only when the task is terminal. */
export function explain(task: Task, world: World): Explanation | null {
  if (isTerminal(task)) return null;
  if (task.status === "not-started") return explainSeed(task, world);
  const { doing } = task;
  const map = world.map(task.map!);
  const until = wakeOf(task, phaseOf(map, task.phase)?.timeoutMs ?? null);
  switch (doing.kind) {
    case "waiting":
      return { code: doing.on.code, owner: doing.on.owner, reason: doing.on.reason, until, tasks: [] };
    case "running":
      return explainRun(doing);
    case "at-gate":
      return explainGate(doing);
    case "asking":
      return explainAsking(task, map, doing.signal, until);
    case "effect":
      return { code: "effect", owner: "forge", reason: `${doing.intent.kind} is under way`, until: null, tasks: [] };
    case "nothing":
      return explainIdle(task, map, world);
  }
}

function explainSeed(task: Task, world: World): Explanation {
  const { terms } = task;
  const human = (code: Explanation["code"], reason: string, tasks: readonly string[] = []): Explanation => ({
    code,
    owner: "human",
    reason,
    until: null,
    tasks,
  });
  if (terms.draft) return human("draft", "it is a draft: take `draft: true` out of its file to start it");
  const unmet = world.unmet(task.id);
  const failed = unmet.filter((id) => world.statusOf(id) === "failed");
  if (failed.length > 0) return human("stranded", `cannot start: ${failed.join(", ")} failed`, failed);
  const unknown = unmet.filter((id) => world.statusOf(id) === null);
  if (unknown.length > 0) return human("deps", `cannot start: no task is called ${unknown.join(", ")}`, unknown);
  if (unmet.length > 0)
    return { code: "deps", owner: "processor", reason: depsReason(unmet, world), until: null, tasks: unmet };
  if (world.newest(terms.phases) === null) return human("no-map", `its phase map ${terms.phases} is not there`);
  if (world.backlog.stopping !== null) return explainStop(world.backlog.stopping.by);
  if (backlogIsShort(world)) return explainBudget(world);
  return explainSlot(task, "worker", world);
}

function depsReason(unmet: Task["terms"]["deps"], world: World): string {
  const say = (id: (typeof unmet)[number]) =>
    world.statusOf(id) === "completed"
      ? `${id}: completed, but its merge is not yet in ${world.task(id).terms.base}`
      : `${id} (${world.statusOf(id)})`;
  return unmet.map(say).join(", ");
}

function explainStop(by: string): Explanation {
  return {
    code: "acting",
    owner: "human",
    reason: `${by} stopped the processor; pawl run goes on`,
    until: null,
    tasks: [],
  };
}

/** Spent: a person's move. Only reserved by runs that are under way: it may come back when they end. */
function explainBudget(world: World): Explanation {
  const busy = world.holders("worker").map((task) => task.id);
  if (busy.length > 0)
    return {
      code: "backlog-budget",
      owner: "processor",
      reason: `what is left of the backlog's budget is reserved by ${busy.join(", ")}`,
      until: null,
      tasks: busy,
    };
  const reason = "the backlog's budget is used up: raise it in pawl.yaml";
  return { code: "backlog-budget", owner: "human", reason, until: null, tasks: [] };
}

const isOnScreen = ({ terms }: Task): boolean => terms.environment === "device";
const shared = (task: Task, other: Task): string =>
  isOnScreen(task) && isOnScreen(other) ? "its screen" : "files that it touches";

function explainSlot(task: Task, pool: Pool, world: World): Explanation {
  const of = { owner: "processor", until: null } as const;
  const busy = world.holders(pool);
  const other = pool === "worker" ? touching(task, busy) : null;
  if (other)
    return { ...of, code: "touches", reason: `${other.id} works on ${shared(task, other)}`, tasks: [other.id] };
  const { maxWorkers, maxRuns } = world.backlog.limits;
  const [most, what] = pool === "worker" ? [maxWorkers, "workers"] : [maxRuns, "commands"];
  if (busy.length >= most)
    return { ...of, code: "slot", reason: `no free slot: ${busy.length} of ${most} ${what} are at work`, tasks: [] };
  return { ...of, code: "slot", reason: "it starts at the next tick", tasks: [] };
}

function explainRun(doing: Running): Explanation {
  const until = doing.deadline;
  if (doing.unseen !== null)
    return { code: "host", owner: "host", reason: `its run cannot be seen: ${doing.unseen}`, until, tasks: [] };
  if (doing.asks && !doing.ended && doing.stopping === null)
    return { code: "question", owner: "human", reason: doing.asks.text, until: doing.asks.until, tasks: [] };
  const what = doing.purpose === "agent" ? "its worker" : "its command";
  const reason = doing.ended
    ? `${what} ended; its result is being read`
    : doing.stopping
      ? `${what} is being stopped (${doing.stopping})`
      : `${what} is at work`;
  return { code: "running", owner: "worker", reason, until, tasks: [] };
}

/** Its owner has the next move: a person, or the rules, which look for themselves. */
function explainGate({ gate, seq, owners, until }: AtGate): Explanation {
  const [owner] = owners;
  const reason = `${gate}: its ${SUBMITTED[gate]} (${String(seq).padStart(3, "0")})`;
  return { code: "gate", owner: owner === "human" ? "human" : "processor", reason, until, tasks: [] };
}

function explainAsking(task: Task, map: PhaseMap, signal: string, until: Explanation["until"]): Explanation {
  const step = phaseOf(map, task.phase)?.step;
  const human = step?.run === "signal" && step.answeredBy === "human";
  const what = task.head === null ? "" : ` of ${task.head.slice(0, 7)}`;
  return { code: "asking", owner: human ? "human" : "processor", reason: `${signal}${what}`, until, tasks: [] };
}

function explainIdle(task: Task, map: PhaseMap, world: World): Explanation {
  const next = nextOf(task, map, world.backlog.limits);
  if (world.backlog.stopping !== null) return explainStop(world.backlog.stopping.by);
  if (next.kind === "slot" && next.pool === "worker" && !task.run && backlogIsShort(world)) return explainBudget(world);
  if (next.kind === "slot") return explainSlot(task, next.pool, world);
  const ahead = world.ahead(task.id);
  const of = { owner: "processor", until: null } as const;
  if (ahead.length > 0)
    return {
      ...of,
      code: "queue",
      reason: `merge queue: behind ${ahead[0]} on ${task.terms.base}, place ${ahead.length + 1}`,
      tasks: ahead,
    };
  if (world.reading(task.id)) return { ...of, code: "effect", reason: `${next.kind} is under way`, tasks: [] };
  return { ...of, code: "acting", reason: "it goes on at the next tick", tasks: [] };
}
