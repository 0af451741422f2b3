import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BacklogFault } from "./backlog-check.ts";
import type { TaskOutline } from "./task-outline.ts";

/** Of no more task files than these, who wants to know reads them all: a look at each of more would take seconds. */
export const MANY = 1_000;
/** More are not kept: somebody has other worries then. */
const MOST = 1_000;

const placeIn = (state: string): string => join(state, "cache", "broken-files.json");

/** Task files of one fault between them: two of one id, a circle of dependencies. */
interface Together {
  readonly code: string;
  readonly files: readonly string[];
}
/** A file that is broken by itself is its path alone. */
type Broken = string | Together;

/** Task files that no processor can use, each by itself or for what stands in others. */
export const brokenAmong = (tasks: readonly TaskOutline[], between: readonly BacklogFault[]): readonly Broken[] => [
  ...tasks.filter(({ faults }) => faults.length > 0).map(({ file }) => file),
  ...between.map(({ error, files }) => ({ code: error.code, files })),
];

/** Their paths, each once. */
export const filesOf = (broken: readonly Broken[]): readonly string[] => [
  ...new Set(broken.flatMap((one) => (typeof one === "string" ? [one] : one.files))),
];

/** Keeps which task files a processor could not use, for who has no time to read them all; `state` has to be there. */
export function keepBroken(state: string, broken: readonly Broken[]): void {
  const path = placeIn(state);
  const text = JSON.stringify(broken.slice(0, MOST));
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

/** Those of them that lie in the folder and are broken now, too. What reads a task file is loaded where there is one. */
export async function stillBroken(
  repo: string,
  of: { readonly state: string; readonly folder: string },
): Promise<readonly string[]> {
  const before = kept(of.state);
  if (before.length === 0) return [];
  const [{ readTask }, { checkBacklog }] = await Promise.all([
    import("./written-task.ts"),
    import("./backlog-check.ts"),
  ]);
  const isHere = (file: string): boolean => file.startsWith(`${of.folder}/`) && isThere(repo, file);
  const isKnown = (id: string): boolean => existsSync(join(repo, of.folder, `${id}.md`));
  const still = before.flatMap((one): readonly Broken[] => {
    if (typeof one === "string") return isHere(one) && (readTask(repo, one)?.faults.length ?? 0) > 0 ? [one] : [];
    const tasks = one.files.filter(isHere).flatMap((file) => readTask(repo, file) ?? []);
    const files = checkBacklog(tasks, isKnown).flatMap((now) => (now.error.code === one.code ? now.files : []));
    return [{ code: one.code, files }];
  });
  return filesOf(still);
}

function kept(state: string): readonly Broken[] {
  try {
    const found: unknown = JSON.parse(textAt(placeIn(state)) ?? "[]");
    return Array.isArray(found) ? found.filter(isBroken) : [];
  } catch {
    return [];
  }
}

const isBroken = (one: unknown): one is Broken =>
  typeof one === "object" && one !== null && "code" in one && "files" in one
    ? Array.isArray(one.files) && one.files.every(isPath)
    : isPath(one);
const isPath = (one: unknown): boolean => typeof one === "string" && !one.includes("..");

/** A link that leads nowhere is there, too. */
const isThere = (repo: string, file: string): boolean =>
  lstatSync(join(repo, file), { throwIfNoEntry: false }) !== undefined;

function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
