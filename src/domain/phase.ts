import type { MapHash, Ms, PhaseName } from "./names.ts";

/**
 * What a phase runs. `pr`: a pull request must be there first. `checkout: clean` is a throw-away checkout of the
 * task's head (a verifier's); `branch` is the task's own worktree.
 */
export type Step =
  | { readonly run: "agent"; readonly role: string; readonly checkout: "branch" | "clean"; readonly pr: false }
  | { readonly run: "action"; readonly name: string; readonly how: "merge" | "mark-ready"; readonly pr: boolean }
  | {
      readonly run: "action";
      readonly name: string;
      readonly how: "command";
      readonly pr: boolean;
      /** May be run again when a crash hid how it ended. */
      readonly idempotent: boolean;
      /** A command that says whether it happened (exit 0) or not (exit 1) is configured. */
      readonly canAsk: boolean;
      /** by when one run of it ends */
      readonly wallMs: Ms;
    }
  | { readonly run: "signal"; readonly name: string; readonly pr: boolean; readonly answeredBy: "human" | "command" };

/** `done` is no phase: it says the task is completed. */
export type Target = PhaseName | "done";

export interface Phase {
  readonly name: PhaseName;
  readonly step: Step;
  /** ADVANCE */
  readonly onPass: Target;
  /** RETRY, one round more */
  readonly onFail: PhaseName;
  /** WAIT of a pending signal or of an action; the phase itself by default */
  readonly onWait: PhaseName;
  /** merge conflict, no round; null: RETRY */
  readonly onConflict: PhaseName | null;
  /** bounds the time in WAIT here; null: no bound */
  readonly timeoutMs: Ms | null;
  /** where a passed timeout leads, no round; null: one notification, and the waiting goes on */
  readonly escalate: PhaseName | null;
  /** a command run on the merge candidate before it lands (merge phases only) */
  readonly check: string | null;
}

/** A checked map. Plain data: it is stored as it is, under its hash. */
export interface PhaseMap {
  readonly hash: MapHash;
  /** `default`, `auto`, or the file's path */
  readonly name: string;
  readonly first: PhaseName;
  readonly phases: Readonly<Record<string, Phase>>;
  /** null: the limit of the settings counts */
  readonly maxRounds: number | null;
}

/** The phase of that name, or null when this map has none. */
export const phaseOf = (map: PhaseMap, name: PhaseName | null): Phase | null =>
  name === null ? null : Object.hasOwn(map.phases, name) ? map.phases[name]! : null;

/** The role of an agent phase, the name of an action or signal. */
export function whoOf(map: PhaseMap, phase: PhaseName | null): string {
  const step = phaseOf(map, phase)?.step;
  return step === undefined ? "" : step.run === "agent" ? step.role : step.name;
}

/** The phases that a task goes through if everything passes, from the first. */
function mainLine(map: PhaseMap): readonly Phase[] {
  const line: Phase[] = [];
  for (let phase = phaseOf(map, map.first); phase !== null && !line.includes(phase); ) {
    line.push(phase);
    phase = phase.onPass === "done" ? null : phaseOf(map, phase.onPass);
  }
  return line;
}

/** A worker in the task's own worktree: it can change something, and takes in what it finds there. */
export const isWork = ({ step }: Phase): boolean => step.run === "agent" && step.checkout === "branch";

/** Where work is done that `phase` needs: its on_fail, if that is work, else the first phase on the way that is; null: none. */
export function workFor(map: PhaseMap, phase: Phase): PhaseName | null {
  const near = phaseOf(map, phase.onFail);
  return near !== null && isWork(near) ? near.name : (mainLine(map).find(isWork)?.name ?? null);
}

/** The first phase that judges a head in a clean checkout, where `phase` comes after it; null: nobody judges before that. */
export function verifierBefore(map: PhaseMap, phase: Phase): PhaseName | null {
  const line = mainLine(map);
  const first = line.findIndex(({ step }) => step.run === "agent" && step.checkout === "clean");
  const at = line.findIndex(({ name }) => name === phase.name);
  return first < 0 || (at >= 0 && at <= first) ? null : line[first]!.name;
}

/** Whether anybody but who did the work says, on the way to the end, that it is done. Merging and the like judge nothing. */
export const isJudged = (map: PhaseMap): boolean =>
  mainLine(map).some((phase) => !isWork(phase) && (phase.step.run !== "action" || phase.step.how === "command"));

/** The phase that makes a draft a pull request; null: there is none. */
export const readierOf = (map: PhaseMap): PhaseName | null =>
  Object.values(map.phases).find(({ step }) => step.run === "action" && step.how === "mark-ready")?.name ?? null;

/** Whether a task on this map ends by a merge. */
export const merges = (map: PhaseMap): boolean =>
  Object.values(map.phases).some((phase) => phase.step.run === "action" && phase.step.how === "merge");
