import { posix } from "node:path";
import { toBytes } from "./byte-text.ts";
import { type Journal, type JournalChange, writeJournal } from "./journal.ts";
import { sha256 } from "./knowledge.ts";
import type { Change } from "./plan.ts";
import { errorOf, Refused } from "./refusal.ts";
import { absoluteOf, type Desk, drop, foldersOf, journalPath, settle } from "./settle.ts";

/**
 * Writes all changes or none.
 *
 *   journal (what was, what will be), durable → new bytes beside each file, durable → renames and deletions → the folders,
 *   durable → the journal goes
 *
 * Killed before the first rename: none of it, the next start takes away what lies beside. Killed after the last: all of it.
 * In between: what was renamed is put back from the journal. The same happens at once where a step fails; its error is
 * thrown then, with nothing changed.
 */
export async function commit(desk: Desk, changes: readonly Change[], id: string): Promise<void> {
  const journal = journalOf(desk, changes, id);
  await begin(desk, journal);
  try {
    await stage(desk, journal, changes);
    for (const change of journal.changes) perform(desk, change);
    await desk.files.flush(foldersOf(desk, journal));
  } catch (error) {
    await putBack(desk, journal, error);
    throw error;
  }
  await drop(desk, id);
}

/** A disk that fails may fail at this too: the journal stays then, and the next start goes on. */
async function putBack(desk: Desk, journal: Journal, why: unknown): Promise<void> {
  try {
    await settle(desk, journal);
  } catch (error) {
    throw new Refused({
      code: "IO",
      path: "",
      message: `${String(why)}; and what was done could not be put back: ${String(error)}`,
      hint: "see what is wrong with the disk; the next edit, or recover(), puts it back first",
    });
  }
}

async function begin(desk: Desk, journal: Journal): Promise<void> {
  const path = journalPath(desk, journal.id);
  desk.files.make(path, { bytes: writeJournal(journal), mode: 0o600, isExecutable: false, owner: null });
  await desk.files.flush([path, desk.journalDir]);
}

async function stage(desk: Desk, journal: Journal, changes: readonly Change[]): Promise<void> {
  for (const folder of journal.folders) told(folder, () => desk.files.mkdir(absoluteOf(desk, folder)));
  const temps: string[] = [];
  journal.changes.forEach(({ key, temp }, i) => {
    const { now } = changes[i]!;
    if (temp === null || now === null) return;
    const { text, mode, owner, isExecutable } = now;
    told(key, () => desk.files.make(absoluteOf(desk, temp), { bytes: toBytes(text), mode, owner, isExecutable }));
    temps.push(absoluteOf(desk, temp));
  });
  await desk.files.flush(temps);
}

const perform = (desk: Desk, { key, temp }: JournalChange): void =>
  told(key, () => {
    if (temp === null) desk.files.unlink(absoluteOf(desk, key));
    else desk.files.rename(absoluteOf(desk, temp), absoluteOf(desk, key));
  });

/** What the system refuses is told with the path that it was about. */
function told(key: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new Refused(errorOf(error, key));
  }
}

function journalOf(desk: Desk, changes: readonly Change[], id: string): Journal {
  return {
    id,
    changes: changes.map((change, i) => changeOf(change, `.pawl-${id}-${i}.new`)),
    folders: missingFolders(desk, changes),
    old: changes.flatMap(({ before }) => (before ? [before.text] : [])),
  };
}

const changeOf = ({ key, before, now }: Change, name: string): JournalChange => ({
  key,
  temp: now ? posix.join(posix.dirname(key), name) : null,
  old: before && {
    sha256: sha256(before.text),
    mode: before.mode,
    owner: before.owner,
    size: before.text.length,
  },
  now: now && { sha256: sha256(now.text), mode: now.mode },
});

function missingFolders({ files, root }: Desk, changes: readonly Change[]): readonly string[] {
  const folders = new Set<string>();
  for (const folder of new Set(changes.flatMap(({ key, now }) => (now ? [posix.dirname(key)] : [])))) {
    const { real, missing } = files.resolve(posix.join(root, folder));
    missing.forEach((_, i) => {
      folders.add(posix.relative(root, posix.join(real, ...missing.slice(0, i + 1))));
    });
  }
  return [...folders];
}
