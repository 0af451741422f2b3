/** A value that SQLite takes and gives back. */
export type Value = string | number | bigint | null | Uint8Array;

export interface Statement {
  run(...values: Value[]): { readonly changes: number | bigint };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  iterate(...values: Value[]): IterableIterator<unknown>;
}

/**
 * One connection to a SQLite database, synchronous: the part of Node's DatabaseSync that is used. A connection that has
 * prepared a statement is closed for good only when the statement was collected (@photostructure/sqlite offers no
 * finalize): where a lock must go with the connection, use `exec` alone.
 */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
export interface OpenOptions {
  readonly readOnly?: boolean;
  /** ms to wait for another process's lock */
  readonly timeout?: number;
}
export type OpenDatabase = (path: string, options?: OpenOptions) => Database;
