/** Verdicts in the order in which they count where one line says several: a no before a yes. */
export const OUTPUT_WORDS = ["FAIL", "BLOCKED", "NO_CHANGE", "PASS"] as const;
export type OutputWord = (typeof OUTPUT_WORDS)[number];

/** A place in an agent's output: lines in which all holds that is said here. The last such line counts. */
export interface OutputPlace {
  /** JSON alone: what stands at these paths (`item.type`), as text */
  readonly when?: Readonly<Record<string, string>>;
  /** JSON alone: paths of what is wanted; the first that is there, of numbers all of them together */
  readonly at?: readonly string[];
  /** a regular expression: its first group is what is wanted, else all that it fits; absent: the whole */
  readonly match?: string;
}

/** A number; `each`: every such line says what is new, and they are added up. */
export interface OutputNumber extends OutputPlace {
  readonly each?: boolean;
}

/** How the output (stdout) of a command-line agent is read, as data. What is not named here is not read from it. */
export interface OutputFormat {
  /** json-lines: lines that are no JSON objects are noise */
  readonly format: "text" | "json-lines";
  /** what it says last: the detail of its verdict; `last_line` is the last line of this */
  readonly message?: OutputPlace;
  readonly tokens?: OutputNumber;
  /** US dollars */
  readonly costUsd?: OutputNumber;
  /** why it could not go on, in its own words: whether it is tried again goes by these */
  readonly error?: OutputPlace;
  readonly verdict?: Readonly<Partial<Record<OutputWord, OutputPlace>>>;
}

/** What was read of an output; null: it did not say. */
export interface OutputRead {
  readonly message: string | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly error: string | null;
  readonly verdict: { readonly word: OutputWord; readonly text: string } | null;
}
