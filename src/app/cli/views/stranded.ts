import type { TaskId } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import type { Scene } from "./scene.ts";

/** From a failed task to the one that hangs on it, by the fewest others; null: none failed above it. */
export function chainToFailed(id: TaskId, scene: Scene): readonly TaskId[] | null {
  const towards = known.get(scene.tasks) ?? stranded(scene);
  known.set(scene.tasks, towards);
  if (!towards.has(id)) return null;
  const chain: TaskId[] = [];
  for (let at: TaskId | undefined = id; at !== undefined; at = towards.get(at)) chain.unshift(at);
  return chain;
}
const known = new WeakMap<readonly Task[], ReadonlyMap<TaskId, TaskId>>();

/** Each stranded task and the dependency by which it is: found for all at once, from the failed ones on. */
function stranded({ tasks, world }: Scene): ReadonlyMap<TaskId, TaskId> {
  const towards = new Map<TaskId, TaskId>();
  const dependants = new Map<TaskId, TaskId[]>();
  for (const { id, status, terms } of tasks) {
    if (status !== "not-started") continue;
    for (const dep of terms.deps) {
      if (world.statusOf(dep) === "failed" && !towards.has(id)) towards.set(id, dep);
      const hanging = dependants.get(dep);
      if (hanging) hanging.push(id);
      else dependants.set(dep, [id]);
    }
  }
  const open = [...towards.keys()];
  for (let i = 0; i < open.length; i++) {
    for (const id of dependants.get(open[i]!) ?? []) {
      if (towards.has(id)) continue;
      towards.set(id, open[i]!);
      open.push(id);
    }
  }
  return towards;
}
