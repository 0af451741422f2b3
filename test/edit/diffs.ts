import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ENV = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

/** Writes files, in bytes, named by their index. */
export function writeAll(folder: string, texts: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  texts.forEach((text, i) => {
    writeFileSync(join(folder, String(i)), text, "latin1");
  });
}

/** What git prints between the folders `a` and `b` of a folder, with so many lines of context; in bytes. */
export function gitDiff(folder: string, context: number): string {
  const args = ["diff", "--no-index", "--no-color", "--text", "--no-prefix", `-U${context}`, "a", "b"];
  const { status, stdout } = spawnSync("git", args, { cwd: folder, env: ENV, encoding: "latin1", maxBuffer: 1 << 28 });
  if (status !== 1) throw new Error(`git diff ended with ${status}`);
  return stdout;
}

/** Lets git apply a patch to the files of a folder, each for itself as far as it can. */
export function gitApply(folder: string, patch: string): void {
  writeFileSync(join(folder, "..", "patch"), patch, "latin1");
  spawnSync("git", ["apply", "--reject", "--whitespace=nowarn", "../patch"], {
    cwd: folder,
    env: ENV,
    stdio: "ignore",
  });
}

export const initGit = (folder: string): void => void execFileSync("git", ["init", "-q"], { cwd: folder, env: ENV });

export const makeFolder = (): string => mkdtempSync(join(tmpdir(), "pawl-test-"));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
