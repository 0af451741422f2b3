import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { compareIds, idKey } from "../../domain/names.ts";
import { KeptTask } from "./kept-task.ts";
import { markdownIn } from "./role-files.ts";
import { type Stamp, Stamps, stampOf, statsOf } from "./stamps.ts";
import type { Cached, TaskCache } from "./task-cache.ts";
import { readTask } from "./written-task.ts";

/** The task files of a repository. */
export interface TaskFolder {
  /** every task, in order of the ids; files that did not change since the last call are not read again */
  read(folder: string): Promise<readonly KeptTask[]>;
  /** as the last call found them, without a look at the files; null: it looked into another folder, or there was none */
  last(folder: string): readonly KeptTask[] | null;
  /** for the next start, where enough is new to be worth it */
  save(): void;
}

/** File systems count time in steps: a file written twice within one has the same stamp. */
const YOUNG_MS = 2_000;
/** Reading thousands of files is done in slices, so that the processor beside it goes on. */
const SLICE = 100;
/** Fewer files are sooner read again than kept; of many, a hundredth. */
const WORTH = 100;

/** Keeps what it read, by size, times and inode; with a cache also from one start to the next. */
export function taskFolder(repo: string, cache: TaskCache | null = null): TaskFolder {
  let last: Found | null = null;
  let unsaved = 0;
  return {
    async read(folder) {
      const before = last?.folder === folder ? last : Found.of(folder, cache?.load(folder) ?? []);
      for (const task of last?.fresh ?? []) task.forget();
      last = await look(repo, before);
      unsaved += last.fresh.length;
      return last.inOrder(before);
    },
    last: (folder) => (last?.folder === folder ? last.inOrder(last) : null),
    save() {
      if (cache === null || last === null || unsaved < Math.max(WORTH, last.names.length / 100)) return;
      if (cache.save(last.folder, last.settled())) unsaved = 0;
    },
  };
}

/** How sure it is that a file which is changed from now on gets another stamp. */
const SURE = 0;
/** by its ctime, which no program sets, it may not: nothing for the next start */
const UNSETTLED = 1;
/** by its mtime it may not: it is read again the next time */
const YOUNG = 2;

function sureness([, , mtimeMs, ctimeMs]: Stamp): number {
  const now = Date.now();
  if (now - mtimeMs < YOUNG_MS) return YOUNG;
  return now - ctimeMs < YOUNG_MS ? UNSETTLED : SURE;
}

/** Files as they were found, in order of their names; in lists by place, since there may be a hundred thousand. */
class Found {
  readonly folder: string;
  readonly names: string[] = [];
  readonly stamps = new Stamps();
  readonly sure: number[] = [];
  /** null: a README without front matter, which is no task */
  readonly tasks: (KeptTask | null)[] = [];
  /** read in this pass */
  readonly fresh: KeptTask[] = [];
  /** nothing was read: with as many names it is all as before */
  isStill = true;
  #inOrder: readonly KeptTask[] | null = null;

  constructor(folder: string) {
    this.folder = folder;
  }
  static of(folder: string, entries: Iterable<Cached>): Found {
    const found = new Found(folder);
    for (const { stamp, task } of entries) found.push(task.name, { stamp, sure: SURE, task });
    return found;
  }
  push(name: string, of: { stamp: Stamp; sure: number; task: KeptTask | null }): void {
    this.names.push(name);
    this.stamps.push(of.stamp);
    this.sure.push(of.sure);
    this.tasks.push(of.task);
  }
  /** every task, in order of the ids, which is that of `before` where nothing changed */
  inOrder(before: Found): readonly KeptTask[] {
    const isSame = this.isStill && before.names.length === this.names.length;
    this.#inOrder ??= (isSame ? before.#inOrder : null) ?? sorted(this.tasks);
    return this.#inOrder;
  }
  settled(): readonly Cached[] {
    return this.tasks.flatMap((task, place) =>
      task === null || this.sure[place] !== SURE ? [] : [{ stamp: this.stamps.at(place), task }],
    );
  }
}

async function look(repo: string, before: Found): Promise<Found> {
  const found = new Found(before.folder);
  let place = 0;
  const path = join(repo, found.folder);
  for (const [index, name] of markdownIn(path).entries()) {
    if (index % SLICE === SLICE - 1) await turn();
    while (place < before.names.length && before.names[place]! < name) place++;
    const isKnown = before.names[place] === name;
    // the text that is there already: of a hundred thousand names, one each
    lookAt(isKnown ? before.names[place]! : name, { repo, path, found, before, place: isKnown ? place : -1 });
  }
  return found;
}

function lookAt(name: string, of: { repo: string; path: string; found: Found; before: Found; place: number }): void {
  const { repo, path, found, before, place } = of;
  const stats = statsOf(`${path}/${name}`);
  if (stats?.isDirectory()) return;
  // The stamp is taken before the file is read: a change between the two is seen the next time.
  const stamp = stampOf(stats);
  const isKept = place >= 0 && before.sure[place] !== YOUNG && before.tasks[place]?.isDoubtful !== true;
  if (isKept && before.stamps.isAt(place, stamp))
    return found.push(name, { stamp, sure: before.sure[place]!, task: before.tasks[place]! });
  found.isStill = false;
  const sure = sureness(stamp);
  const written = readTask(repo, `${found.folder}/${name}`);
  const task = written === null ? null : KeptTask.of(repo, { folder: found.folder, name }, written);
  if (task !== null) found.fresh.push(task);
  found.push(name, { stamp, sure, task });
}

/** Each id is read once. */
function sorted(tasks: readonly (KeptTask | null)[]): readonly KeptTask[] {
  const keyed = tasks.flatMap((task) => {
    const name = task === null ? "" : (task.id?.name ?? task.file);
    return task === null ? [] : [{ task, name, key: idKey(name) }];
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : compareIds(a.name, b.name)));
  return keyed.map(({ task }) => task);
}
