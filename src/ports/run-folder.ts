/**
 * The files of one run that are replaced whole: progress, context, run log, messages.
 *
 * Contract: `replace` is all or nothing, also in a crash: a reader finds the old text or the new one. `create` makes a file
 * that is not there, and gives false where it is. `read` gives null where there is none. Names are relative, with /.
 */
export interface RunFolder {
  readonly path: string;
  replace(name: string, text: string): void;
  create(name: string, text: string): boolean;
  read(name: string): string | null;
  /** names in a folder of it, unsorted; none where it is not there */
  list(folder: string): readonly string[];
  /** one line at the end of a file that nobody but people read */
  append(name: string, line: string): void;
}
