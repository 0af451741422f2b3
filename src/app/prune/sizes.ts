import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes that the files below a folder hold, links not followed; what cannot be read counts nothing. */
export function bytesIn(path: string): number {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (!seen?.isDirectory()) return seen?.size ?? 0;
  return foldersIn(path, () => true).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

/** Names in a folder that fit, in order; none where it cannot be read. */
export function foldersIn(path: string, fits: (path: string) => boolean = isFolder): readonly string[] {
  try {
    return readdirSync(path)
      .filter((name) => fits(join(path, name)))
      .sort();
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
