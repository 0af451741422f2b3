import { posix } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Files } from "../../ports/files.ts";

export interface Moved {
  readonly path: string;
  /** absolute */
  readonly to: string;
}

/** Moves what lies at a path of a checkout aside, a folder whole, a link as it is; nothing in the quarantine is replaced. */
export function quarantine(files: Files, of: { top: string; dir: string; path: string }): Moved {
  const to = free(files, posix.join(of.dir, of.path));
  try {
    makeFolder(files, posix.dirname(to));
    files.rename(posix.join(of.top, of.path), to);
  } catch (cause) {
    throw new PawlError("QUARANTINE_FAILED", `${of.path} cannot be moved to ${to}: ${String(cause)}`, {
      next: "let the quarantine be a folder that can be written, on the same disk as the checkout",
      cause,
    });
  }
  return { path: of.path, to };
}

function free(files: Files, wanted: string): string {
  for (let n = 1; ; n++) {
    const to = n === 1 ? wanted : `${wanted}.${n}`;
    if (files.read(to, 0).kind === "none") return to;
  }
}

/** A file that lies where a folder has to be, from an earlier time, makes way for it under another name. */
function makeFolder(files: Files, folder: string): void {
  const { kind } = files.read(folder, 0);
  if (kind === "folder") return;
  makeFolder(files, posix.dirname(folder));
  if (kind !== "none") files.rename(folder, free(files, folder));
  files.mkdir(folder);
}
