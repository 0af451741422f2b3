import { countLines, type PlacedHunk } from "./apply-hunks.ts";
import type { ByteText } from "./byte-text.ts";
import { foldOperations } from "./fold.ts";
import type { Root } from "./locate.ts";
import { withNewFileEndings } from "./new-file-endings.ts";
import type { Operation } from "./operation.ts";
import { type Before, createOverlay, type Entry, type Now } from "./overlay.ts";
import type { EditError } from "./refusal.ts";

/** What happens to one file. */
export interface PlannedFile {
  /** as it was written */
  readonly path: string;
  readonly change: "created" | "modified" | "deleted" | "moved";
  /** the path that it is moved from */
  readonly from?: string;
  readonly hunks: readonly PlacedHunk[];
  readonly added: number;
  readonly removed: number;
  /** what else there is to know */
  readonly note?: string;
}

/** A path whose bytes, mode or existence change. */
export interface Change {
  readonly key: string;
  readonly absolute: string;
  readonly before: Before | null;
  readonly now: Now | null;
}

/** What would be done, computed from the files as they are; nothing is written. */
export interface Plan {
  readonly operations: readonly Operation[];
  /** sha256 of files as they were read, by path */
  readonly known: ReadonlyMap<string, string>;
  readonly files: readonly PlannedFile[];
  /** the first that counts; null: it can be applied */
  readonly error: EditError | null;
  /** all of them, in the order of the edits */
  readonly errors: readonly EditError[];
  readonly changes: readonly Change[];
  /** every path that was looked at, as it was found */
  readonly seen: readonly Entry[];
}

export interface Planning {
  readonly root: Root;
  readonly maxBytes: number;
  readonly known: ReadonlyMap<string, string>;
  /** keys of files that were seen to change since they were planned */
  readonly changed: ReadonlySet<string>;
}

export function planOf(operations: readonly Operation[], { root, maxBytes, known, changed }: Planning): Plan {
  const overlay = createOverlay(root, maxBytes);
  const errors = foldOperations(operations, overlay, {
    readAs: ({ given, key }) => known.get(given) ?? known.get(key),
    hasChanged: ({ key }) => changed.has(key),
    withEndings: (entry, text: ByteText) => withNewFileEndings(root, entry.key, text),
  });
  const seen = overlay.entries;
  const changes = seen.filter(differs);
  const files = filesOf(seen);
  const all = errors.length === 0 && changes.length === 0 ? [noChange(operations[0]!.path)] : errors;
  return { operations, known, files, errors: all, error: mainOf(all), changes, seen };
}

/** That something is there already counts only where nothing else is wrong. */
const mainOf = (errors: readonly EditError[]): EditError | null =>
  errors.find(({ code }) => code !== "ALREADY_APPLIED") ?? errors[0] ?? null;

const noChange = (path: string): EditError => ({
  code: "NO_CHANGE",
  path,
  message: "all edits together change nothing",
  hint: "send what is to be different",
});

const differs = ({ before, now }: Entry): boolean =>
  before === null || now === null ? before !== now : before.text !== now.text || before.mode !== now.mode;

function filesOf(entries: readonly Entry[]): readonly PlannedFile[] {
  const moved = new Map(entries.flatMap((entry) => (isMoved(entry) ? [[entry.now!.origin!, entry] as const] : [])));
  return entries.flatMap((entry) => {
    const { given: path, before, now } = entry;
    if (now === null) return before === null || moved.has(entry.key) ? [] : [deleted(path, before)];
    const { hunks, added, removed, origin } = now;
    const note = noteOf(entry);
    const rest = { hunks, added, removed, ...(note === null ? {} : { note }) };
    if (isMoved(entry)) return [{ path, change: "moved" as const, from: givenOf(entries, origin!), ...rest }];
    if (before === null) return [{ path, change: "created" as const, ...rest }];
    return differs(entry) ? [{ path, change: "modified" as const, ...rest }] : [];
  });
}

const isMoved = ({ key, now }: Entry): boolean => now !== null && now.origin !== null && now.origin !== key;
const givenOf = (entries: readonly Entry[], key: string): string =>
  entries.find((one) => one.key === key)?.given ?? key;

const deleted = (path: string, before: Before): PlannedFile => ({
  path,
  change: "deleted",
  hunks: [],
  added: 0,
  removed: countLines(before.text),
});

/** A file is replaced, never written into: its other names keep what they had. */
const noteOf = ({ before }: Entry): string | null =>
  before !== null && before.links > 1
    ? `it has ${before.links} names (hard links): the others keep the old text`
    : null;
