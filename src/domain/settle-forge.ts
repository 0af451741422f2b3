import { infraWorks, waitForInfra } from "./infra.ts";
import type { EffectResult, Made } from "./input.ts";
import type { TraceIntent } from "./intent.ts";
import { mergedByHand, move, type Rules } from "./move.ts";
import { phaseOf } from "./phase.ts";
import { settleRefusal } from "./settle-refusal.ts";
import type { Turn } from "./turn.ts";

/** What a forge made: the branch published, the pull request, the merge (processor.md, "PR Lifecycle" and "Merge step"). */
export function settleForge(turn: Turn, intent: TraceIntent, made: Made, rules: Rules): void {
  switch (intent.kind) {
    case "publish":
      return turn.note({ kind: "branch-published", head: intent.to });
    case "open-pr":
      if (made.what === "pr") turn.note({ kind: "pr-opened", url: made.url });
      return;
    case "mark-ready":
      return readied(turn, intent.pr, rules);
    case "land":
      return landed(turn, made, rules);
    default:
      return;
  }
}

function readied(turn: Turn, url: string, rules: Rules): void {
  turn.note({ kind: "pr-readied", url });
  const step = phaseOf(rules.map, turn.task().phase)?.step;
  if (step?.run === "action" && step.how === "mark-ready") move(turn, rules, { kind: "ADVANCE", note: null });
}

function landed(turn: Turn, made: Made, rules: Rules): void {
  if (made.what !== "merge") throw new TypeError(`a merge made ${made.what}`);
  turn.note({ kind: "merge-landed", commit: made.commit, byHand: false });
  if (made.onBase) turn.note({ kind: "task-synced" });
  move(turn, rules, { kind: "ADVANCE", note: null });
}

/** The merge candidate, or why there is none. */
export function settleCandidate(turn: Turn, result: EffectResult, rules: Rules): void {
  if (result.kind === "later")
    return waitForInfra(turn, rules, {
      code: "effect",
      owner: result.owner,
      reason: `prepare-merge: ${result.detail}`,
      until: result.until,
    });
  if (result.kind === "refused") return settleRefusal(turn, { kind: "prepare-merge" }, result, rules);
  infraWorks(turn);
  const { made } = result;
  if (made.what === "merge") return mergedByHand(turn, made.commit, rules);
  if (made.what !== "candidate") throw new TypeError(`a prepare-merge made ${made.what}`);
  const { tip, commit } = made;
  turn.note({ kind: "candidate-made", tip, commit, head: turn.task().head! });
}
