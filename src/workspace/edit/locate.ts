import { posix } from "node:path";
import type { Files } from "../../ports/files.ts";
import { Refused } from "./refusal.ts";

/** Why a path may not be edited, in a few words; null: it may. The path is from the root, with /. */
export type Scope = (path: string) => string | null;

/** The folder that is edited in. */
export interface Root {
  readonly files: Files;
  /** its real path */
  readonly path: string;
  readonly scope: Scope;
  /** real path of the folder with our journals, which nobody edits */
  readonly journalDir: string;
}

/** Where a file is. */
export interface Located {
  /** as it was written */
  readonly given: string;
  /** from the root, with no link on the way: the same file, the same key */
  readonly key: string;
  readonly absolute: string;
}

/**
 * Where a path leads. Links on the way are followed where they stay below the root; its last part is not looked at.
 * Throws Refused: OUT_OF_SCOPE, SYMLINK_ESCAPE, IS_DIR, EXISTS (a file where a folder would have to be).
 */
export function locate(root: Root, given: string): Located {
  const path = fromRoot(root, given);
  permit(root, given, path);
  const [folder, name] = [posix.dirname(path), posix.basename(path)];
  const { real, missing, kind, isDangling } = root.files.resolve(posix.join(root.path, folder));
  if (isDangling) throw astray(given, `${folder} leads through a link to nowhere`);
  const below = belowRoot(root, real);
  if (below === null) throw astray(given, `${folder} leads out of ${root.path}, to ${real}`);
  if (kind !== "folder")
    throw new Refused({
      code: "EXISTS",
      path: given,
      message: `${below} is a file, so nothing can be in it`,
      hint: "choose another path, or delete that file in an edit of its own first",
    });
  return permitted(root, given, posix.join(below, ...missing, name));
}

/** The same for what a link at the end leads to: `real` is its real path. */
export function locateTarget(root: Root, given: string, real: string): Located {
  const key = belowRoot(root, real);
  if (key === null) throw astray(given, `it is a link that leads out of ${root.path}, to ${real}`);
  return permitted(root, given, key);
}

function permitted(root: Root, given: string, key: string): Located {
  permit(root, given, key);
  return { given, key, absolute: posix.join(root.path, key) };
}

/** From the root, without `.` and `..`; an absolute path that lies below the root is taken too. */
function fromRoot(root: Root, given: string): string {
  if (given.includes("\0")) throw refuse("PARSE", given.replaceAll("\0", ""), "a path holds a NUL", "name the file");
  const relative = given.startsWith("/") ? belowRoot(root, posix.normalize(given)) : posix.normalize(given);
  if (relative === null || relative === ".." || relative.startsWith("../"))
    throw refuse("OUT_OF_SCOPE", given, `it is not below ${root.path}`, "write paths from there");
  if (relative === "." || relative === "" || relative.endsWith("/")) throw isFolder(given);
  return relative;
}

function belowRoot(root: Root, path: string): string | null {
  if (path === root.path) return "";
  const lead = root.path === "/" ? "/" : `${root.path}/`;
  return path.startsWith(lead) ? path.slice(lead.length) : null;
}

/** Git's own folder, and ours, are nobody's to edit: what lies in them runs, or is believed. */
function permit(root: Root, given: string, path: string): void {
  const isGit = path.split("/").some((part) => part.toLowerCase() === ".git");
  const journals = belowRoot(root, root.journalDir);
  const isOurs = journals !== null && (path === journals || path.startsWith(`${journals}/`));
  const why = isGit ? "it is git's own" : isOurs ? "it is where edits are kept until they are done" : root.scope(path);
  if (why !== null) throw refuse("OUT_OF_SCOPE", given, why, "leave it out, or ask for a wider scope");
}

const refuse = (code: "PARSE" | "OUT_OF_SCOPE", path: string, message: string, hint: string): Refused =>
  new Refused({ code, path, message, hint });

export const isFolder = (path: string): Refused =>
  new Refused({ code: "IS_DIR", path, message: "it is a folder", hint: "name a file" });

const astray = (path: string, message: string): Refused =>
  new Refused({ code: "SYMLINK_ESCAPE", path, message, hint: "name the file itself, by a path below the root" });
