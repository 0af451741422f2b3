import { PawlError } from "../../domain/errors.ts";

/** What the system says of a file that cannot be written, and what helps. */
const SAYS: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ["the disk is full", "make room, then give the command again"],
  EDQUOT: ["the disk quota is used up", "make room, then give the command again"],
  EROFS: ["the disk can only be read", "mount it so that it can be written, or work in another folder"],
  EACCES: ["this user may not do that there", "let this user read and write there, then give the command again"],
  EPERM: ["this user may not do that there", "let this user read and write there, then give the command again"],
};

/** An error of the file system that no fault of Pawl's own causes, in words; null: it is something else. */
export function unwritable(error: unknown): PawlError | null {
  if (!(error instanceof Error) || !("syscall" in error)) return null;
  const { code, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const says = code === undefined ? undefined : SAYS[code];
  if (says === undefined) return null;
  const where = dest ?? path;
  const what = where === undefined ? "a file cannot be written" : `${where} cannot be used`;
  return new PawlError("FILE_UNUSABLE", `${what}: ${says[0]} (${code})`, { next: `${says[1]}.`, cause: error });
}
