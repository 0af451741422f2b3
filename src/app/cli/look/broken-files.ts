import { join } from "node:path";
import type { Scene } from "../views/scene.ts";
import { keyOf } from "./store-place.ts";

/**
 * Task files that no processor can use, each by itself or for what stands in others (two of one id, a circle). Of a large
 * backlog those that the last processor found and that still are.
 */
export async function brokenFiles(
  repo: string | null,
  { tasks, part }: Pick<Scene, "tasks" | "part">,
): Promise<readonly string[]> {
  if (repo === null) return [];
  const folder = (await keyOf(repo, "tasks")) ?? "tasks";
  const all = part === undefined ? tasks.length : Object.values(part.counts).reduce((sum, n) => sum + n, 0);
  const { MANY, brokenAmong, filesOf, stillBroken } = await import("../../config/broken-list.ts");
  if (all > MANY) {
    return stillBroken(repo, { state: join(repo, ".pawl"), folder });
  }
  const { taskFolder } = await import("../../config/task-folder.ts");
  const found = await taskFolder(repo).read(folder);
  const { checkBacklog } = await import("../../config/backlog-check.ts");
  // of a part nobody knows which tasks there are whose file is gone
  const known = part === undefined ? new Set<string>(tasks.map(({ id }) => id)) : null;
  return filesOf(
    brokenAmong(
      found,
      checkBacklog(found, (id) => known === null || known.has(id)),
    ),
  );
}
