import { staleApproval } from "./approvals.ts";
import { waitForInfra } from "./infra.ts";
import type { EffectResult } from "./input.ts";
import type { IntentKind } from "./intent.ts";
import { mergedByHand, move, type Rules, wait } from "./move.ts";
import type { Instant, Ms } from "./names.ts";
import { phaseOf, verifierBefore } from "./phase.ts";
import type { Task, WaitCode } from "./task.ts";
import type { Turn } from "./turn.ts";

type Refused = Extract<EffectResult, { kind: "refused" }>;

/** The tip of the base moved so often while a merge was prepared: then it waits its turn. */
const TIP_TRIES = 3;
const TIP_WAIT_MS: Ms = 30_000;
/** A dirty checkout of the base is looked at again by itself. */
const DIRTY_LOOK_MS: Ms = 10_000;

/** A certain no of the outside, and what it means for the task. */
export function settleRefusal(turn: Turn, intent: { readonly kind: IntentKind }, no: Refused, rules: Rules): void {
  const source = turn.task().phase!;
  switch (no.code) {
    case "conflict":
      return move(turn, rules, {
        kind: "CONFLICT",
        tip: no.actual,
        findings: conflictFindings(no, turn.task().terms.base),
      });
    case "tip-moved":
      return tipMoved(turn, rules, no);
    case "head-moved":
      return headMoved(turn, intent, no, rules);
    case "nothing-to-do":
    case "not-fast-forward":
      if (isMerged(turn.task(), intent, no)) return mergedByHand(turn, turn.task().head!, rules);
      return move(turn, rules, {
        kind: "RETRY",
        cause: "action",
        source,
        findings: [{ key: no.code, text: no.detail }],
        complete: false,
      });
    case "branch-gone":
      return turn.note({ kind: "branch-lost", why: no.detail }); // published again at the next look
    case "closed":
      return held(turn, "pr-closed", no.detail);
    case "base-dirty":
      return dirty(turn, no.detail);
    case "base-gone":
      return held(turn, "base-gone", no.detail);
    case "denied":
    case "invalid":
      if (intent.kind === "spawn")
        return waitForInfra(turn, rules, { code: "host", owner: "host", reason: no.detail, until: null });
      return held(turn, "denied", no.detail);
  }
}

/** Commits that were ahead of the base and are not any more are on it: somebody merged them before there was a pull request. */
const isMerged = ({ change }: Task, intent: { readonly kind: IntentKind }, { code }: Refused): boolean =>
  intent.kind === "open-pr" && code === "nothing-to-do" && (change?.commits ?? 0) > 0;

/** Looked at again by itself every few seconds; the person is told once. */
function dirty(turn: Turn, reason: string): void {
  const told = turn.task().counts.infra > 0;
  turn.note({ kind: "counter-raised", counter: "infra", at: turn.now });
  const until = (turn.now + DIRTY_LOOK_MS) as Instant;
  const on = { code: "base-dirty", owner: "human", reason, since: turn.now, until } as const;
  if (told) turn.note({ kind: "task-waiting", on });
  else wait(turn, on);
}

const held = (turn: Turn, code: WaitCode, reason: string): void =>
  wait(turn, { code, owner: "human", reason, since: turn.now, until: null });

/** One finding per file, so that the next worker is told where to look (architecture 6.8). */
function conflictFindings(no: Refused, base: string) {
  const tip = no.actual?.slice(0, 12);
  const how = tip ? `git merge ${tip} (${base}), and resolve it` : `merge ${base} into the branch, and resolve it`;
  const files = no.files.length > 0 ? no.files : [null];
  return files.map((file) => ({
    key: `conflict:${file ?? ""}`,
    text: `merge conflict with ${base}${file ? ` in ${file}` : ""}: ${how}`,
    ...(file === null ? {} : { file }),
  }));
}

function tipMoved(turn: Turn, rules: Rules, no: Refused): void {
  turn.note({ kind: "candidate-dropped", why: no.detail });
  turn.note({ kind: "counter-raised", counter: "tips", at: turn.now });
  if (turn.task().counts.tips < TIP_TRIES) return;
  turn.note({ kind: "counters-cleared", counters: ["tips"] });
  const until = (turn.now + TIP_WAIT_MS) as Instant;
  const reason = `the tip of ${turn.task().terms.base} moved ${TIP_TRIES} times while the merge was prepared`;
  move(turn, rules, {
    kind: "WAIT",
    on: { code: "effect", owner: "processor", reason, since: turn.now, until },
    stays: true,
  });
}

/** Somebody else moved the branch: an approval of the old head is void, work that was not published has to take it in. */
function headMoved(turn: Turn, intent: { readonly kind: IntentKind }, no: Refused, rules: Rules): void {
  if (intent.kind === "spawn") return held(turn, "host", no.detail);
  const { terms, change } = turn.task();
  if (no.actual === null) return turn.note({ kind: "branch-lost", why: no.detail });
  if (intent.kind === "publish") {
    turn.note({ kind: "branch-published", head: no.actual });
    const text = `${terms.branch} was moved to ${no.actual.slice(0, 7)} by somebody else while this was worked on: merge that commit into the branch`;
    return move(turn, rules, { kind: "CONFLICT", tip: null, findings: [{ key: "moved", text }] });
  }
  // nobody has looked into it yet: whatever the policy, no approval is for this patch
  turn.note({ kind: "head-moved", head: no.actual, change: change && { ...change, patchId: null }, foreign: true });
  turn.note({ kind: "branch-published", head: no.actual });
  const verifier = verifierBefore(rules.map, phaseOf(rules.map, turn.task().phase)!);
  if (verifier !== null) return move(turn, rules, { kind: "BACK", to: verifier, why: "foreign" });
  const gate = staleApproval(turn.task(), rules.map, rules.limits);
  if (gate) return move(turn, rules, { kind: "VOID", gate: gate.phase, head: no.actual });
  move(turn, rules, {
    kind: "CONFLICT",
    tip: null,
    findings: [
      {
        key: "moved",
        text: `${terms.branch} was moved to ${no.actual.slice(0, 7)} by somebody else: look at it again`,
      },
    ],
  });
}
