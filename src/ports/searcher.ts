/** What is looked for, and where. */
export interface SearchQuery {
  /** a regular expression (Rust's syntax); with `isLiteral` a text as it is */
  readonly pattern: string;
  readonly isLiteral: boolean;
  /** smart: case counts where the pattern has a capital */
  readonly letterCase: "smart" | "sensitive" | "ignore";
  readonly wholeWords: boolean;
  /** a match may go over several lines */
  readonly multiline: boolean;
  /** absolute path of the folder that paths are told from */
  readonly cwd: string;
  /** files and folders, absolute or from `cwd`; none: `cwd` itself. A file that is named is searched whatever its type */
  readonly paths: readonly string[];
  /** null: anywhere; else what is not below this folder is refused, by links too */
  readonly root: string | null;
  /** only files that fit one, also those that are hidden or ignored, and none that fits one with ! before it */
  readonly globs: readonly string[];
  /** file types by their names, like ts or py; `!py`: none of these */
  readonly types: readonly string[];
  /** files whose names begin with a dot too */
  readonly hidden: boolean;
  /** files too that .gitignore, .ignore and the like leave out */
  readonly ignored: boolean;
  /** lines before and after each match */
  readonly context: number;
  /** matched lines that are given; null: all */
  readonly limit: number | null;
  readonly signal?: AbortSignal;
}

/** A line of a file, as it is told. */
export interface FoundLine {
  /** from 1; null: the line is too long to be read */
  readonly line: number | null;
  /** without its end; what is no UTF-8 has U+FFFD; a long one is cut around its match */
  readonly text: string;
  readonly isMatch: boolean;
  /** where the first match begins, in characters, from 1; of a match only */
  readonly column?: number;
  /** the whole line in base64, where it is no UTF-8 */
  readonly base64?: string;
  /** `text` is a part of the line */
  readonly isCut?: true;
}

export interface FoundFile {
  /** with /; bytes that are no UTF-8 are written as \xNN */
  readonly path: string;
  /** the name's bytes in base64, where they are no UTF-8 */
  readonly base64?: string;
  /** in their order */
  readonly lines: readonly FoundLine[];
}

export interface SearchResult {
  /** in the order of their paths' bytes: the same on every machine */
  readonly files: readonly FoundFile[];
  /** matched lines that are given, and how many there are */
  readonly shown: number;
  readonly total: number;
  /** files that have a match */
  readonly matchedFiles: number;
  /** files with a match that are no text: how often they have more is not known. At most 20 of them */
  readonly binary: readonly string[];
  readonly binaryCount: number;
  /** what could not be read, in the system's words; at most 20 of them */
  readonly unread: readonly string[];
  readonly unreadCount: number;
}

/**
 * Searches files.
 *
 * Contract: throws PATTERN_BAD, GLOB_BAD, TYPE_UNKNOWN with what is wrong in it; PATH_MISSING; OUT_OF_SCOPE; SEARCH_MISSING
 * where there is no program that searches; CANCELLED. What cannot be read is told, and does not end a search. No
 * configuration of the user's changes what is found. Memory does not grow with what is not given.
 */
export interface Searcher {
  search(query: SearchQuery): Promise<SearchResult>;
}
