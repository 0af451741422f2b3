import picomatch from "picomatch";
import type { Reported } from "../../domain/outcome.ts";

export interface Scope {
  readonly authorized: readonly string[];
  readonly protect: readonly string[];
  /** paths whose change a person waived, whatever the globs say */
  readonly waived?: readonly string[];
}

/** Tells why a path may not be changed; null: it may. Paths and globs have slashes and begin at the root. */
export function scopeOf({ authorized, protect, waived = [] }: Scope): (path: string) => string | null {
  const is = (globs: readonly string[]) => {
    const matchers = globs.map((glob) => picomatch(glob, { dot: true, strictBrackets: false, flags: "s" }));
    return (path: string) => matchers.some((matches) => matches(path));
  };
  const isAuthorized = is(authorized);
  const isProtected = is(protect);
  return (path) => {
    if (waived.includes(path)) return null;
    if (isProtected(path)) return "changed although it is protected";
    return isAuthorized(path) ? null : "changed outside authorized_files";
  };
}

const MOST = 50;

/** One finding per path that may not be changed, `left:` where it was not committed either; beyond fifty, how many more. */
export function scopeFindings(
  { committed, left }: { committed: readonly string[]; left: readonly string[] },
  fault: (path: string) => string | null,
): Reported[] {
  const open = new Set(left);
  const found = [...new Set([...committed, ...left])].sort().flatMap((file) => {
    const why = fault(file);
    return why === null ? [] : [{ key: `${open.has(file) ? "left" : "scope"}:${file}`, text: `${file}: ${why}`, file }];
  });
  if (found.length <= MOST) return found;
  return [...found.slice(0, MOST), { text: `${found.length - MOST} more files changed outside authorized_files` }];
}

/** A repository within the repository: what is committed of it is a name, and its files are lost with the worktree. */
export const embedded = (file: string): Reported => ({
  text: `${file}: a repository within the repository, whose files are not committed: take its .git away, or all of it`,
  file,
});
