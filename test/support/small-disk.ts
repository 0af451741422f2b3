import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A disk of its own below a folder, which is run full and emptied at a chosen moment. */
export interface SmallDisk {
  /** not one more block can be written until `makeRoom` */
  fill(): void;
  makeRoom(): void;
}

/** Mounts a disk in memory at `path`, and puts there what lies there now. Gone when the test is. */
export function smallDisk(path: string, mib = 8): SmallDisk {
  const aside = `${path}.aside`;
  mkdirSync(path, { recursive: true });
  renameSync(path, aside);
  mkdirSync(path);
  must("mount", "-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", path);
  onTestFinished(() => must("umount", "--lazy", path));
  must("cp", "-a", `${aside}/.`, path);
  rmSync(aside, { recursive: true });
  const ballast = join(path, "ballast");
  return { fill: () => writeUntilFull(ballast), makeRoom: () => rmSync(ballast) };
}

/** Whether this user may mount one. */
export function mayMount(): boolean {
  if (process.platform !== "linux") return false;
  const path = mkdtempSync(join(tmpdir(), "pawl-mount-"));
  try {
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]).status !== 0) return false;
    return spawnSync("umount", [path]).status === 0;
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function must(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}

function writeUntilFull(path: string): void {
  const file = openSync(path, "a");
  try {
    for (const block = Buffer.alloc(4_096); ; ) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}
