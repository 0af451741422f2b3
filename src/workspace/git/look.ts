import { posix } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { BY_NAME, named, runGit } from "./checkout.ts";
import { type Listing, lister } from "./listing.ts";
import { modesKeeper } from "./modes.ts";
import type { Shadowed } from "./shadow-folder.ts";
import { stillness } from "./stillness.ts";

/** Files of a checkout as they were once. */
export interface Kept {
  readonly tree: string;
  /** permission bits of its files, by path, of which git itself keeps one; not there: they are not known */
  readonly modes?: ReadonlyMap<string, number>;
}

/** All files of a checkout at one time, new ones too, byte for byte; not those that git ignores. */
export interface Look extends Required<Kept> {
  /** what could not be read, has a name that is no UTF-8, or is a repository of its own: what is in it is not known */
  readonly unread: readonly string[];
}

/**
 * Looks at a checkout again and again. Where nothing changed it is one run of git, which asks each file for its size and
 * times, and a look at the times of the folders. An index that cannot be used, because objects that only it knew are gone, is made again.
 */
export function looker(shadowed: Shadowed): () => Promise<Look> {
  const { on, dir } = shadowed;
  const listing = lister(shadowed);
  const modes = modesKeeper(shadowed);
  const still = stillness(shadowed);
  let isFirst = shadowed.isNew;
  let last: { readonly listed: Listing; readonly unread: readonly string[] } | null = null;
  return async () => {
    if (last !== null && last.listed === listing.known() && (await still.holds()))
      return { tree: last.listed.tree, modes: modes(last.listed), unread: last.unread };
    const began = Date.now();
    for (const isLast of [false, true]) {
      const taken = await takeUp(shadowed, isFirst);
      const listed = taken.isGood ? await withIgnoreFiles(shadowed, listing.list) : taken.said;
      if (typeof listed !== "string") {
        isFirst = false;
        const unreadable = unreadIn(taken.said);
        const unread = [...unreadable, ...listed.apart];
        // what git does not know may change without a folder that tells
        last = unreadable.length === 0 ? { listed, unread } : null;
        if (last !== null) await still.note(listed, began);
        return { tree: listed.tree, modes: modes(listed), unread };
      }
      if (isLast) throw unusable(on.top, listed);
      isFirst = true;
      if (on.files.stat(`${dir}/index`).kind !== "none") on.files.unlink(`${dir}/index`);
    }
    throw new Error("unreachable");
  };
}

/** An index that is as old as its files, by the second, would have git read them at each look: it is written again, once. */
async function takeUp({ on, env }: Shadowed, isFirst: boolean) {
  const flags = ["-c", "advice.addEmbeddedRepo=false", "add", "--all", "--ignore-errors", "--", "."];
  const added = await runGit(on, flags, { env });
  const isGood = added.code === 0 || added.code === 1;
  if (isGood && isFirst) await runGit(on, ["update-index", "--force-write-index"], { env });
  return { isGood, said: added.stderr };
}

/**
 * A `.gitignore` may say that it is ignored itself, and then hides all that lies beside it: where there are files that we
 * know, one is looked at whatever it says. A new folder that ignores itself whole, as caches do, stays ignored.
 */
async function withIgnoreFiles({ on, env }: Shadowed, listing: () => Promise<Listing | string>) {
  const listed = await listing();
  if (typeof listed === "string") return listed;
  const missed = [...listed.folders]
    .map((folder) => posix.join(folder, ".gitignore"))
    .filter((path) => !listed.files.has(path) && hasBytes(on.files.stat(`${on.top}/${path}`).kind));
  if (missed.length === 0) return listed;
  await runGit(on, ["add", "--force", ...BY_NAME], { env, input: named(missed) });
  return listing();
}

const hasBytes = (kind: string): boolean => kind === "file" || kind === "link";

function unreadIn(stderr: string): readonly string[] {
  const found = stderr.matchAll(/^error: (?:open\("(.*)"\): |'(.*)\/' does not have a commit checked out)/gm);
  return [...found].map((match) => (match[1] ?? match[2])!);
}

const unusable = (top: string, said: string): PawlError =>
  new PawlError("GIT_FAILED", `the files in ${top} cannot be looked at: ${said.trim()}`, {
    next: "mend what git names",
  });
