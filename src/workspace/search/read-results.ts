import type { FoundLine, SearchResult } from "../../ports/searcher.ts";
import { FirstMatches } from "./first-matches.ts";
import { foundLines, isGarbage, pathOf } from "./found-line.ts";
import { lineEvent, type Told } from "./line-event.ts";
import { type Record, recordReader } from "./records.ts";

/** Reads what ripgrep says in JSON. */
export interface ResultReader {
  push(part: Buffer): void;
  /** null: it did not come to its end */
  end(): Omit<SearchResult, "unread" | "unreadCount"> | null;
}

interface Open {
  readonly key: string;
  readonly path: string;
  readonly base64?: string;
  readonly isWanted: boolean;
  readonly lines: FoundLine[];
  /** where each of them begins in its file */
  readonly offsets: number[];
  matches: number;
}

const NAMED = 20;
/** what stands behind `{"type":"`; a summary has its type at its end */
const KIND_AT = 9;
const kindOf = (text: string): string => (text.startsWith('{"data"') ? "s" : text.charAt(KIND_AT));

/** Only what may be given is parsed: of all other files their counts are enough. */
export function resultReader(of: { readonly limit: number | null; readonly context: number }): ResultReader {
  const first = new FirstMatches(of.limit);
  const binary: string[] = [];
  let [total, matchedFiles] = [0, 0];
  let open: Open | null = null;
  let isWhole = false;
  const noteEnd = ({ binary_offset, stats }: EndEvent): void => {
    const file = open;
    open = null;
    if (file === null || stats.matched_lines === 0) return;
    const whole = binary_offset === null ? file : asBinary(file, binary_offset);
    total += stats.matched_lines - (file.matches - whole.matches);
    matchedFiles++;
    if (binary_offset !== null) binary.push(file.path);
    if (file.isWanted && whole.matches > 0) first.add(whole);
  };
  const skips = (text: string, from: number): boolean => {
    const kind = text.charAt(from + KIND_AT);
    return (kind === "m" || kind === "c") && !(open?.isWanted && open.matches <= first.most);
  };
  const take = (record: Record): void => {
    const kind = kindOf(record.text);
    if (kind === "b") open = opened(record, first);
    else if (kind === "e") noteEnd(dataOf(record) as EndEvent);
    else if (kind === "s") isWhole = true;
    else if (open !== null && !skips(record.text, 0)) noteLines(open, record, kind === "m");
  };
  const reader = recordReader({ skips, take });
  return {
    push: reader.push,
    end() {
      reader.end();
      if (!isWhole) return null;
      const named = { binary: binary.sort().slice(0, NAMED), binaryCount: binary.length };
      return { ...first.files(of.context), total, matchedFiles, ...named };
    },
  };
}

interface EndEvent {
  readonly binary_offset: number | null;
  readonly stats: { readonly matched_lines: number };
}

const dataOf = ({ text }: Record): unknown => (JSON.parse(text) as { data: unknown }).data;

function opened(record: Record, first: FirstMatches): Open {
  const path = pathOf((dataOf(record) as { path: Told }).path);
  return { ...path, isWanted: first.wants(path.key), lines: [], offsets: [], matches: 0 };
}

function noteLines(open: Open, record: Record, isMatch: boolean): void {
  const event = record.isCut ? null : lineEvent(record.text);
  const lines = event === null ? [tooLong(record, isMatch)] : foundLines(event, isMatch);
  for (const line of lines) {
    open.lines.push(line);
    open.offsets.push(event?.absolute_offset ?? 0);
  }
  if (isMatch) open.matches += lines.length;
}

const tooLong = ({ size }: Record, isMatch: boolean): FoundLine => ({
  line: null,
  text: `[a line of about ${size} bytes]`,
  isMatch,
  isCut: true,
});

/** Behind its first NUL nobody knows what a line is, so none has a number; and what says nothing is left out. */
function asBinary(file: Open, nulAt: number): Open {
  const numbered = file.lines.map((line, i) => (file.offsets[i]! > nulAt ? { ...line, line: null } : line));
  const lines = numbered.filter((line) => !isGarbage(line));
  return { ...file, lines, matches: lines.filter(({ isMatch }) => isMatch).length };
}
