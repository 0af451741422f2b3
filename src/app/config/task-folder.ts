import { lstatSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { compareIds } from "../../domain/names.ts";
import { markdownIn } from "./role-files.ts";
import { readTask, type WrittenTask } from "./written-task.ts";

/** The task files of a repository. */
export interface TaskFolder {
  /** every task, in order of the ids; files that did not change since the last call are not read again */
  read(folder: string): Promise<readonly WrittenTask[]>;
}

interface Kept {
  readonly stamp: string;
  /** the file was so young when it was read that a later change may have the same times */
  readonly isYoung: boolean;
  readonly task: WrittenTask | null;
}

/** File systems count time in steps: a file written twice within one has the same stamp. */
const YOUNG_MS = 2_000;
/** Reading thousands of files is done in slices, so that the processor beside it goes on. */
const SLICE = 100;

/** Keeps what it read, by size, times and inode. */
export function taskFolder(repo: string): TaskFolder {
  let kept = new Map<string, Kept>();
  return {
    async read(folder) {
      const next = new Map<string, Kept>();
      for (const [index, name] of markdownIn(join(repo, folder)).entries()) {
        if (index % SLICE === SLICE - 1) await turn();
        const file = `${folder}/${name}`;
        const entry = readAgain(repo, file, kept.get(file));
        if (entry) next.set(file, entry);
      }
      kept = next;
      const tasks = [...next.values()].flatMap(({ task }) => (task ? [task] : []));
      return tasks.sort((a, b) => compareIds(a.id?.name ?? a.file, b.id?.name ?? b.file));
    },
  };
}

function readAgain(repo: string, file: string, before: Kept | undefined): Kept | null {
  const stats = statsOf(join(repo, file));
  if (stats?.isDirectory()) return null;
  const stamp = stampOf(stats);
  if (before && before.stamp === stamp && !before.isYoung) return before;
  // The stamp is taken before the file is read: a change between the two is seen the next time.
  const isYoung = Date.now() - (stats?.mtimeMs ?? 0) < YOUNG_MS;
  return { stamp, isYoung, task: readTask(repo, file) };
}

/** What changes when a file does: null is a file that is not there, or cannot be looked at. */
export const stampOf = (stats: Stats | null): string =>
  stats === null ? "none" : `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;

export function statsOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
