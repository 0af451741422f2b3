import type { Glance } from "../../../adapters/store/glance.ts";
import { compareIds } from "../../../domain/names.ts";
import { phaseOf } from "../../../domain/phase.ts";
import { isTerminal, openFindings, type Task } from "../../../domain/task.ts";

type Fits = (task: Task, seen: Glance) => boolean;

const atGate =
  (gate?: "GO" | "NEXT"): Fits =>
  ({ doing }) =>
    doing.kind === "at-gate" && (gate === undefined || doing.gate === gate);

/** It asks a person: not a command, and not the forge. */
const atSignal: Fits = ({ doing, map, phase }, { maps }) => {
  if (doing.kind !== "asking") return false;
  const known = maps.find(({ hash }) => hash === map);
  const step = known === undefined ? null : phaseOf(known, phase)?.step;
  return step?.run !== "signal" || step.answeredBy === "human";
};

/** Of what is picked up and not at its end, what a decision would be taken for. */
const DECISIONS: Readonly<Record<string, Fits>> = {
  approve: atSignal,
  reject: atSignal,
  go: atGate("GO"),
  feedback: atGate("GO"),
  next: atGate("NEXT"),
  fix: atGate("NEXT"),
  block: atGate(),
  waive: (task) => openFindings(task).length > 0,
  extend: (task) => !isTerminal(task),
  cancel: (task) => !isTerminal(task),
  retry: (task) => task.status === "failed" || task.doing.kind === "waiting",
};
/** What else fits these, of tasks that nobody works on. */
const OTHERS: Readonly<Record<string, readonly Task["status"][]>> = {
  cancel: ["not-started"],
  retry: ["failed"],
  run: ["not-started"],
};

/** Ids that a command would take as its task, in their natural order. */
export function fittingIds(command: string, seen: Glance): readonly string[] {
  const fits = DECISIONS[command];
  const statuses = fits === undefined && command !== "run" ? null : (OTHERS[command] ?? []);
  const live = seen.live.filter((task) => (fits ? fits(task, seen) : command !== "run" || !isTerminal(task)));
  const others = seen.others.filter(({ status }) => statuses === null || statuses.includes(status));
  return [...live, ...others].map(({ id }) => id as string).sort(compareIds);
}

/** Findings of a task that can be waived. */
export const openLabels = (id: string | undefined, { live }: Glance): readonly string[] =>
  live.filter((task) => task.id === id).flatMap((task) => openFindings(task).map(({ label }) => label));

/** Phases of the map that a task is on; without one that is known, of all maps. */
export function phasesOf(id: string | undefined, { live, maps }: Glance): readonly string[] {
  const task = live.find((one) => one.id === id);
  const mine = maps.filter(({ hash }) => task === undefined || hash === task.map);
  return [...new Set(mine.flatMap(({ phases }) => Object.keys(phases)))];
}
