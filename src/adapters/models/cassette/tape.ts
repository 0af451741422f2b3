import { PawlError } from "../../../domain/errors.ts";

/** A request as it is recorded: no headers, no host, no key. */
export interface TapedRequest {
  readonly method: string;
  /** with its query, without a key in it */
  readonly path: string;
  /** as JSON where it is some, else as text */
  readonly body: unknown;
}

export interface TapedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** text, or base64 where it is none */
  readonly body: string;
  readonly base64?: true;
  /** in how many parts it came, by their bytes */
  readonly sizes: readonly number[];
  /** cut: the connection broke; left: nobody wanted the rest */
  readonly end: "done" | "cut" | "left";
}

/** One request of a tape, by its number (from 1). With neither answer nor failure the recording ended there. */
export interface Taped {
  readonly n: number;
  readonly asked: TapedRequest;
  readonly answered?: TapedAnswer;
  /** the network's word: there was no answer at all */
  readonly failed?: string;
}

/** The lines of a tape; each stands for itself, so that what was written before a crash can be read. */
type Line =
  | { readonly cassette: 1 }
  | { readonly n: number; readonly asked: TapedRequest }
  | { readonly n: number; readonly answered: TapedAnswer }
  | { readonly n: number; readonly failed: string };

export const lineOf = (line: Line): string => `${JSON.stringify(line)}\n`;

/** What a tape holds. A last line that is torn counts as not written; any other that cannot be read is CASSETTE_BROKEN. */
export function readTape(text: string, file: string): readonly Taped[] {
  const lines = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  const tapes = new Map<number, Taped>();
  lines.forEach((line, i) => {
    const read = parsed(line);
    if (read === null || (i === 0) !== "cassette" in read) throw broken(file, i + 1);
    if ("cassette" in read) return;
    const before = tapes.get(read.n);
    if ("asked" in read) tapes.set(read.n, { n: read.n, asked: read.asked });
    else if (before) tapes.set(read.n, { ...before, ...read });
    else throw broken(file, i + 1);
  });
  return [...tapes.values()].sort((a, b) => a.n - b.n);
}

function parsed(line: string): Line | null {
  try {
    const value = JSON.parse(line) as Partial<Record<string, unknown>>;
    const isHead = value.cassette === 1;
    const isPart = Number.isInteger(value.n) && ["asked", "answered", "failed"].some((key) => key in value);
    return isHead || isPart ? (value as unknown as Line) : null;
  } catch {
    return null;
  }
}

const broken = (file: string, line: number): PawlError =>
  new PawlError("CASSETTE_BROKEN", `${file} cannot be read as a cassette in line ${line}`, {
    at: { file, line },
    next: "record it anew, or take it from git again.",
  });
