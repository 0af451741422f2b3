import type { ByteText } from "./byte-text.ts";

/** A line of a hunk. `text` has its line end, where it has one. */
export interface HunkLine {
  readonly kind: "keep" | "drop" | "add";
  readonly text: ByteText;
}

/** Whole lines: those that are kept and dropped say where it belongs. */
export interface LineHunk {
  readonly kind: "lines";
  readonly lines: readonly HunkLine[];
  /** the end of its old lines has to be the end of the file */
  readonly atEnd: boolean;
  /** its last lines say themselves whether the file ends with a line end */
  readonly saysEnd: boolean;
  /** lines that stand above it, the outermost first: it is searched below them */
  readonly anchors: readonly ByteText[];
  /** 1-based: where its header says that it starts in the old file; counts only where that file is known to be this one */
  readonly header: number | null;
}

/** A piece of text for another, anywhere in a line. */
export interface TextHunk {
  readonly kind: "text";
  readonly old: ByteText;
  readonly new: ByteText;
}

/** Lines at the start of a file (below a byte order mark and a `#!` line) or at its end. */
export interface InsertHunk {
  readonly kind: "insert";
  readonly at: "start" | "end";
  readonly text: ByteText;
}

export type Hunk = LineHunk | TextHunk | InsertHunk;

/** What is asked for, whatever format it came in. Paths are as they were written. */
export type Operation =
  | {
      readonly op: "update";
      readonly path: string;
      readonly hunks: readonly Hunk[];
      /** where it moves to, after its hunks */
      readonly to: string | null;
      readonly overwrite: boolean;
      /** null: as it is */
      readonly isExecutable: boolean | null;
      /** the first digits of git's name for the old file's bytes; null: not said */
      readonly blob: string | null;
    }
  | {
      readonly op: "create";
      readonly path: string;
      readonly text: ByteText;
      readonly overwrite: boolean;
      readonly isExecutable: boolean;
    }
  | {
      readonly op: "delete";
      readonly path: string;
      /** what it has to hold; null: whatever it holds */
      readonly expected: ByteText | null;
    };

export type Update = Extract<Operation, { op: "update" }>;

/** An update that does nothing yet. */
export const updateOf = (path: string, hunks: readonly Hunk[], more: Partial<Update> = {}): Update => ({
  op: "update",
  path,
  hunks,
  to: null,
  overwrite: false,
  isExecutable: null,
  blob: null,
  ...more,
});

/** A hunk of whole lines that says no more than its lines. */
export const lineHunk = (lines: readonly HunkLine[], more: Partial<LineHunk> = {}): LineHunk => ({
  kind: "lines",
  lines,
  atEnd: false,
  saysEnd: false,
  anchors: [],
  header: null,
  ...more,
});
