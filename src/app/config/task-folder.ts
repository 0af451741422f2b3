import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { compareIds, idKey } from "../../domain/names.ts";
import { type Home, homeOf, KeptTask } from "./kept-task.ts";
import { type Listing, list, type Seen } from "./look-at-files.ts";
import { type Stamp, Stamps } from "./stamps.ts";
import type { Cached, TaskCache } from "./task-cache.ts";
import { readTask } from "./written-task.ts";

/** The task files of a repository. */
export interface TaskFolder {
  /** every task, in order of the ids; files that did not change since the last call are not read again */
  read(folder: string): Promise<readonly KeptTask[]>;
  /** as the last call found them, without a look at the files; null: it looked into another folder, or there was none */
  last(folder: string): readonly KeptTask[] | null;
  /** what that call saw, as `look` sees it; null: as above */
  seen(folder: string): Seen | null;
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
      // begun first: of many files it goes on beside what is read from the cache
      const listing = list(join(repo, folder));
      const before = last?.folder === folder ? last : kept(homeOf(repo, folder), cache);
      for (const task of last?.fresh ?? []) task.forget();
      last = await look(before, await listing);
      unsaved += last.fresh.length;
      return last.inOrder(before);
    },
    last: (folder) => (last?.folder === folder ? last.inOrder(last) : null),
    seen: (folder) => (last?.folder === folder ? last.seen : null),
    save() {
      if (cache === null || last === null || unsaved < Math.max(WORTH, last.files.length / 100)) return;
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
  readonly home: Home;
  readonly seen: Seen | null;
  /** the name of a README without front matter, which is no task */
  readonly files: (KeptTask | string)[] = [];
  readonly stamps = new Stamps();
  readonly sure: number[] = [];
  /** read in this pass */
  readonly fresh: KeptTask[] = [];
  /** nothing was read: with as many files it is all as before */
  isStill = true;
  #inOrder: readonly KeptTask[] | null = null;

  constructor(home: Home, seen: Seen | null) {
    this.home = home;
    this.seen = seen;
  }
  get folder(): string {
    return this.home.folder;
  }
  nameAt(place: number): string | undefined {
    const file = this.files[place];
    return typeof file === "object" ? file.name : file;
  }
  push(file: KeptTask | string, of: { stamp: Stamp; sure: number }): void {
    this.files.push(file);
    this.stamps.push(of.stamp);
    this.sure.push(of.sure);
  }
  /** every task, in order of the ids, which is that of `before` where nothing changed */
  inOrder(before: Found): readonly KeptTask[] {
    const isSame = this.isStill && before.files.length === this.files.length;
    this.#inOrder ??= (isSame ? before.#inOrder : null) ?? sorted(this.files);
    return this.#inOrder;
  }
  settled(): readonly Cached[] {
    return this.files.flatMap((task, place) =>
      typeof task === "string" || this.sure[place] !== SURE ? [] : [{ stamp: this.stamps.at(place), task }],
    );
  }
}

function kept(home: Home, cache: TaskCache | null): Found {
  const found = new Found(home, null);
  for (const { stamp, task } of cache?.load(home) ?? []) found.push(task, { stamp, sure: SURE });
  return found;
}

async function look(before: Found, listing: Listing): Promise<Found> {
  const found = new Found(before.home, listing.seen);
  let place = 0;
  for (const [at, name] of listing.names.entries()) {
    if (at % SLICE === SLICE - 1) await turn();
    if (!name.endsWith(".md") || name.startsWith(".")) continue;
    let other = before.nameAt(place);
    while (other !== undefined && other < name) other = before.nameAt(++place);
    lookAt(name, { found, before, place: other === name ? place : -1, stamp: listing.stamps.at(at) });
  }
  return found;
}

/** The stamp was taken before the file is read: a change between the two is seen the next time. */
function lookAt(name: string, of: { found: Found; before: Found; place: number; stamp: Stamp }): void {
  const { found, before, place, stamp } = of;
  const file = place < 0 ? undefined : before.files[place];
  const isKept = file !== undefined && before.sure[place] !== YOUNG && !(file instanceof KeptTask && file.isDoubtful);
  if (isKept && before.stamps.isAt(place, stamp)) return found.push(file, { stamp, sure: before.sure[place]! });
  found.isStill = false;
  const sure = sureness(stamp);
  const { repo, folder } = found.home;
  const written = readTask(repo, `${folder}/${name}`);
  const task = written === null ? null : KeptTask.of(found.home, name, written);
  if (task !== null) found.fresh.push(task);
  found.push(task ?? name, { stamp, sure });
}

/** Each id is read once. */
function sorted(files: readonly (KeptTask | string)[]): readonly KeptTask[] {
  const keyed = files.flatMap((task) => {
    if (typeof task === "string") return [];
    const name = task.idName ?? task.file;
    return [{ task, name, key: idKey(name) }];
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : compareIds(a.name, b.name)));
  return keyed.map(({ task }) => task);
}
