import { deflateRawSync, inflateRawSync } from "node:zlib";

/** From so many characters on a part of the log is packed: only busy turns are so long, and their text repeats itself. */
const PACKED_FROM = 8_192;

/** A part of the log as it is kept: JSON that anybody can read, or that JSON packed (raw deflate of UTF-8). */
export function toLog(value: unknown): string | Uint8Array {
  const text = JSON.stringify(value);
  return text.length < PACKED_FROM ? text : deflateRawSync(text, { level: 1 });
}

/** The JSON of a part of the log. Throws where it is packed and broken. */
export const fromLog = (kept: string | Uint8Array): string =>
  typeof kept === "string" ? kept : inflateRawSync(kept).toString("utf8");
