import { UNLIMITED } from "../../src/domain/budget.ts";
import type { BlobHash, MapHash, PhaseName, TaskId } from "../../src/domain/names.ts";
import type { Phase, PhaseMap, Step, Target } from "../../src/domain/phase.ts";
import type { Terms } from "../../src/domain/task.ts";
import type { Random } from "./random.ts";

const STEPS: readonly Step[] = [
  { run: "agent", role: "implementer", checkout: "branch", pr: false },
  { run: "agent", role: "verifier", checkout: "clean", pr: false },
  { run: "signal", name: "human-approval", pr: true, answeredBy: "human" },
  { run: "signal", name: "window", pr: false, answeredBy: "command" },
  { run: "action", name: "changelog", how: "command", pr: false, idempotent: true, canAsk: false, wallMs: 60_000 },
  { run: "action", name: "deploy", how: "command", pr: false, idempotent: false, canAsk: true, wallMs: 60_000 },
  { run: "action", name: "mark-ready", how: "mark-ready", pr: true },
  { run: "action", name: "merge", how: "merge", pr: true },
];

/** A valid map: it begins with work, every phase is on a way to done, and what merges was marked ready before. */
export function randomMap(random: Random, n: number): PhaseMap {
  const merging = random.chance(0.7);
  const middle = Array.from({ length: random.below(3) }, () => STEPS[1 + random.below(5)]!);
  const steps: Step[] = [STEPS[0]!, ...middle, ...(merging ? [STEPS[6]!, STEPS[7]!] : [])];
  const names = steps.map((step, i) => `${"role" in step ? step.role : step.name}-${i}` as PhaseName);
  const phases: Record<string, Phase> = {};
  steps.forEach((step, i) => {
    const earlier = () => names[random.below(i + 1)]!;
    const target: Target = names[i + 1] ?? "done";
    phases[names[i]!] = {
      name: names[i]!,
      step,
      onPass: target,
      onFail: earlier(),
      onWait: step.run === "signal" && random.chance(0.2) ? earlier() : names[i]!,
      onConflict: step.run === "action" && step.how === "merge" && random.chance(0.7) ? names[0]! : null,
      timeoutMs: random.chance(0.3) ? 60_000 * (1 + random.below(60)) : null,
      escalate: random.chance(0.3) ? earlier() : null,
      check: step.run === "action" && step.how === "merge" && random.chance(0.4) ? "true" : null,
    };
  });
  return {
    hash: `map-${n}` as MapHash,
    name: "default",
    first: names[0]!,
    phases,
    maxRounds: random.chance(0.5) ? 3 + random.below(8) : null,
  };
}

export function randomTerms(random: Random, id: TaskId, earlier: readonly TaskId[]): Terms {
  const deps = random.shuffle(earlier).slice(0, random.chance(0.5) ? random.below(3) : 0);
  return {
    title: `Title of ${id}`,
    deps,
    phases: "default",
    base: random.chance(0.9) ? "main" : "next",
    branch: `pawl/${id}`,
    touches: random.chance(0.3) ? [`src/${random.pick(["a", "b", "c"])}/**`] : [],
    maxRounds: random.chance(0.1) ? 2 : null,
    wallMs: 600_000,
    limit: random.chance(0.2) ? { ...UNLIMITED, spawns: 2 + random.below(6) } : UNLIMITED,
    draft: false,
  };
}
export const specOf = (id: TaskId): BlobHash => `sha256-${id}` as BlobHash;
