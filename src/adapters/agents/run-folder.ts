import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import type { SpawnOrder } from "../../ports/runtime.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import { createFile, json, readBounded, readRecord, replaceFile } from "./files.ts";
import { type Drive, type LegPlace, legPlace } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import type { Ready } from "./worktree.ts";

/** Writes all that driver and worker read, drive.json last: who finds that one finds everything. Durable when it returns. */
export function writeRunFolder(order: SpawnOrder, on: Found, parts: HostParts): LegPlace {
  const { wish, brief } = order;
  const at = legPlace(parts.state, wish.leg, wish.phase);
  for (const folder of [RUN_FILES.inbox, RUN_FILES.outbox]) mkdirSync(join(at.run, folder), { recursive: true });
  mkdirSync(at.folder, { recursive: true });
  const assignment = { ...brief.assignment, run: wish.run, leg: wish.leg, worktree: on.path };
  replaceFile(join(at.run, RUN_FILES.order), json(order));
  replaceFile(join(at.run, RUN_FILES.assignment), json(assignment));
  replaceFile(join(at.run, RUN_FILES.prompt), brief.prompt);
  if (wish.answer) createFile(join(at.run, RUN_FILES.inbox, wish.answer.name), wish.answer.message);
  replaceFile(join(at.folder, LEG_FILES.drive), json(driveOf(order, on, writeShim(parts))));
  return at;
}

/** The worktree, the base as git names it there, and paths that others committed on the branch. */
export type Found = Pick<Ready, "path" | "gitDir"> & Pick<Drive, "baseRef"> & { readonly theirs: readonly string[] };

const driveOf = ({ wish, brief }: SpawnOrder, { path, gitDir, baseRef, theirs }: Found, bin: string): Drive => ({
  wish,
  title: brief.assignment.title,
  worktree: path,
  gitDir,
  program: brief.program,
  setup: brief.setup,
  env: brief.env,
  bin,
  // a path that the assignment asks a test at is authorized by being named there
  authorized: [...brief.authorized, ...brief.assignment.test_delta.add, ...brief.assignment.test_delta.update],
  protect: brief.protect,
  waived: [...brief.waived, ...theirs],
  baseRef,
  logBytes: brief.logBytes,
});

/** `pawl` for workers: this very program, whatever is installed elsewhere. Gives the folder that it lies in. */
function writeShim({ state, pawl }: HostParts): string {
  const bin = join(state, "bin");
  const path = join(bin, "pawl");
  const text = `#!/bin/sh\nexec ${pawl.map(quote).join(" ")} "$@"\n`;
  const there = readBounded(path, 64 * 1024);
  if (there.kind === "text" && there.text === text) return bin;
  mkdirSync(bin, { recursive: true });
  replaceFile(path, text, 0o755);
  chmodSync(path, 0o755); // the mode above is cut by the umask
  return bin;
}
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

const COPIED = "pawl-copied.json";
/** what is being copied: there at the next start, it was cut off, and is half of something */
const COPYING = "pawl-copying.json";

/** Which untracked paths of a worktree are copies from the main checkout: no work of anybody's. */
export const copiedInto = (gitDir: string): readonly string[] => readRecord<string[]>(join(gitDir, COPIED)) ?? [];

/** Copies what a new worktree needs and git does not hold; what is there already stays. Noted first, so that a crash leaves no stranger. */
export function copyFiles(names: readonly string[], { path, gitDir }: Ready, { repo }: HostParts): void {
  const copying = join(gitDir, COPYING);
  const cut = new Set(readRecord<string[]>(copying) ?? []);
  const inside = names.map((name) => normalize(name)).filter((name) => isInside(name) && existsSync(join(repo, name)));
  // only what is to be copied anyhow, and not through a link that a worker made
  for (const name of inside)
    if (cut.has(name) && !isThroughLink(path, name)) rmSync(join(path, name), { recursive: true, force: true });
  const missing = inside.filter((name) => !existsSync(join(path, name)));
  if (missing.length > 0) {
    replaceFile(join(gitDir, COPIED), json([...new Set([...copiedInto(gitDir), ...missing])]));
    replaceFile(copying, json(missing));
  }
  for (const name of missing) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    cpSync(join(repo, name), join(path, name), { recursive: true, force: false, preserveTimestamps: true });
  }
  rmSync(copying, { force: true });
}

const isThroughLink = (path: string, name: string): boolean =>
  existsSync(dirname(join(path, name))) &&
  realpathSync(dirname(join(path, name))) !== dirname(join(realpathSync(path), name));

const isInside = (name: string): boolean =>
  !isAbsolute(name) && name !== "." && name !== ".." && !name.startsWith(`..${sep}`) && name !== ".git";
