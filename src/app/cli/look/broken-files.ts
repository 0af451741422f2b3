import { keyOf } from "./store-place.ts";

/** Task files that no processor can read, each by itself: what is wrong between files is for `pawl validate` to say. */
export async function brokenFiles(repo: string | null): Promise<readonly string[]> {
  if (repo === null) return [];
  const { taskFolder } = await import("../../config/task-folder.ts");
  const tasks = await taskFolder(repo).read((await keyOf(repo, "tasks")) ?? "tasks");
  return tasks.filter(({ faults }) => faults.length > 0).map(({ file }) => file);
}
