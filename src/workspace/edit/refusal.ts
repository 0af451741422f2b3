/** Why an edit is refused; the table of what each means is in docs/errors.md. */
export type EditCode =
  | "NOT_FOUND"
  | "AMBIGUOUS"
  | "OVERLAP"
  | "STALE"
  | "EXISTS"
  | "NOT_UTF8"
  | "BINARY"
  | "OUT_OF_SCOPE"
  | "SYMLINK_ESCAPE"
  | "IS_DIR"
  | "NO_CHANGE"
  | "ALREADY_APPLIED"
  | "PARSE"
  | "IO";

/** A refusal: what happened, and in `hint` what to do about it. With one, nothing was written. */
export interface EditError {
  readonly code: EditCode;
  /** as it was written; "" where no file is meant */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
  /** 1-based; of the file, for PARSE of what was sent */
  readonly lines?: readonly number[];
  /** which hunk of the file, from 1 */
  readonly hunk?: number;
  /** the place in the file as it is now, with line numbers */
  readonly excerpt?: string;
}

/** Thrown inside this room, so that parsers and searches stay plain; `plan` and `apply` give its error as a value. */
export class Refused extends Error {
  readonly error: EditError;
  constructor(error: EditError) {
    super(`${error.code} ${error.path}: ${error.message}`);
    this.error = error;
  }
}

/** Something that cannot be read as edits. `line` is 1-based, in what was sent. */
export const parseRefusal = (message: string, of: { line?: number; path?: string; hint: string }): Refused =>
  new Refused({
    code: "PARSE",
    path: of.path ?? "",
    message: of.line === undefined ? message : `line ${of.line}: ${message}`,
    hint: of.hint,
    ...(of.line === undefined ? {} : { lines: [of.line] }),
  });

/** The error of a Refused, or what the system said about a file (IO); anything else is a fault, and thrown on. */
export function errorOf(error: unknown, path = ""): EditError {
  if (error instanceof Refused) return error.error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) throw error;
  return { code: "IO", path, message, hint: HINTS[code] ?? "see what the system says, and try again" };
}

const HINTS: Readonly<Record<string, string>> = {
  EACCES: "see who may write in that folder",
  EPERM: "see who may write in that folder",
  EROFS: "the disk is mounted read-only",
  ENOSPC: "make room on the disk, then try again",
  EDQUOT: "make room on the disk, then try again",
  ENAMETOOLONG: "choose a shorter name",
};
