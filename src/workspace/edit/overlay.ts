import { posix } from "node:path";
import type { Resolved } from "../../ports/files.ts";
import type { PlacedHunk } from "./apply-hunks.ts";
import { type ByteText, fromBytes } from "./byte-text.ts";
import { isFolder, type Located, locate, locateTarget, type Root } from "./locate.ts";
import { Refused } from "./refusal.ts";

/** A file as it lies on the disk. */
export interface Before {
  readonly text: ByteText;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly links: number;
}

/** A file as the edits so far leave it. */
export interface Now {
  readonly text: ByteText;
  /** null: that of a new file */
  readonly mode: number | null;
  readonly isExecutable: boolean;
  readonly owner: Before["owner"] | null;
  /** key of the file that it was before; null: it was none */
  readonly origin: string | null;
  readonly hunks: readonly PlacedHunk[];
  readonly added: number;
  readonly removed: number;
}

/** A path that an edit names: what is there, and what will be. */
export interface Entry extends Located {
  readonly before: Before | null;
  now: Now | null;
}

/** The files that edits touch, in the order of their first mention, each read once, and none written. */
export interface Overlay {
  readonly entries: readonly Entry[];
  /** the file at a path, through a link at its end too. Throws Refused */
  file(path: string): Entry;
  /** a path where a file is to be, or from which one is taken away: no link. Throws Refused */
  place(path: string): Entry;
}

export function createOverlay(from: Root, maxBytes: number): Overlay {
  const root = withKnownFolders(from);
  const entries = new Map<string, Entry>();
  const enter = (located: Located, mayFollow: boolean): Entry => {
    const known = entries.get(located.key);
    if (known) return known;
    const found = look(root, located, { maxBytes, mayFollow });
    if (found.key !== located.key) return enter(found, false);
    const entry: Entry = { ...located, before: found.before, now: found.before && unchanged(found.key, found.before) };
    entries.set(entry.key, entry);
    return entry;
  };
  return {
    get entries() {
      return [...entries.values()];
    },
    file: (path) => enter(locate(root, path), true),
    place: (path) => apart(entries, enter(locate(root, path), false)),
  };
}

/** Many files lie in few folders: where each of those leads is asked once. */
function withKnownFolders(root: Root): Root {
  const known = new Map<string, Resolved>();
  const resolve = (path: string): Resolved => {
    const found = known.get(path) ?? root.files.resolve(path);
    known.set(path, found);
    return found;
  };
  return { ...root, files: { ...root.files, resolve } };
}

const unchanged = (key: string, { text, mode, owner }: Before): Now => ({
  text,
  mode,
  owner,
  isExecutable: false,
  origin: key,
  hunks: [],
  added: 0,
  removed: 0,
});

/** No file may be where another edit has a folder, or the other way round. */
function apart(entries: ReadonlyMap<string, Entry>, entry: Entry): Entry {
  for (let folder = posix.dirname(entry.key); folder !== "."; folder = posix.dirname(folder))
    if (entries.get(folder)?.now) throw asFolder(entry.given, folder);
  if (entry.before !== null || entry.now !== null) return entry;
  for (const other of entries.values())
    if (other.now && other.key.startsWith(`${entry.key}/`)) throw asFolder(other.given, entry.given);
  return entry;
}

const asFolder = (path: string, file: string): Refused =>
  new Refused({
    code: "EXISTS",
    path,
    message: `${file} is made a file by another edit, so nothing can be in it`,
    hint: "choose other paths",
  });

interface Looking {
  readonly maxBytes: number;
  readonly mayFollow: boolean;
}

/** What is at a path; where that is a link, what it leads to. */
function look(
  root: Root,
  located: Located,
  { maxBytes, mayFollow }: Looking,
): Located & { readonly before: Before | null } {
  const { given, absolute } = located;
  const found = root.files.read(absolute, maxBytes);
  switch (found.kind) {
    case "none":
      return { ...located, before: null };
    case "file": {
      const { bytes, mode, links, uid, gid } = found;
      return { ...located, before: { text: fromBytes(bytes), mode, links, owner: { uid, gid } } };
    }
    case "folder":
      throw isFolder(given);
    case "link":
      return { ...followed(root, located, mayFollow), before: null };
    case "other":
      throw unfit(given, "it is no regular file", "name a file");
    case "too-big":
      throw unfit(given, `it has ${found.size} bytes, and ${maxBytes} is the most`, "edit it with a command");
  }
}

function followed(root: Root, { given, absolute }: Located, mayFollow: boolean): Located {
  const astray = (message: string, hint: string) => new Refused({ code: "SYMLINK_ESCAPE", path: given, message, hint });
  const { real, missing } = root.files.resolve(absolute);
  if (missing.length > 0) throw astray("it is a link that leads nowhere", "name the file itself");
  const target = locateTarget(root, given, real);
  if (mayFollow) return target;
  throw astray(
    `it is a link, to ${target.key}: links are not made, moved, replaced or deleted`,
    `name ${target.key}, or use a command`,
  );
}

const unfit = (path: string, message: string, hint: string): Refused =>
  new Refused({ code: "IO", path, message, hint });
