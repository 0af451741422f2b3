/**
 * An append-only file of lines.
 *
 * Contract: `lines` are the whole lines that were there when it was opened, in order; a last line without an end was cut
 * off by a crash: it is taken away from the file, kept beside it, and said in `torn` (its bytes). Bytes that are no
 * UTF-8 and lines that are no JSON are kept in `lines` as they are: who reads them says so, and goes on. `append` writes
 * one line; with `durable` it is on the disk, with all before it, when the promise resolves. One writer at a time: a
 * second one throws JOURNAL_HELD.
 */
export interface Journal {
  readonly lines: readonly string[];
  readonly torn: number;
  append(line: string, how: { readonly durable: boolean }): Promise<void>;
  close(): void;
}
