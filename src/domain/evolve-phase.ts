import type { Apply } from "./evolve.ts";
import type { Instant } from "./names.ts";
import type { Task } from "./task.ts";
import { termsOf } from "./terms.ts";

const IDLE = { kind: "nothing" } as const;
/** Notes and answer ids kept with a row: enough for a prompt, and to know an answer that comes twice. */
const KEPT = 50;

/** Facts about where a task is and what it waits for. */
export const phaseFacts = {
  "task-added": (task, { spec, terms }) => ({ ...task, spec, terms, gone: false }),
  "task-respecified": (task, { spec, terms }) => ({
    ...task,
    spec,
    gone: false,
    terms: termsOf(task, terms),
  }),
  "task-file-gone": (task) => ({ ...task, gone: true }),
  "task-picked-up": (task, { map, at }) => ({ ...task, status: "in-progress", map, started: at }),
  "task-remapped": (task, { map }) => ({ ...task, map }),
  "phase-entered": (task, fact) => ({
    ...task,
    phase: fact.phase,
    visit: fact.visit,
    round: fact.round,
    entered: fact.at,
    attempt: 0,
    n: 0,
    doing: IDLE,
    run: null,
    waitingSince: null,
    pausedSince: null,
    overdue: false,
    candidate: null,
    counts: { ...task.counts, tips: 0 },
  }),
  "asking-started": (task, { signal, at }) => ({
    ...task,
    doing: { kind: "asking", signal, since: at },
    waitingSince: task.waitingSince ?? at,
  }),
  "signal-answered": (task, { answer }) => ({
    ...task,
    answers: [...task.answers, answer.id].slice(-KEPT),
    notes: answer.message && answer.status === "approved" ? note(task, answer.by, answer.message) : task.notes,
  }),
  "approval-given": (task, { approval }) => ({
    ...task,
    approvals: [...task.approvals.filter((a) => a.phase !== approval.phase), approval],
  }),
  "approval-voided": (task, { phase }) => ({ ...task, approvals: task.approvals.filter((a) => a.phase !== phase) }),
  "finding-opened": (task, { finding }) => ({ ...task, findings: [...task.findings, finding] }),
  "finding-repeated": withFinding,
  "finding-fixed": withFinding,
  "finding-waived": withFinding,
  "counter-raised": (task, { counter, at }) => ({
    ...task,
    counts: { ...task.counts, [counter]: task.counts[counter] + 1 },
    infraSince: counter === "infra" ? (task.infraSince ?? at) : task.infraSince,
  }),
  "counters-cleared": (task, { counters }) => ({
    ...task,
    counts: { ...task.counts, ...Object.fromEntries(counters.map((name) => [name, 0])) },
    infraSince: counters.includes("infra") ? null : task.infraSince,
  }),
  "task-waiting": (task, { on }) => ({
    ...task,
    doing: { kind: "waiting", on },
    ...(on.code === "action-wait" ? goOnWaiting(task, on.since) : {}),
  }),
  "task-released": (task, { at }) => ({
    ...task,
    doing: IDLE,
    pausedSince: task.doing.kind === "waiting" && task.doing.on.code === "action-wait" ? at : task.pausedSince,
  }),
  "task-overdue": (task) => ({ ...task, overdue: true }),
  "cancel-asked": (task, { why }) => ({ ...task, cancelling: why }),
  "task-retried": (task) => ({
    ...task,
    status: "in-progress",
    round: 0,
    counts: { crashes: 0, infra: 0, conflicts: 0, tips: 0 },
    infraSince: null,
    conflict: null,
    cancelling: null,
    why: null,
    finished: null,
    findings: task.findings.map((f) => (f.state === "open" ? { ...f, seen: 1, reopened: 0 } : f)),
  }),
  "task-completed": (task, { evidence, at }) => ({
    ...task,
    status: "completed",
    phase: null,
    doing: IDLE,
    run: null,
    why: evidence,
    finished: at,
  }),
  "task-failed": (task, { why, at }) => ({
    ...task,
    status: "failed",
    doing: IDLE,
    run: null,
    why,
    finished: at,
    started: task.started ?? at,
  }),
  "input-ignored": (task) => task,
} satisfies Partial<Apply>;

function goOnWaiting({ waitingSince, pausedSince }: Task, since: Instant): Pick<Task, "waitingSince" | "pausedSince"> {
  if (waitingSince === null) return { waitingSince: since, pausedSince: null };
  return { waitingSince: (waitingSince + since - (pausedSince ?? since)) as Instant, pausedSince: null };
}

function withFinding(task: Task, { finding }: { readonly finding: Task["findings"][number] }): Task {
  return { ...task, findings: task.findings.map((f) => (f.id === finding.id ? finding : f)) };
}

const note = (task: Task, from: string, text: string): Task["notes"] =>
  [...task.notes, { from, text, phase: task.phase! }].slice(-KEPT);
