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
