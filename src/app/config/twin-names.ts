import type { PawlError } from "../../domain/errors.ts";
import { fault } from "./spot.ts";
import type { TaskOutline } from "./task-outline.ts";

/**
 * Warnings (FILE_CASE) for task files whose names differ in case only: a file system without case has one of them. Where ids
 * are the names, that is ID_CASE; so those are looked at whose ids are others.
 */
export function twinNames(tasks: readonly TaskOutline[]): readonly PawlError[] {
  const named = tasks.filter(({ file, id }) => id !== null && !file.endsWith(`/${id.name}.md`));
  if (named.length === 0) return [];
  const first = new Map(named.map(({ file }) => [file.toLowerCase(), null as string | null]));
  return tasks.flatMap(({ file, id }): readonly PawlError[] => {
    const key = file.toLowerCase();
    const before = first.get(key);
    if (before === undefined) return [];
    if (before === null) first.set(key, file);
    return before === null
      ? []
      : [
          fault(
            "FILE_CASE",
            `${before} and ${file} differ in case only: on some machines one takes the other's place`,
            {
              at: { file },
              next: "rename one of them.",
              ...(id === null ? {} : { data: { task: id.name } }),
            },
          ),
        ];
  });
}
