import {
  OUTPUT_WORDS,
  type OutputFormat,
  type OutputNumber,
  type OutputPlace,
  type OutputRead,
} from "./output-format.ts";

/** Reads an output line by line, by its format. Of texts 64 KiB are kept. */
export function outputReader(format: OutputFormat): { line(text: string): void; read(): OutputRead } {
  let read: OutputRead = { message: null, tokens: null, costUsd: null, error: null, verdict: null };
  const finds = findersOf(format);
  const verdictIn = (line: Line): OutputRead["verdict"] => {
    for (const { word, find } of finds.verdict) {
      const text = find(line);
      if (text !== null) return { word, text };
    }
    return null;
  };
  return {
    line(text) {
      const line = lineOf(text, format);
      if (line === null) return;
      read = {
        message: finds.message(line) ?? read.message,
        tokens: numbered(format.tokens, line, read.tokens),
        costUsd: numbered(format.costUsd, line, read.costUsd),
        error: finds.error(line) ?? read.error,
        verdict: verdictIn(line) ?? read.verdict,
      };
    },
    read: () => read,
  };
}

const MOST = 64 * 1024;

interface Line {
  readonly text: string;
  /** null: the format is text */
  readonly value: object | null;
}

function lineOf(text: string, { format }: OutputFormat): Line | null {
  if (format === "text") return { text, value: null };
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { text, value } : null;
  } catch {
    return null;
  }
}

type Find = (line: Line) => string | null;

const findersOf = ({ message, error, verdict = {} }: OutputFormat) => ({
  message: finder(message),
  error: finder(error),
  verdict: OUTPUT_WORDS.flatMap((word) => (verdict[word] === undefined ? [] : [{ word, find: finder(verdict[word]) }])),
});

function finder(place: OutputPlace | undefined): Find {
  if (place === undefined) return () => null;
  const pattern = place.match === undefined ? null : new RegExp(place.match);
  return (line) => {
    const [first] = valuesAt(place, line);
    return first === undefined ? null : (fitting(pattern, first)?.slice(-MOST) ?? null);
  };
}

function fitting(pattern: RegExp | null, text: string): string | null {
  if (pattern === null) return text;
  const found = pattern.exec(text);
  return found === null ? null : (found[1] ?? found[0]);
}

/** What is there at the paths of a place, in a line that it speaks of. */
function valuesAt({ when = {}, at }: OutputPlace, { text, value }: Line): readonly string[] {
  if (value === null) return [text];
  const isSo = Object.entries(when).every(([path, wanted]) => textOf(follow(value, path)) === wanted);
  if (!isSo) return [];
  if (at === undefined) return [text];
  return at.map((path) => textOf(follow(value, path))).filter((one) => one !== null);
}

/** `item.0.text`: keys and places of lists, with dots between. */
const follow = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inside, key) =>
        typeof inside === "object" && inside !== null && Object.hasOwn(inside, key)
          ? (inside as Readonly<Record<string, unknown>>)[key]
          : undefined,
      value,
    );

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

function numbered(place: OutputNumber | undefined, line: Line, before: number | null): number | null {
  if (place === undefined) return null;
  const pattern = place.match === undefined ? null : new RegExp(place.match);
  const found = valuesAt(place, line)
    .map((text) => numberIn(fitting(pattern, text)))
    .filter((one) => one !== null);
  if (found.length === 0) return before;
  const sum = found.reduce((total, one) => total + one, 0);
  return place.each ? (before ?? 0) + sum : sum;
}

/** `1234`, `1,234`, `$0.05`, `12.5k` */
function numberIn(text: string | null): number | null {
  const parts = /^\$?(\d[\d,_]*(?:\.\d+)?|\.\d+)([kM]?)$/.exec(text?.trim() ?? "");
  if (parts === null) return null;
  return Number(parts[1]!.replace(/[,_]/g, "")) * { "": 1, k: 1_000, M: 1_000_000 }[parts[2] as "" | "k" | "M"];
}
