import { counted, endingOf } from "./ending.ts";
import type { Apply } from "./evolve.ts";
import { type AtGate, type Gate, NO, type OpenRun } from "./gate.ts";
import type { RunEnd } from "./input.ts";
import { isChore } from "./intent.ts";
import { type HostName, type Instant, type LegKey, parseLeg } from "./names.ts";
import type { Doing, Running, Task } from "./task.ts";

const running = (task: Task, leg: string, change: (doing: Running) => Running): Task =>
  task.doing.kind === "running" && task.doing.leg === leg ? { ...task, doing: change(task.doing) } : task;

const sentBackAgain = ({ sentBack }: OpenRun, gate: Gate): NonNullable<OpenRun["sentBack"]> => ({
  ...sentBack,
  [gate]: (sentBack?.[gate] ?? 0) + 1,
});

/** The leg that lives, or that waits at its gate. */
const ofLeg = (doing: Doing, leg: string): doing is Running | AtGate =>
  (doing.kind === "running" || doing.kind === "at-gate") && doing.leg === leg;

const atWork = (of: { leg: LegKey; host: HostName; since: Instant; deadline: Instant }): Running => ({
  kind: "running",
  purpose: "agent",
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
  ...of,
});

/** What is known of a run whose leg was started: its first one makes it, the others only count. */
function openedRun({ run }: Task, leg: LegKey, opens: Pick<OpenRun, "wish" | "brief"> | undefined): OpenRun | null {
  const legs = parseLeg(leg).leg;
  if (opens) return { ...opens, legs, leftMs: opens.wish.wallMs, answer: null };
  return run ? { ...run, legs } : null;
}

const leftOf = (doing: Doing, at: Instant, otherwise: number): number =>
  doing.kind === "running" ? Math.max(0, doing.deadline - at) : otherwise;

/** What ends a user's command has its own outcome, and is not counted here. */
const countedEnd = ({ doing, endings = {}, ledger }: Task, end: RunEnd): Partial<Pick<Task, "endings" | "ledger">> =>
  doing.kind === "running" && doing.purpose !== "agent"
    ? {}
    : {
        endings: counted(endings, endingOf(end)),
        ...(end.unpriced ? { ledger: { ...ledger, unpriced: true as const } } : {}),
      };

/** A verifier works on a clean checkout of the task's head, and brings none of its own. */
const criteriaOf = (task: Task, end: RunEnd): Pick<Task, "criteria"> => {
  const head = end.head ?? task.head;
  return end.how === "verdict" && end.criteria && head ? { criteria: { ...end.criteria, head } } : {};
};

const ofGate = ({ doing }: Task, leg: string): boolean => doing.kind === "at-gate" && doing.leg === leg;

const atGate = (task: Task, seq: number, change: (doing: AtGate) => AtGate): Task =>
  task.doing.kind === "at-gate" && task.doing.seq === seq ? { ...task, doing: change(task.doing) } : task;

/** A leg that ended at its gate although nobody wants the answer any more: it is to be read. */
const endedAtGate = (doing: AtGate, ended: boolean): Doing =>
  ended
    ? {
        ...atWork({ leg: doing.leg, host: doing.host, since: doing.since, deadline: doing.since }),
        ended,
        stopping: doing.stopping,
      }
    : doing;

/** Facts about effects and runs. */
export const runFacts = {
  "effect-intended": (task, { intent, at }) => {
    const counted = { ...task, n: task.n + 1 };
    if (isChore(intent)) return { ...counted, chores: [...task.chores, intent] };
    const attempt = intent.kind === "spawn" ? parseLeg(intent.wish.leg).attempt : task.attempt;
    return { ...counted, attempt, doing: { kind: "effect", intent, since: at } };
  },
  "effect-closed": (task, { key }) => ({
    ...task,
    chores: task.chores.some((chore) => chore.key === key)
      ? task.chores.filter((chore) => chore.key !== key)
      : task.chores,
    doing: task.doing.kind === "effect" && task.doing.intent.key === key ? { kind: "nothing" } : task.doing,
  }),
  "worker-spawned": (task, { leg, purpose, host, at, deadline, opens }) => ({
    ...task,
    run: openedRun(task, leg, opens),
    doing: { ...atWork({ leg, host, since: at, deadline }), purpose },
  }),
  "worker-seen": (task, { leg, ended, unseen, verdictSince }) =>
    ofGate(task, leg)
      ? { ...task, doing: endedAtGate(task.doing as AtGate, ended) }
      : running(task, leg, (doing) => ({ ...doing, ended, unseen, verdictSince })),
  "worker-asked": (task, { leg, question }) => running(task, leg, (doing) => ({ ...doing, asks: question })),
  "worker-stopping": (task, { leg, why }) =>
    ofLeg(task.doing, leg) ? { ...task, doing: { ...task.doing, stopping: why } } : task,
  "worker-ended": (task, { leg, end }) =>
    ofLeg(task.doing, leg)
      ? { ...task, run: null, doing: { kind: "nothing" }, ...countedEnd(task, end), ...criteriaOf(task, end) }
      : task,
  "gate-opened": (task, { leg, gate, seq, submission, head, alive, owners, at, until }) => {
    if (!ofLeg(task.doing, leg) || !task.run) return task;
    const { host, stopping } = task.doing;
    const run = { ...task.run, leftMs: leftOf(task.doing, at, task.run.leftMs) };
    const doing = {
      kind: "at-gate",
      leg,
      host,
      gate,
      seq,
      submission,
      head,
      alive,
      since: at,
      until,
      owners,
      stopping,
    };
    return { ...task, run, doing: doing as AtGate };
  },
  "gate-passed": (task, { seq, owner }) =>
    atGate(task, seq, (doing) => ({ ...doing, owners: doing.owners.filter((one) => one !== owner) })),
  "gate-overdue": (task, { seq }) => atGate(task, seq, (doing) => ({ ...doing, until: null })),
  "gate-answered": (task, { answer, at }) => {
    const { doing, run } = task;
    if (doing.kind !== "at-gate" || !run) return task;
    const deadline = (at + run.leftMs) as Instant;
    const live = { ...atWork({ leg: doing.leg, host: doing.host, since: at, deadline }), stopping: doing.stopping };
    const back = answer.word === NO[doing.gate] ? { sentBack: sentBackAgain(run, doing.gate) } : {};
    return { ...task, run: { ...run, answer, ...back }, doing: doing.alive ? live : { kind: "nothing" } };
  },
  "worker-parked": (task, { leg, at }) => {
    if (!ofLeg(task.doing, leg) || !task.run) return task;
    const run = { ...task.run, leftMs: leftOf(task.doing, at, task.run.leftMs) };
    const doing: Doing =
      task.doing.kind === "at-gate" ? { ...task.doing, alive: false, stopping: null } : { kind: "nothing" };
    return { ...task, run, doing };
  },
  "worker-crashed": (task) => task,
  "action-unsure": (task, { visit }) => ({ ...task, unsure: visit }),
  // time that nobody lived through moves everything a worker is judged by; a person's `extend` its deadline alone
  "deadline-shifted": (task, { ms, extended }) => {
    if (task.doing.kind !== "running")
      return extended && task.run ? { ...task, run: { ...task.run, leftMs: task.run.leftMs + ms } } : task;
    const { deadline, verdictSince } = task.doing;
    const since = extended || verdictSince === null ? verdictSince : ((verdictSince + ms) as Running["deadline"]);
    return { ...task, doing: { ...task.doing, deadline: (deadline + ms) as Running["deadline"], verdictSince: since } };
  },
} satisfies Partial<Apply>;
