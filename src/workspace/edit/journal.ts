import { createHash } from "node:crypto";
import { type ByteText, toBytes, toText } from "./byte-text.ts";

/** What a path held, or will hold. */
export interface State {
  readonly sha256: string;
  /** permission bits; null: those of a new file, whatever they turn out to be */
  readonly mode: number | null;
}

export interface JournalChange {
  /** from the root */
  readonly key: string;
  /** the new bytes lie here, beside it, until they are renamed to it; null: it is deleted */
  readonly temp: string | null;
  readonly old: (State & { readonly mode: number; readonly owner: Owner; readonly size: number }) | null;
  readonly now: State | null;
}
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * What is about to be done to several files, written down before the first of them is touched: what each held, so that it
 * can be put back, and how to know whether it was done.
 */
export interface Journal {
  readonly id: string;
  readonly changes: readonly JournalChange[];
  /** folders that are made for it, outer ones first; from the root */
  readonly folders: readonly string[];
  /** the old bytes of each change that has any, in order */
  readonly old: readonly ByteText[];
}

const MAGIC = "pawl-edits 1";

/** First line: how long the rest is, and its hash. Second: JSON. Then the old bytes, one after the other. */
export function writeJournal({ old, ...rest }: Journal): Uint8Array {
  const body = [Buffer.from(`${JSON.stringify(rest)}\n`), ...old.map(toBytes)];
  const length = body.reduce((sum, part) => sum + part.length, 0);
  const sum = createHash("sha256");
  for (const part of body) sum.update(part);
  return Buffer.concat([Buffer.from(`${MAGIC} ${length} ${sum.digest("hex")}\n`), ...body]);
}

/**
 * `torn`: it was not written to its end, so nothing that it is about was begun. `broken`: it has its length and not its
 * bytes, which no crash of ours does.
 */
export function readJournal(text: ByteText): Journal | "torn" | "broken" {
  const head = /^pawl-edits 1 (\d+) ([0-9a-f]{64})\n/.exec(text);
  if (!head) return text.length < 200 ? "torn" : "broken";
  const body = text.slice(head[0].length);
  if (body.length < Number(head[1])) return "torn";
  if (hash(toBytes(body)) !== head[2]) return "broken";
  const end = body.indexOf("\n");
  const rest = JSON.parse(toText(body.slice(0, end))) as Omit<Journal, "old">;
  let at = end + 1;
  const old = rest.changes.flatMap(({ old: before }) => {
    const start = at;
    at += before?.size ?? 0;
    return before ? [body.slice(start, at)] : [];
  });
  return { ...rest, old };
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
