import { posix } from "node:path";
import type { Scope } from "../edit/locate.ts";
import type { Look } from "../git/look.ts";
import type { Shadow } from "../git/shadow.ts";
import type { PathChange } from "../git/tree-changes.ts";
import { type Moved, quarantine } from "./quarantine.ts";

export interface GuardParts {
  readonly shadow: Shadow;
  readonly scope: Scope;
  /** absolute, and on the disk of the checkout; made where it is not there */
  readonly quarantineDir: string;
}

/** What became of the files while something ran that may write; paths are from the top of the checkout. */
export interface ScopeReport {
  /** inside the scope: written, and left as it is now */
  readonly written: readonly string[];
  /** outside: put back to how it was before, also where that was not how git has it */
  readonly putBack: readonly string[];
  /** outside: made, and moved away */
  readonly quarantined: readonly Moved[];
  /** what nothing can be said of, and nothing was done to: unreadable, a repository of its own, a name that is no UTF-8 */
  readonly unread: readonly string[];
}

/**
 * Runs work that may write, and afterwards puts right what it did outside the scope, also where it failed. What git
 * ignores is left alone, and so is what lies in a repository of its own. Whoever else writes outside the scope at the same
 * time is taken for the work.
 */
export async function guarded<T>(parts: GuardParts, work: () => Promise<T>): Promise<{ value: T; scope: ScopeReport }> {
  const before = await parts.shadow.look();
  let value: T;
  try {
    value = await work();
  } catch (error) {
    await putRight(parts, before);
    throw error;
  }
  return { value, scope: await putRight(parts, before) };
}

/** As often as what was put back may have been what hid something: a file that says what git ignores. */
const LOOKS = 5;

/** Puts right what is not as it was at `before`, outside the scope. Done again, it finds nothing to do. */
export async function putRight(parts: GuardParts, before: Look): Promise<ScopeReport> {
  const putBack = new Set<string>();
  const quarantined: Moved[] = [];
  for (let n = 1; ; n++) {
    const now = await parts.shadow.look();
    const changes = await parts.shadow.changes(before, now);
    const found = changes.filter(({ path, how }) => how !== "repository" && parts.scope(path) !== null);
    // git cannot be told of a name that is no UTF-8: it must not keep the others from being put back
    const outside = found.filter(({ path }) => !isNameless(path));
    const nameless = found.map(({ path }) => path).filter(isNameless);
    quarantined.push(...(await undo(parts, before, outside)));
    for (const { path, how } of outside) if (how !== "made") putBack.add(path);
    if (n < LOOKS && outside.some((change) => mayHide(change, now))) continue;
    const written = changes.filter(({ path }) => parts.scope(path) === null).map(({ path }) => path);
    return { written, putBack: [...putBack].sort(), quarantined, unread: [...new Set([...now.unread, ...nameless])] };
  }
}

const isNameless = (path: string): boolean => path.includes("\ufffd");

/** What says what git ignores, and what nobody could read until its bits were put back. */
const mayHide = ({ path }: PathChange, { unread }: Look): boolean =>
  posix.basename(path) === ".gitignore" || unread.includes(path);

/** What was made goes first: it may lie where something has to be put back. A folder in the place of a file goes whole. */
async function undo(
  { shadow, quarantineDir: dir }: GuardParts,
  before: Look,
  outside: readonly PathChange[],
): Promise<readonly Moved[]> {
  const { files, top } = shadow.on;
  const kindOf = (path: string) => files.stat(posix.join(top, path)).kind;
  const back = outside.filter(({ how }) => how !== "made").map(({ path }) => path);
  const inTheWay = back.filter((path) => kindOf(path) === "folder");
  const made = outside.filter(({ how }) => how === "made").map(({ path }) => path);
  // one by one: what lies in a folder that was moved is gone with it
  const moved = [...inTheWay, ...made].flatMap((path) =>
    kindOf(path) === "none" ? [] : [quarantine(files, { top, dir, path })],
  );
  await shadow.putBack(before, back);
  return moved;
}
