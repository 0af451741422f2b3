import type { PhaseMap } from "../../domain/phase.ts";
import type { FoundMap, Maps } from "./maps.ts";
import type { PawlFile } from "./pawl-file.ts";
import { at, child, fault, type Spot, textOf } from "./spot.ts";
import type { TaskOutline } from "./task-outline.ts";

/** The map of tasks that name none; null, with a fault noted: there is none of that name. */
export function findUsualMap(file: Partial<PawlFile>, root: Spot, maps: Maps): FoundMap | null {
  const spot = file.defaults?.phases === undefined ? child(root, "phases") : child(child(root, "defaults"), "phases");
  const written = file.defaults?.phases ?? file.phases;
  const name = typeof written === "string" ? written : written ? textOf(written) : "default";
  if (name === null) return maps.inPlace(spot);
  const found = maps.find(name);
  if (!("unknown" in found)) return found;
  root.text.faults.push(
    fault("MAP_UNKNOWN", found.unknown, { at: at(spot), next: found.next, data: { span: name.length } }),
  );
  return null;
}

/** The map that a task goes through; null: its own is not there, or broken. */
export const mapOf =
  (maps: Maps, usual: FoundMap | null) =>
  ({ phases }: TaskOutline): PhaseMap | null => {
    const found = phases === null ? usual : foundOnly(maps.find(phases.name))[0];
    return found?.map ?? null;
  };

export const foundOnly = (found: ReturnType<Maps["find"]>): readonly FoundMap[] => ("unknown" in found ? [] : [found]);

/** Maps that some task goes through. */
export function usedMaps(usual: FoundMap | null, tasks: readonly TaskOutline[], maps: Maps): readonly FoundMap[] {
  const named = [...new Set(tasks.flatMap((task) => (task.phases ? [task.phases.name] : [])))];
  return [...new Set([...(usual ? [usual] : []), ...named.flatMap((name) => foundOnly(maps.find(name)))])];
}
