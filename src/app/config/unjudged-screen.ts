import type { PawlError } from "../../domain/errors.ts";
import { isJudged, type PhaseMap } from "../../domain/phase.ts";
import { fault } from "./spot.ts";
import type { TaskOutline } from "./task-outline.ts";

/**
 * A warning (SCREEN_UNJUDGED) where tasks are done on a screen and nobody judges it: the model's own word completes them.
 * One for all tasks of a map, at the first of them.
 */
export function unjudgedScreens(
  tasks: readonly TaskOutline[],
  mapOf: (task: TaskOutline) => PhaseMap | null,
): readonly PawlError[] {
  const onWord = new Map<PhaseMap, TaskOutline[]>();
  for (const task of tasks) {
    const map = task.fields.environment?.name === "device" ? mapOf(task) : null;
    if (map === null || isJudged(map)) continue;
    onWord.set(map, [...(onWord.get(map) ?? []), task]);
  }
  return [...onWord].map(([map, theirs]) => told(map, theirs));
}

function told(map: PhaseMap, [first, ...others]: readonly TaskOutline[]): PawlError {
  const { at, name } = first!.fields.environment!;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const who = `${first!.id?.name ?? first!.file}${more}`;
  return fault("SCREEN_UNJUDGED", `the model's own word completes ${who}: no phase of ${map.name} judges its work`, {
    at,
    next: "add a phase behind the work: run: signal human-approval, or run: agent verifier.",
    data: { span: name.length },
  });
}
