import { NOTHING } from "./budget.ts";
import { infraWorks, waitForInfra } from "./infra.ts";
import type { EffectResult, Input } from "./input.ts";
import type { TraceIntent } from "./intent.ts";
import { fail, type Rules } from "./move.ts";
import type { Instant } from "./names.ts";
import { settleCandidate, settleForge } from "./settle-forge.ts";
import { settleRefusal } from "./settle-refusal.ts";
import type { Running } from "./task.ts";
import type { Turn } from "./turn.ts";

/** How an effect ended: it is closed, and what it made or why it was refused is concluded. */
export function settleEffect(
  turn: Turn,
  { key, result }: Extract<Input, { kind: "effect-ended" }>,
  rules: Rules,
): void {
  const { doing } = turn.task();
  if (doing.kind === "effect" && doing.intent.key === key) {
    close(turn, key, result);
    return settleStep(turn, doing.intent, result, rules);
  }
  if (isCandidate(turn, key)) return settleCandidate(turn, result, rules);
  turn.note({ kind: "input-ignored", why: `${key} is not under way` });
}

/** The end of an effect that holds up nothing; false: it is none of this task's. */
export function settleChore(turn: Turn, { key, result }: Extract<Input, { kind: "effect-ended" }>): boolean {
  const chore = turn.task().chores.find((one) => one.key === key);
  if (!chore) return false;
  close(turn, key, result);
  if (chore.kind === "stop" && result.kind === "refused") unstoppable(turn, chore.leg, result.detail);
  return true;
}

/** Nobody asks again by himself: its host owns the next move, and says so. */
function unstoppable(turn: Turn, leg: Running["leg"], detail: string): void {
  const { doing } = turn.task();
  if (doing.kind !== "running" || doing.leg !== leg || doing.ended) return;
  const { ended, verdictSince } = doing;
  turn.note({ kind: "worker-seen", leg, ended, unseen: `it could not be stopped: ${detail}`, verdictSince });
}

function close(turn: Turn, key: TraceIntent["key"], result: EffectResult): void {
  turn.note({ kind: "effect-closed", key, ending: result.kind, detail: result.kind === "done" ? null : result.detail });
}

/** The end of a prepare-merge: a read, so no row says that it is under way; it counts for the visit that asked. */
function isCandidate(turn: Turn, key: string): boolean {
  const { id, visit, doing, status } = turn.task();
  return status === "in-progress" && doing.kind === "nothing" && key.startsWith(`${id}/${visit}/prepare-merge/`);
}

function settleStep(turn: Turn, intent: TraceIntent, result: EffectResult, rules: Rules): void {
  if (result.kind !== "done") returnReserve(turn, intent);
  const { cancelling } = turn.task();
  if (result.kind !== "done" && cancelling !== null) return fail(turn, cancelling);
  if (result.kind === "later")
    return waitForInfra(turn, rules, {
      code: "effect",
      owner: result.owner,
      reason: `${intent.kind}: ${result.detail}`,
      until: result.until,
    });
  if (result.kind === "refused") return settleRefusal(turn, intent, result, rules);
  if (intent.kind === "spawn") return spawned(turn, intent, result);
  infraWorks(turn);
  settleForge(turn, intent, result.made, rules);
}

/** A spawn that certainly did not happen has cost nothing. */
function returnReserve(turn: Turn, intent: TraceIntent): void {
  if (intent.kind !== "spawn" || turn.task().run) return; // a later leg: its run goes on
  const { run, reserve } = intent.wish;
  turn.note({ kind: "budget-settled", run, reserved: reserve, amount: NOTHING, known: false, estimated: false });
}

/** processor.md, "Worker spawn": the handle is recorded. */
function spawned(
  turn: Turn,
  { wish, brief }: Extract<TraceIntent, { kind: "spawn" }>,
  { made, found }: Extract<EffectResult, { kind: "done" }>,
): void {
  if (made.what !== "leg") throw new TypeError(`a spawn made ${made.what}`);
  // the host's clock may have been set back; the log's never goes back, and a deadline is an instant of the log
  const at = found ? (Math.min(made.at, turn.now) as Instant) : turn.now;
  const deadline = (at + wish.wallMs) as Instant;
  const { purpose } = wish;
  const opens = purpose === "agent" && !turn.task().run ? { opens: { wish, brief } } : {};
  turn.note({ kind: "worker-spawned", leg: made.leg, purpose, host: made.host, at, deadline, ...opens });
  const { cancelling } = turn.task();
  if (cancelling !== null) {
    turn.note({ kind: "worker-stopping", leg: made.leg, why: "cancel" });
    turn.chore({ kind: "stop", leg: made.leg, why: "cancel" });
  }
}
