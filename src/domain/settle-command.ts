import { NOTHING } from "./budget.ts";
import type { Fact } from "./fact.ts";
import { circling } from "./findings.ts";
import { type Gate, type GateSaid, SUBMITTED } from "./gate.ts";
import type { Command, Input } from "./input.ts";
import { enter, fail, type Rules } from "./move.ts";
import { legKey, parseLeg } from "./names.ts";
import { phaseOf, whoOf } from "./phase.ts";
import type { Setting } from "./settle.ts";
import { answerGate } from "./settle-gate.ts";
import { answered } from "./settle-signal.ts";
import type { Running, Task } from "./task.ts";
import { beginTurn, type Turn } from "./turn.ts";

type Received = Extract<Input, { kind: "command-received" }>;
/** What a person is told; `no` refuses, with what would fit. */
type Answer = { readonly yes: string } | { readonly no: string };

/** A request of another process: always answered, in the tick that takes it (architecture 4.5). */
export function settleCommand(start: Task | null, input: Received, setting: Setting): readonly Fact[] {
  const { id, command } = input;
  if (command.do === "stop") {
    const stop: Fact = { kind: "stop-asked", workers: command.workers, by: input.by };
    return [stop, reply(id, { yes: command.workers ? "stopping, and ending the workers" : "stopping; workers go on" })];
  }
  if (start === null) return [reply(id, { no: `no task is called ${input.task ?? "that"}` })];
  const turn = beginTurn(start, setting.now);
  const answer = obey(turn, command, input, setting);
  return [...turn.facts, reply(id, answer)];
}

const reply = (id: string, answer: Answer): Fact =>
  "yes" in answer
    ? { kind: "command-answered", id, accepted: true, reply: answer.yes }
    : { kind: "command-answered", id, accepted: false, reply: answer.no };

function obey(turn: Turn, command: Exclude<Command, { do: "stop" }>, input: Received, setting: Setting): Answer {
  const map = setting.map ?? setting.newest;
  const rules: Rules | null = map && { map, newest: setting.newest ?? map, limits: setting.backlog.limits };
  switch (command.do) {
    case "approve":
    case "reject":
      return judge(turn, command, input, rules);
    case "go":
    case "next":
    case "feedback":
    case "fix":
    case "block":
      return atGate(turn, command, input, rules);
    case "waive":
      return waive(turn, command);
    case "extend":
      return extend(turn, command, input, rules);
    case "retry":
      return retry(turn, command, input, { rules, unmet: setting.unmet });
    case "cancel":
      return cancel(turn, command, input);
    default:
      return unknown(command);
  }
}

/** Written by another release: its command line may know more than this processor, which lives longer than an update. */
const unknown = (command: never): Answer => ({
  no: `this processor does not know "${String((command as { do?: unknown }).do)}": it is of another release; pawl stop, then pawl run`,
});

function judge(
  turn: Turn,
  command: Extract<Command, { do: "approve" | "reject" }>,
  { id, by }: Received,
  rules: Rules | null,
): Answer {
  const { doing, head, status, id: task, phase } = turn.task();
  if (rules === null || doing.kind !== "asking")
    return { no: `${task} does not wait for an answer (${status}${phase ? ` at ${phase}` : ""}); pawl why ${task}` };
  const step = phaseOf(rules.map, phase)!.step;
  if (step.run === "signal" && step.answeredBy !== "human")
    return { no: `${task} waits for ${step.name}, which its own command answers` };
  if (command.head !== null && command.head !== head)
    return {
      no: `the head of ${task} is ${short(head)}, not ${short(command.head)}: look at it again (pawl show ${task} --diff)`,
    };
  const status_ = command.do === "approve" ? "approved" : "rejected";
  answered(turn, rules, doing.signal, {
    id: `command:${id}`,
    status: status_,
    head,
    by,
    message: command.message,
    findings: [],
  });
  return { yes: `${status_} ${short(head)} of ${task} as ${by}` };
}
const short = (commit: string | null): string => (commit === null ? "no commit" : commit.slice(0, 7));

function waive(turn: Turn, command: Extract<Command, { do: "waive" }>): Answer {
  const task = turn.task();
  const finding = task.findings.find(
    (f) => f.label.toLowerCase() === command.finding.toLowerCase() || f.id === command.finding,
  );
  if (!finding)
    return {
      no: `${task.id} has no finding ${command.finding}; it has ${task.findings.map((f) => f.label).join(", ") || "none"}`,
    };
  if (finding.state !== "open") return { no: `finding ${finding.label} of ${task.id} is ${finding.state} already` };
  turn.note({ kind: "finding-waived", finding: { ...finding, state: "waived" } });
  const { doing } = turn.task();
  if (doing.kind === "waiting" && doing.on.code === "findings" && circling(turn.task()).length === 0)
    turn.note({ kind: "task-released", at: turn.now });
  return { yes: `waived ${finding.label} of ${task.id}: ${command.message}` };
}

function extend(
  turn: Turn,
  command: Extract<Command, { do: "extend" }>,
  { id, by }: Received,
  rules: Rules | null,
): Answer {
  const { id: task, status, doing, n, phase } = turn.task();
  if (status === "not-started" || rules === null)
    return { no: `${task} has not started; write budget: and timeout_minutes: into its file` };
  if (status === "completed") return { no: `${task} is completed; a new task is a new file` };
  if (status === "failed") return { no: `${task} is failed; pawl retry ${task} opens it again` };
  turn.note({
    kind: "budget-extended",
    amount: { ...NOTHING, ...command.add, wallMs: command.add.wallMs + command.timeMs },
  });
  const leg = legOf(turn.task());
  if (leg !== null && command.timeMs > 0) {
    turn.note({ kind: "deadline-shifted", ms: command.timeMs, extended: true });
    const message = JSON.stringify({
      message_type: "EXTEND",
      agent_id: `${whoOf(rules.map, phase)}-${parseLeg(leg).run}`,
      task_id: task,
      in_reply_to: id,
      by,
      minutes: command.timeMs / 60_000,
      sent_at: new Date(turn.now).toISOString(),
    });
    turn.chore({ kind: "deliver", leg, name: `${String(n + 1).padStart(3, "0")}-EXTEND.json`, message });
  }
  if (doing.kind === "waiting" && doing.on.code === "budget") turn.note({ kind: "task-released", at: turn.now });
  return { yes: `extended ${task}` };
}

/** The leg whose run goes on: it is told of more time; null: there is none. */
function legOf({ doing, run }: Task): Running["leg"] | null {
  if (doing.kind === "running" || doing.kind === "at-gate") return doing.leg;
  return run ? legKey(run.wish.run, run.legs) : null;
}

type AtGateCommand = Extract<Command, { do: "go" | "next" | "feedback" | "fix" | "block" }>;

/** A person's answer at a gate counts before every other owner's. */
function atGate(turn: Turn, command: AtGateCommand, { by }: Received, rules: Rules | null): Answer {
  const { id, doing, status, phase } = turn.task();
  if (rules === null || doing.kind !== "at-gate")
    return { no: `${id} waits at no gate (${status}${phase ? ` at ${phase}` : ""}); pawl why ${id}` };
  const { gate, seq } = doing;
  const [yes, no] = gate === "GO" ? ["go", "feedback"] : ["next", "fix"];
  if (![yes, no, "block"].includes(command.do))
    return { no: `${id} waits at ${gate}: pawl ${yes} ${id} | pawl ${no} ${id} -m "…"` };
  if (command.seq !== null && command.seq !== seq)
    return { no: `${id} has submitted another ${SUBMITTED[gate]} since; pawl show ${id} --plan` };
  answerGate(turn, rules, { by, said: saidBy(command, gate) });
  return { yes: `${id} goes on: ${SAID[command.do]}` };
}
const SAID = { go: "GO", next: "NEXT", feedback: "FEEDBACK", fix: "FIX", block: "BLOCKED" } as const;

function saidBy(command: AtGateCommand, gate: Gate): GateSaid {
  const word = SAID[command.do];
  const isNo = command.do === "feedback" || command.do === "fix";
  const about = gate === "GO" ? ("plan" as const) : ("code" as const);
  const issues = isNo ? [{ id: "H1", text: command.message!, about }] : [];
  return { word, issues, reason: isNo ? null : command.message };
}

function retry(
  turn: Turn,
  command: Extract<Command, { do: "retry" }>,
  { by }: Received,
  { rules, unmet }: { rules: Rules | null; unmet: readonly string[] },
): Answer {
  const { id, status, doing, phase, pr } = turn.task();
  if (rules === null || status === "not-started") return { no: `${id} has not started; pawl why ${id}` };
  if (status === "completed") return { no: `${id} is completed; a new task is a new file` };
  if (status === "in-progress" && doing.kind !== "waiting")
    return { no: `${id} is ${saying(doing.kind)}, nothing to retry; pawl why ${id}` };
  if (turn.task().map === null && unmet.length > 0)
    return { no: `${id} cannot start before ${unmet.join(", ")}; retry it when that is completed and merged` };
  const to = command.from ?? phase ?? rules.map.first;
  const known = phaseOf(rules.map, to) ?? phaseOf(rules.newest, to);
  if (!known) return { no: `${id} has no phase ${to}; it has ${Object.keys(rules.newest.phases).join(", ")}` };
  if (turn.task().map === null) turn.note({ kind: "task-picked-up", map: rules.newest.hash, at: turn.now }); // failed before it began
  turn.note({ kind: "task-retried", by });
  if (pr !== null && doing.kind === "waiting" && doing.on.code === "pr-closed")
    turn.note({ kind: "pr-lost", url: pr, why: "closed" });
  enter(turn, rules, { to, round: 0, cause: "COMMAND" });
  return { yes: `${id} goes on at ${to}, with fresh counters` };
}
const saying = (kind: string): string =>
  ({
    running: "at work",
    "at-gate": "waiting at a gate",
    effect: "acting",
    asking: "waiting for an answer",
    nothing: "about to go on",
  })[kind] ?? kind;

function cancel(turn: Turn, command: Extract<Command, { do: "cancel" }>, { by }: Received): Answer {
  const { id, status, doing, cancelling } = turn.task();
  if (status === "completed" || status === "failed") return { no: `${id} is ${status} already` };
  if (cancelling !== null) return { no: `${id} is being cancelled already` };
  if (doing.kind === "effect" && doing.intent.kind === "land")
    return { no: `the merge of ${id} is under way; ask again when it is known` };
  const why = `cancelled by ${by}: ${command.message}`;
  if (doing.kind === "running" || (doing.kind === "at-gate" && doing.alive)) {
    turn.note({ kind: "cancel-asked", why });
    turn.note({ kind: "worker-stopping", leg: doing.leg, why: "cancel" });
    turn.chore({ kind: "stop", leg: doing.leg, why: "cancel" });
    return { yes: `${id} is being cancelled; its worker is told to stop` };
  }
  if (doing.kind === "effect") {
    turn.note({ kind: "cancel-asked", why });
    return { yes: `${id} is cancelled when its ${doing.intent.kind} has ended` };
  }
  fail(turn, why);
  return { yes: `cancelled ${id}; its branch and worktree stay` };
}
