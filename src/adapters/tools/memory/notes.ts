import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Database, OpenDatabase } from "../../../ports/database.ts";

/** What a worker kept for those that come after it. */
export interface Note {
  readonly id: number;
  readonly text: string;
  /** the task that it was learned in */
  readonly task: string;
  /** ms since 1970 */
  readonly at: number;
}

/** The notes of one project, in one file; several processes may use it at once. */
export interface Notes {
  /** Durable when it returns. A text that is there already is not kept twice: false. */
  save(note: Omit<Note, "id">): boolean;
  /** Those that hold one of these words, the best first; equally good ones, the oldest first. */
  search(words: string, most: number): readonly Note[];
  close(): void;
}

/** How long another process's write is waited for: it lasts for a few fsyncs. */
const BUSY_MS = 10_000;
const FORMAT = 1;

/**
 * Opens the notes at `path`, and makes the file and its folder where they are not there. Not with a write-ahead log:
 * notes are few, and one file is easier to keep and to copy. Throws MEMORY_NEWER, and what SQLite throws.
 */
export function openNotes(path: string, open: OpenDatabase): Notes {
  mkdirSync(dirname(path), { recursive: true });
  const database = open(path, { timeout: BUSY_MS });
  try {
    // EXTRA: the folder is written too when the journal goes, so that what is saved survives the power
    database.exec("PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON");
    prepare(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    save: ({ text, task, at }) =>
      Number(
        database.prepare("INSERT OR IGNORE INTO notes (text, task, at) VALUES (?, ?, ?)").run(text, task, at).changes,
      ) > 0,
    search: (words, most) => found(database, words, most),
    close: () => database.close(),
  };
}

const SCHEMA = `
  CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, task TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(
    text, content='notes', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2');
  CREATE TRIGGER noted AFTER INSERT ON notes BEGIN INSERT INTO words (rowid, text) VALUES (new.id, new.text); END;
  PRAGMA user_version = ${FORMAT};`;

/** Two that come at once: the second one finds what the first one made. */
function prepare(database: Database, path: string): void {
  if (formatOf(database) !== FORMAT) {
    database.exec("BEGIN IMMEDIATE");
    try {
      if (formatOf(database) === 0) database.exec(SCHEMA);
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }
  if (formatOf(database) > FORMAT)
    throw new PawlError("MEMORY_NEWER", `the notes ${path} are of a newer pawl`, {
      next: "use that pawl; nothing was changed",
      at: { file: path },
    });
}

const formatOf = (database: Database): number =>
  (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;

/** By full text; where that finds nothing (a part of a word, a script without spaces), by what the text holds. */
function found(database: Database, words: string, most: number): readonly Note[] {
  const terms = words.match(/[\p{L}\p{N}]+/gu)?.slice(0, MOST_WORDS) ?? [];
  if (terms.length === 0) return [];
  const byWords = database
    .prepare(
      `SELECT notes.id AS id, notes.text AS text, task, at FROM words JOIN notes ON notes.id = words.rowid
       WHERE words MATCH ? ORDER BY bm25(words), notes.id LIMIT ?`,
    )
    .all(terms.map((term) => `"${term}"`).join(" OR "), most) as Note[];
  if (byWords.length > 0) return byWords;
  const holds = terms.map(() => "instr(lower(text), lower(?)) > 0").join(" OR ");
  return database
    .prepare(`SELECT id, text, task, at FROM notes WHERE ${holds} ORDER BY id LIMIT ?`)
    .all(...terms, most) as Note[];
}

const MOST_WORDS = 32;
