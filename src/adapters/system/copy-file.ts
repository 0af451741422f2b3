import { copyFileSync, renameSync, statSync, utimesSync } from "node:fs";
import type { CopyFile } from "../../ports/copy-file.ts";

/** By the second: git looks again at what changed in the second of its index, so a time a little before is safe, and one after is not. */
export const copyFile: CopyFile = (from, to) => {
  const stats = statSync(from, { throwIfNoEntry: false, bigint: true });
  if (stats === undefined) return false;
  const part = `${to}.part`;
  copyFileSync(from, part);
  const seconds = Number(stats.mtimeMs / 1000n);
  utimesSync(part, seconds, seconds);
  renameSync(part, to);
  return true;
};
