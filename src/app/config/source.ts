import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BacklogSource, Reading } from "../../ports/source.ts";
import { roleFolders } from "./assemble.ts";
import { brokenAmong, keepBroken, MANY } from "./broken-list.ts";
import { letGoSoon } from "./let-go.ts";
import type { Seen } from "./look-at-files.ts";
import { type Given, type ReadOptions, readConfiguration } from "./reading.ts";
import { taskCache } from "./task-cache.ts";
import { taskFolder } from "./task-folder.ts";
import { watchFiles } from "./watch.ts";

export type { Overrides } from "./overrides.ts";
export { beforeSpawns } from "./reading.ts";
export { findRepo } from "./repository.ts";

export type SourceOptions = Pick<ReadOptions, "repo" | "overrides" | "isKnown">;

export interface HeldSource extends BacklogSource {
  /** The next reading takes the task files as the last one found them; what has changed since, `changed` finds. */
  hold(): void;
}

/**
 * The backlog in a repository: pawl.yaml, phase-maps/, roles/ and tasks/. `read` gives all that is wrong at once (see
 * BacklogSource); what a broken pawl.yaml gave to tasks when it was right holds until it is right again. It does not read task files again that did not change. `changed` looks every 4 s at the files'
 * times, and sooner where the system tells of changes.
 */
export function createSource(options: SourceOptions): HeldSource {
  const { repo } = options;
  const folder = taskFolder(repo, taskCache(join(repo, ".pawl")));
  let isHeld = false;
  let watched: readonly string[] = [...USUAL, "tasks", "roles"];
  let tasksIn = "tasks";
  let last: { readonly given: Given; readonly hadFile: boolean } | null = null;
  const at = (path: string): string => resolve(repo, path);
  const asRead = (path: string): Seen | null => (path === at(tasksIn) ? folder.seen(tasksIn) : null);
  return {
    async read(): Promise<Reading> {
      const before = last?.hadFile ? last.given : undefined;
      const { reading, file, given, between } = await readConfiguration({ ...options, folder, before, isHeld });
      isHeld = false;
      folder.save();
      const tasks = folder.last(given.tasks) ?? [];
      letGoSoon(tasks.length);
      if (tasks.length > MANY) keepBroken(join(repo, ".pawl"), brokenAmong(tasks, between));
      if (reading.settings !== null) last = { given, hadFile: existsSync(join(options.repo, "pawl.yaml")) };
      watched = [...USUAL, given.tasks, ...roleFolders(file)];
      tasksIn = given.tasks;
      return reading;
    },
    hold() {
      isHeld = true;
    },
    async *changed(signal) {
      let isFirst = true;
      for await (const _ of watchFiles({ paths: () => watched.map(at), root: repo, signal, read: asRead })) {
        // at first nothing is known to have changed: of many task files the watch itself will say so, by what was read
        if (isFirst && (folder.last(tasksIn)?.length ?? 0) > MANY) isHeld = true;
        isFirst = false;
        yield;
      }
    },
  };
}
const USUAL = ["pawl.yaml", "phase-maps"];
