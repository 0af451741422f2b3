import { join } from "node:path";
import type { Scene } from "../views/scene.ts";
import { keyOf } from "./store-place.ts";

/**
 * Task files that no processor can read, each by itself: what is wrong between files is for `pawl validate` to say. Of a
 * large backlog those that the last processor found and that still are.
 */
export async function brokenFiles(
  repo: string | null,
  { tasks, part }: Pick<Scene, "tasks" | "part">,
): Promise<readonly string[]> {
  if (repo === null) return [];
  const folder = (await keyOf(repo, "tasks")) ?? "tasks";
  const all = part === undefined ? tasks.length : Object.values(part.counts).reduce((sum, n) => sum + n, 0);
  const { MANY, stillBroken } = await import("../../config/broken-list.ts");
  if (all > MANY) {
    return stillBroken(repo, { state: join(repo, ".pawl"), folder });
  }
  const { taskFolder } = await import("../../config/task-folder.ts");
  const found = await taskFolder(repo).read(folder);
  return found.filter(({ faults }) => faults.length > 0).map(({ file }) => file);
}
