import { findingId } from "./findings.ts";
import type { Input, SignalAnswer } from "./input.ts";
import { move, type Rules, withdrawNoChange } from "./move.ts";
import type { Reported } from "./outcome.ts";
import type { Task } from "./task.ts";
import type { Turn } from "./turn.ts";

/** An answer to a signal step (processor.md, "Signal Handling at Gates"). */
export function settleSignal(
  turn: Turn,
  { signal, answer }: Extract<Input, { kind: "signal-seen" }>,
  rules: Rules,
): void {
  const { doing, answers, head } = turn.task();
  if (answers.includes(answer.id))
    return turn.note({ kind: "input-ignored", why: `answer ${answer.id} was taken already` });
  if (doing.kind !== "asking" || doing.signal !== signal)
    return turn.note({ kind: "input-ignored", why: `nobody asks ${signal} any more` });
  if (answer.head !== null && answer.head !== head)
    return turn.note({
      kind: "input-ignored",
      why: `the answer is about ${answer.head}, the task is at ${head ?? "no commit"}`,
    });
  closeThreads(turn, answer);
  const news = newThreads(turn.task(), answer);
  if (news.length > 0) return answered(turn, rules, signal, withThreads(answer, news));
  if (answer.status === "pending") return pending(turn, rules, signal);
  answered(turn, rules, signal, answer);
}

/** Closed by people: that is their word, whether the answer is a yes or a no. */
function closeThreads(turn: Turn, { over = [] }: SignalAnswer): void {
  const { phase, findings } = turn.task();
  const ids = new Set(over.map((key) => findingId(phase!, { key, text: "" })));
  for (const finding of findings)
    if (finding.state === "open" && ids.has(finding.id))
      turn.note({ kind: "finding-fixed", finding: { ...finding, state: "fixed" } });
}

/** What no worker was told yet: a conversation that is new, or has become another one since. */
function newThreads({ phase, findings }: Task, { threads = [] }: SignalAnswer): readonly Reported[] {
  const known = new Map(findings.map((finding) => [finding.id, finding]));
  return threads.filter((said) => {
    const old = known.get(findingId(phase!, said));
    return old === undefined || (old.state !== "waived" && old.text !== said.text);
  });
}

function withThreads(answer: SignalAnswer, news: readonly Reported[]): SignalAnswer {
  if (answer.status === "rejected") return { ...answer, findings: [...answer.findings, ...news] };
  // the yes that came with them counts later, when there is no news
  return { ...answer, id: `${answer.id}:news`, status: "rejected", message: null, findings: news };
}

/** Approved: ADVANCE, the message is kept as context. Rejected: RETRY, the message is a finding. */
export function answered(turn: Turn, rules: Rules, signal: string, answer: SignalAnswer): void {
  const { phase, head, change } = turn.task();
  turn.note({ kind: "signal-answered", signal, answer });
  if (answer.status === "approved") {
    const approval = { phase: phase!, by: answer.by, head, patchId: change?.patchId ?? null, at: turn.now };
    turn.note({ kind: "approval-given", approval });
    return move(turn, rules, { kind: "ADVANCE", note: answer.message });
  }
  withdrawNoChange(turn);
  const said =
    answer.findings.length > 0 ? answer.findings : [{ text: answer.message ?? `${signal}: rejected by ${answer.by}` }];
  move(turn, rules, {
    kind: "RETRY",
    cause: "signal",
    source: phase!,
    findings: said,
    complete: answer.complete ?? false,
  });
}

function pending(turn: Turn, rules: Rules, signal: string): void {
  const phase = rules.map.phases[turn.task().phase!]!;
  if (phase.onWait === phase.name) return; // it goes on asking: WAIT stays put
  const on = { code: "pending", owner: "human", reason: `${signal} is pending`, since: turn.now, until: null } as const;
  move(turn, rules, { kind: "WAIT", on, stays: false });
}
