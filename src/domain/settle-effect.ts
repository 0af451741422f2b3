import { NOTHING } from "./budget.ts";
import { waitForInfra } from "./infra.ts";
import type { EffectResult, Input } from "./input.ts";
import type { TraceIntent } from "./intent.ts";
import type { Rules } from "./move.ts";
import type { Instant } from "./names.ts";
import { settleCandidate, settleForge } from "./settle-forge.ts";
import { settleRefusal } from "./settle-refusal.ts";
import type { Turn } from "./turn.ts";

/** How an effect ended: it is closed, and what it made or why it was refused is concluded. */
export function settleEffect(
  turn: Turn,
  { key, result }: Extract<Input, { kind: "effect-ended" }>,
  rules: Rules,
): void {
  const { doing, chores } = turn.task();
  if (chores.some((chore) => chore.key === key)) return close(turn, key, result);
  if (doing.kind === "effect" && doing.intent.key === key) {
    close(turn, key, result);
    return settleStep(turn, doing.intent, result, rules);
  }
  if (isCandidate(turn, key)) return settleCandidate(turn, result, rules);
  turn.note({ kind: "input-ignored", why: `${key} is not under way` });
}

function close(turn: Turn, key: TraceIntent["key"], result: EffectResult): void {
  turn.note({ kind: "effect-closed", key, ending: result.kind, detail: result.kind === "done" ? null : result.detail });
}

/** The end of a prepare-merge: a read, so no row says that it is under way; it counts for the visit that asked. */
function isCandidate(turn: Turn, key: string): boolean {
  const { id, visit, doing } = turn.task();
  return doing.kind === "nothing" && key.startsWith(`${id}/${visit}/prepare-merge/`);
}

function settleStep(turn: Turn, intent: TraceIntent, result: EffectResult, rules: Rules): void {
  if (result.kind === "later") {
    returnReserve(turn, intent);
    return waitForInfra(turn, rules, {
      code: "effect",
      owner: result.owner,
      reason: `${intent.kind}: ${result.detail}`,
      until: result.until,
    });
  }
  if (result.kind === "refused") {
    returnReserve(turn, intent);
    return settleRefusal(turn, intent, result, rules);
  }
  if (intent.kind === "spawn") return spawned(turn, intent, result);
  settleForge(turn, intent, result.made, rules);
}

/** A spawn that certainly did not happen has cost nothing. */
function returnReserve(turn: Turn, intent: TraceIntent): void {
  if (intent.kind !== "spawn") return;
  const { run, reserve } = intent.wish;
  turn.note({ kind: "budget-settled", run, reserved: reserve, amount: NOTHING, known: false, estimated: false });
}

/** processor.md, "Worker spawn": the handle is recorded. */
function spawned(
  turn: Turn,
  { wish }: Extract<TraceIntent, { kind: "spawn" }>,
  { made }: Extract<EffectResult, { kind: "done" }>,
): void {
  if (made.what !== "leg") throw new TypeError(`a spawn made ${made.what}`);
  const deadline = (made.at + wish.wallMs) as Instant;
  turn.note({ kind: "worker-spawned", leg: made.leg, purpose: wish.purpose, host: made.host, at: made.at, deadline });
  const { cancelling } = turn.task();
  if (cancelling !== null) {
    turn.note({ kind: "worker-stopping", leg: made.leg, why: "cancel" });
    turn.chore({ kind: "stop", leg: made.leg, why: "cancel" });
  }
}
