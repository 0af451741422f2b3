import { posix } from "node:path";
import type { Files } from "../../ports/files.ts";
import { fromBytes, toBytes } from "./byte-text.ts";
import type { Journal, JournalChange } from "./journal.ts";
import { sha256 } from "./knowledge.ts";
import { type FoundState, type Verdict, verdictOf } from "./recovery.ts";

/** Where a journal and what it is about lie. */
export interface Desk {
  readonly files: Files;
  /** real path of the folder that is edited in */
  readonly root: string;
  readonly journalDir: string;
}

export const journalPath = ({ journalDir }: Desk, id: string): string => posix.join(journalDir, `${id}.journal`);
export const absoluteOf = ({ root }: Desk, key: string): string => posix.join(root, key);

/** What became of edits that were begun. */
export interface Settled {
  readonly id: string;
  /** unreadable: its journal is damaged; it was put aside, and nothing else was done */
  readonly outcome: "finished" | "rolled-back" | "discarded" | "unreadable";
  /** paths that somebody else has changed since: they were left as they are */
  readonly left: readonly string[];
}

/** No file of ours is bigger: what is, is somebody else's. */
const MOST = 2 ** 29;

/**
 * Brings begun edits to an end: all of them or none. May be broken off anywhere and done again: what it decides follows
 * from the files alone, and the journal goes last. Durable when it resolves.
 */
export async function settle(desk: Desk, journal: Journal): Promise<Settled> {
  const states = journal.changes.map((change) => stateOf(desk, change));
  const verdict = verdictOf(states);
  if (verdict.kind === "roll-back") await restore(desk, journal, verdict);
  for (const { temp } of journal.changes) if (temp !== null) removeFile(desk, temp);
  if (verdict.kind !== "finished") for (const folder of [...journal.folders].reverse()) removeFolder(desk, folder);
  await desk.files.flush(foldersOf(desk, journal));
  await drop(desk, journal.id);
  const left = journal.changes.flatMap(({ key }, i) => (states[i] === "other" ? [key] : []));
  return { id: journal.id, outcome: OUTCOMES[verdict.kind], left };
}

const OUTCOMES = { finished: "finished", untouched: "discarded", "roll-back": "rolled-back" } as const;

/** Takes the journal away: from now on it is over. */
export async function drop(desk: Desk, id: string): Promise<void> {
  desk.files.unlink(journalPath(desk, id));
  await desk.files.flush([desk.journalDir]);
}

/** Every folder in which a name came or went, and is still there. */
export function foldersOf({ files, root }: Desk, { changes, folders }: Journal): readonly string[] {
  const names = [...changes.map(({ key }) => key), ...folders].map((key) => posix.dirname(key));
  return [...new Set(names)].map((name) => posix.join(root, name)).filter((path) => isFolder(files, path));
}

/** Not a link to one: what lies behind it now was not touched. */
const isFolder = (files: Files, path: string): boolean => {
  const { real, missing, kind } = files.resolve(path);
  return missing.length === 0 && kind === "folder" && real === path;
};

function stateOf(desk: Desk, { key, old, now }: JournalChange): FoundState {
  const absolute = absoluteOf(desk, key);
  if (isAstray(desk, absolute)) return "other";
  const found = desk.files.read(absolute, MOST);
  if (found.kind === "none") return old === null ? "old" : now === null ? "new" : "other";
  if (found.kind !== "file") return "other";
  const hash = sha256(fromBytes(found.bytes));
  const [isOld, isNew] = [old?.sha256 === hash, now?.sha256 === hash];
  // Where only the mode changes, the mode tells; else it does not count, since not every disk keeps it.
  if (isOld && isNew) return found.mode === now?.mode ? "new" : "old";
  return isOld ? "old" : isNew ? "new" : "other";
}

/** A folder on the way has become a link since: what lies behind it is not what was edited. */
function isAstray({ files }: Desk, absolute: string): boolean {
  const { real, missing } = files.resolve(posix.dirname(absolute));
  return posix.join(real, ...missing) !== posix.dirname(absolute);
}

async function restore(
  desk: Desk,
  journal: Journal,
  { restore }: Extract<Verdict, { kind: "roll-back" }>,
): Promise<void> {
  const { files } = desk;
  const olds = bytesByKey(journal);
  const backs: string[] = [];
  for (const i of restore) {
    const { key, old } = journal.changes[i]!;
    if (old === null) continue;
    const back = absoluteOf(desk, backOf(key, journal.id, i));
    removeFile(desk, backOf(key, journal.id, i));
    files.make(back, { bytes: toBytes(olds.get(key)!), mode: old.mode, isExecutable: false, owner: old.owner });
    backs.push(back);
  }
  await files.flush(backs);
  for (const i of restore) {
    const { key, old } = journal.changes[i]!;
    if (old === null) removeFile(desk, key);
    else files.rename(absoluteOf(desk, backOf(key, journal.id, i)), absoluteOf(desk, key));
  }
}

const bytesByKey = ({ changes, old }: Journal): ReadonlyMap<string, string> => {
  const withOld = changes.filter((change) => change.old !== null);
  return new Map(withOld.map(({ key }, i) => [key, old[i]!]));
};

const backOf = (key: string, id: string, i: number): string => posix.join(posix.dirname(key), `.pawl-${id}-${i}.back`);

/** What is gone already is fine: this may be done for the second time. */
function removeFile(desk: Desk, key: string): void {
  quietly(() => desk.files.unlink(absoluteOf(desk, key)), ["ENOENT", "ENOTDIR"]);
}

/** Somebody may have put something into it: then it stays. */
function removeFolder(desk: Desk, key: string): void {
  quietly(() => desk.files.rmdir(absoluteOf(desk, key)), ["ENOENT", "ENOTDIR", "ENOTEMPTY", "EEXIST"]);
}

function quietly(work: () => void, codes: readonly string[]): void {
  try {
    work();
  } catch (error) {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
