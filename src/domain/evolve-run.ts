import type { Apply } from "./evolve.ts";
import { isChore } from "./intent.ts";
import { parseLeg } from "./names.ts";
import type { Running, Task } from "./task.ts";

const running = (task: Task, leg: string, change: (doing: Running) => Running): Task =>
  task.doing.kind === "running" && task.doing.leg === leg ? { ...task, doing: change(task.doing) } : task;

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
  "worker-spawned": (task, { leg, purpose, host, at, deadline }) => ({
    ...task,
    doing: {
      kind: "running",
      purpose,
      leg,
      host,
      since: at,
      deadline,
      ended: false,
      verdictSince: null,
      unseen: null,
      stopping: null,
    },
  }),
  "worker-seen": (task, { leg, ended, unseen, verdictSince }) =>
    running(task, leg, (doing) => ({ ...doing, ended, unseen, verdictSince })),
  "worker-stopping": (task, { leg, why }) => running(task, leg, (doing) => ({ ...doing, stopping: why })),
  "worker-ended": (task, { leg }) =>
    task.doing.kind === "running" && task.doing.leg === leg ? { ...task, doing: { kind: "nothing" } } : task,
  "worker-crashed": (task) => task,
  "action-unsure": (task, { visit }) => ({ ...task, unsure: visit }),
  // time that nobody lived through moves everything a worker is judged by; a person's `extend` its deadline alone
  "deadline-shifted": (task, { ms, extended }) => {
    if (task.doing.kind !== "running") return task;
    const { deadline, verdictSince } = task.doing;
    const since = extended || verdictSince === null ? verdictSince : ((verdictSince + ms) as Running["deadline"]);
    return { ...task, doing: { ...task.doing, deadline: (deadline + ms) as Running["deadline"], verdictSince: since } };
  },
} satisfies Partial<Apply>;
