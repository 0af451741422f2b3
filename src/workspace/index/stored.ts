import type { NotParsed, Outline, Parsed } from "../../ports/parser.ts";
import { decodeOutline, encodeOutline } from "./record.ts";

/** What a record says of a file: its outline, or why there is none. */
export type Stored =
  | { readonly kind: "outline"; readonly outline: Outline }
  | { readonly kind: "failed"; readonly why: NotParsed };

/** The place of a reason in this list stands in a record of four bytes; `stopped` is never kept. */
const REASONS: readonly NotParsed[] = ["too-big", "binary", "time-limit", "crashed"];

/** A record of what came out; null: nothing that is worth keeping. */
export function recordOf(parsed: Parsed): Uint8Array | null {
  if (parsed.kind === "parsed") return encodeOutline(parsed.outline);
  const place = REASONS.indexOf(parsed.why);
  return place === -1 ? null : Uint8Array.of(place, 0, 0, 0);
}

/** Null: the record cannot be read; it is to be made again. */
export function storedIn(record: Uint8Array): Stored | null {
  if (record.length === 4) {
    const why = REASONS[record[0]!];
    return why === undefined ? null : { kind: "failed", why };
  }
  const outline = decodeOutline(record);
  return outline === null ? null : { kind: "outline", outline };
}
