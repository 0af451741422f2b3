import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTask } from "./written-task.ts";

/** Of no more task files than these, who wants to know reads them all: a look at each of more would take seconds. */
export const MANY = 1_000;
/** More are not kept: somebody has other worries then. */
const MOST = 1_000;

const placeIn = (state: string): string => join(state, "cache", "broken-files.json");

/** Keeps which task files a processor could not read, for who has no time to read them all; `state` has to be there. */
export function keepBroken(state: string, files: readonly string[]): void {
  const path = placeIn(state);
  const text = JSON.stringify(files.slice(0, MOST));
  if (statSync(state, { throwIfNoEntry: false }) === undefined || textAt(path) === text) return;
  const own = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(own, text);
    renameSync(own, path);
  } catch {
    // a full disk, or one that is read only: nobody knows then
  } finally {
    rmSync(own, { force: true });
  }
}

/** Those of them that lie in the folder and are broken now, too. */
export function stillBroken(repo: string, of: { readonly state: string; readonly folder: string }): readonly string[] {
  return kept(of.state).filter(
    (file) => file.startsWith(`${of.folder}/`) && (readTask(repo, file)?.faults.length ?? 0) > 0 && isThere(repo, file),
  );
}

function kept(state: string): readonly string[] {
  try {
    const files: unknown = JSON.parse(textAt(placeIn(state)) ?? "[]");
    return Array.isArray(files) ? files.filter((file) => typeof file === "string" && !file.includes("..")) : [];
  } catch {
    return [];
  }
}

const isThere = (repo: string, file: string): boolean =>
  statSync(join(repo, file), { throwIfNoEntry: false }) !== undefined;

function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
