import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { isOfKernel } from "../../adapters/system/make-folder.ts";

/** Why no folder can be made at an absolute path, or null: one is there that can be written to, or there is room for one. */
export function folderFault(path: string): string | null {
  const found = lookAt(path);
  if (found instanceof Error) return refusedAt(path, found);
  if (found === null) return dirname(path) === path ? "there is nothing" : folderFault(dirname(path));
  if (!found.isDirectory()) return `${path} is no folder`;
  if (isOfKernel(path)) return `${path} is the kernel's own: nothing can be made there`;
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return `this user may make nothing in ${path}`;
  }
}

/** The same for a file. */
export const fileFault = (path: string): string | null =>
  lookAt(path) instanceof Error || !isFolder(path) ? folderFault(dirname(path)) : `${path} is a folder`;

export const isFolder = (path: string): boolean => {
  const found = lookAt(path);
  return found !== null && !(found instanceof Error) && found.isDirectory();
};

/** null: there is nothing, as far as can be told from here. */
export function lookAt(path: string): Stats | null | Error {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? null : (error as Error);
  }
}

const refusedAt = (path: string, error: NodeJS.ErrnoException): string => `${path} cannot be looked at (${error.code})`;
