import { NOTHING } from "../../src/domain/budget.ts";
import type { EffectResult, Input, RefusalCode, RunEnd } from "../../src/domain/input.ts";
import type { Intent, TraceIntent } from "../../src/domain/intent.ts";
import type { Commit, HostName, Instant } from "../../src/domain/names.ts";
import type { Change, Purpose, Task } from "../../src/domain/task.ts";
import type { Random } from "./random.ts";

const change = (commits: number): Change => ({
  commits,
  files: commits,
  added: commits,
  deleted: 0,
  patchId: commits ? `patch-${commits}` : null,
});
let commits = 0;
const commit = (): Commit => (++commits).toString(16).padStart(40, "0") as Commit;

/** A far end that answers anything it may answer. `kind`: the more, the more it lets things succeed (0 … 1). */
export function answer(
  random: Random,
  intent: TraceIntent | Extract<Intent, { kind: "prepare-merge" }>,
  { now, kind }: { now: Instant; kind: number },
): EffectResult {
  if (random.chance((1 - kind) * 0.1))
    return {
      kind: "later",
      until: random.chance(0.5) ? ((now + 5_000) as Instant) : null,
      owner: "host",
      detail: "not now",
    };
  if (random.chance((1 - kind) * 0.25)) return refusal(random, intent);
  return { kind: "done", made: made(intent, now), found: random.chance(0.1) };
}

const REFUSALS: Readonly<Record<string, readonly RefusalCode[]>> = {
  spawn: ["head-moved", "base-gone", "invalid"],
  publish: ["head-moved", "not-fast-forward", "denied"],
  "open-pr": ["nothing-to-do", "branch-gone", "closed"],
  "mark-ready": ["closed", "branch-gone"],
  "prepare-merge": ["conflict", "nothing-to-do", "base-gone"],
  land: ["head-moved", "tip-moved", "base-dirty", "closed"],
};
function refusal(random: Random, intent: Intent): EffectResult {
  const code: RefusalCode = random.pick<RefusalCode>(REFUSALS[intent.kind] ?? ["denied"]);
  return {
    kind: "refused",
    code,
    detail: `${intent.kind} refused: ${code}`,
    files: code === "conflict" ? ["src/a.ts"] : [],
    actual: code.endsWith("moved") ? commit() : null,
  };
}

function made(intent: Intent, now: Instant): Extract<EffectResult, { kind: "done" }>["made"] {
  switch (intent.kind) {
    case "spawn":
      return { what: "leg", leg: intent.wish.leg, host: "here" as HostName, at: now };
    case "open-pr":
      return { what: "pr", url: `pawl://pr/${intent.task}` };
    case "prepare-merge":
      return commits % 7 === 0
        ? { what: "merge", commit: commit(), onBase: true }
        : { what: "candidate", tip: commit(), commit: commit() };
    case "land":
      return { what: "merge", commit: intent.candidate, onBase: commits % 5 > 0 };
    default:
      return { what: "nothing" };
  }
}

/** How a run may end. */
export function runEnd(
  random: Random,
  task: Task,
  { purpose, clean, now, kind }: { purpose: Purpose; clean: boolean; now: Instant; kind: number },
): RunEnd {
  const moved = purpose === "agent" && !clean && random.chance(0.5 + kind / 2);
  const ahead = (task.change?.commits ?? 0) + (moved ? 1 : 0);
  const base = {
    usage: { ...NOTHING, wallMs: 1000, spawns: 1 },
    usageKnown: random.chance(0.5),
    head: moved ? commit() : clean ? null : task.head,
    change: moved ? change(ahead) : clean ? null : task.change,
  };
  if (purpose !== "agent") {
    const code = random.chance(kind) ? 0 : random.pick([1, 75, 2, null]);
    return { ...base, how: "exit", code, detail: "tail" };
  }
  if (random.chance(kind))
    return { ...base, how: "verdict", verdict: "PASS", detail: "", findings: [], complete: true };
  return random.pick<() => RunEnd>([
    () => ({
      ...base,
      how: "verdict",
      verdict: "FAIL",
      detail: `wrong ${random.pick(["a", "b", "c", "d", "e", "f", "g", "h"])}`,
      findings: [],
      complete: random.chance(0.5),
    }),
    () => ({ ...base, how: "verdict", verdict: "BLOCKED", detail: "cannot", findings: [], complete: false }),
    () => ({ ...base, how: "verdict", verdict: "NO_CHANGE", detail: "needs none", findings: [], complete: false }),
    () => ({ ...base, how: "no-verdict", detail: "worker completed without writing verdict" }),
    () => ({ ...base, how: "timeout", detail: "timed out after 10 of 10 minutes" }),
    () => ({
      ...base,
      how: "rate-limited",
      until: random.chance(0.5) ? ((now + 60_000) as Instant) : null,
      detail: "429",
    }),
    () => ({ ...base, how: "killed", by: random.pick(["kill", "reboot"] as const), detail: "gone" }),
    () => ({ ...base, how: random.pick(["auth", "stopped", "lost", "setup"] as const), detail: "no" }),
  ])();
}

/** What a forge may say of a branch that nobody asked about. */
export function branchNews(random: Random, task: Task): Input {
  const head = random.chance(0.6) ? task.published : commit();
  const pr = task.pr === null ? "none" : random.pick(["draft", "open", "closed"] as const);
  const merged = random.chance(0.1) ? commit() : null;
  return {
    kind: "branch-seen",
    task: task.id,
    branch: { head, change: change(2), pr: merged ? "merged" : pr, merged },
  };
}
