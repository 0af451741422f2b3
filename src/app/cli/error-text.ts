import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { PawlError } from "../../domain/errors.ts";
import type { Palette } from "./palette.ts";
import { cut, oneLine, printable, width } from "./printable.ts";

export interface ErrorTextOptions {
  readonly colour: Palette;
  /** folder that files of errors are relative to; null: no file is looked into */
  readonly root: string | null;
  readonly as?: "error" | "warning";
  /** a note is cut where a line of 100 columns ends: for a terminal; in a pipe nothing is cut */
  readonly cuts?: boolean;
}

/** The one form of an error: code and message, place, the line with carets below what is meant, and what to do. */
export function errorText(error: PawlError, options: ErrorTextOptions): string {
  const { colour, as = "error" } = options;
  const paint = as === "error" ? colour.red : colour.yellow;
  const head = `${paint(`${as}[${error.code}]`)} ${printable(error.message)}`;
  const next = error.next === null ? [] : [`next: ${printable(error.next)}`];
  return [head, ...placeLines(error, options), ...next].join("\n");
}

function placeLines(error: PawlError, options: ErrorTextOptions): readonly string[] {
  const { file, line, column } = error.at;
  if (file === undefined) return noteLines(error, options);
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const frame = line === undefined ? null : codeFrame(error, { ...options, line, column: column ?? 1 });
  return [`  --> ${printable(place).replaceAll("\n", " ")}`, ...(frame ?? noteLines(error, options))];
}

const noteOf = ({ data }: PawlError): string => (typeof data.note === "string" ? oneLine(data.note) : "");
const noteLines = (error: PawlError, { cuts = true }: ErrorTextOptions): readonly string[] =>
  noteOf(error) === "" ? [] : [`  ${cuts ? cut(noteOf(error), 98) : noteOf(error)}`];

/** Columns of the source that are shown: where a line is longer, those around the place. */
const SHOWN = 84;

function codeFrame(
  error: PawlError,
  of: ErrorTextOptions & { line: number; column: number },
): readonly string[] | null {
  const source = of.root === null ? null : lineOf(resolve(of.root, error.at.file!), of.line);
  if (source === null) return null;
  const start = of.column > SHOWN - 20 ? of.column - 21 : 0;
  const shown = clean(source.slice(start, start + SHOWN));
  const lead = clean(source.slice(start, start + of.column - 1 - start));
  const span = typeof error.data.span === "number" ? error.data.span : 1;
  const meant = clean(source.slice(of.column - 1, of.column - 1 + span)).slice(
    0,
    Math.max(1, shown.length - lead.length),
  );
  const gutter = `${of.line} `;
  const carets = "^".repeat(Math.max(1, width(meant)));
  const note = noteOf(error);
  return [
    `${of.colour.dim(`${gutter}|`)} ${shown}`,
    `${of.colour.dim(`${" ".repeat(gutter.length)}|`)} ${" ".repeat(width(lead))}${of.colour.red(carets)}${note === "" ? "" : ` ${of.cuts === false ? note : cut(note, 98)}`}`,
  ];
}

/** One column for a tab and for what cannot be shown, so that the carets stand where they should. */
const clean = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, " ");

function lineOf(path: string, line: number): string | null {
  try {
    return readFileSync(path, "utf8").split("\n", line)[line - 1]?.replace(/\r$/, "") ?? null;
  } catch {
    return null;
  }
}

/** An error as `--json` has it. */
export const errorJson = (error: PawlError) => ({
  code: error.code,
  message: error.message,
  file: error.at.file ?? null,
  line: error.at.line ?? null,
  column: error.at.column ?? null,
  next: error.next,
});
