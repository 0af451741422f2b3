import { relative, resolve } from "node:path";

/** What Pawl keeps in `.pawl`, by the first part of its name there. */
const OWN = new Set([
  ...["store.db", "events.jsonl", "issues-told.json", "memory.db", ".gitignore"],
  ...["runs", "worktrees", "inbox", "cache", "schemas", "gates", "quarantine"],
]);
/** Files that SQLite and the lease put beside a store. */
const BESIDE = /-(wal|shm|journal)$|\.lease$/;

/** What Pawl keeps at that path of a repository; null: nothing, or what `usual` (a name in `.pawl`) is the place of. */
export function ownName(repo: string, path: string, usual: string): string | null {
  const name = /^\.pawl\/([^/]+)/.exec(relative(repo, resolve(repo, path)))?.[1]?.replace(BESIDE, "");
  return name !== undefined && name !== usual && OWN.has(name) ? name : null;
}
