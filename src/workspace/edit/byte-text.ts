import { isUtf8 } from "node:buffer";

/**
 * A text as its bytes: one character, U+0000 to U+00FF, for each. Whatever its encoding, what is not touched stays what
 * it was, and an offset is an offset in the file. (A plain string: nothing but this file makes them from others.)
 */
export type ByteText = string;

export const fromText = (text: string): ByteText =>
  isAscii(text) ? text : Buffer.from(text, "utf8").toString("latin1");
export const fromBytes = (bytes: Uint8Array): ByteText =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
export const toBytes = (text: ByteText): Uint8Array => Buffer.from(text, "latin1");

/** For people to read: what is no UTF-8 shows as U+FFFD, so it never goes back into a file. */
export const toText = (text: ByteText): string => (isAscii(text) ? text : Buffer.from(text, "latin1").toString("utf8"));

export const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);
export const isUtf8Text = (text: ByteText): boolean => isAscii(text) || isUtf8(Buffer.from(text, "latin1"));

/** As git tells text from what is none: a NUL byte in the first 8,000. */
export const isBinary = (text: ByteText): boolean => text.slice(0, 8_000).includes("\0");

/** The mark that some editors put before UTF-8. */
export const BOM: ByteText = "\xef\xbb\xbf";
/** U+FFFD in UTF-8: what is left where somebody read a file in the wrong encoding. */
export const REPLACEMENT: ByteText = "\xef\xbf\xbd";

const BLANKS = " \t\r\n\v\f";

/** Without ASCII blanks at its end. (JavaScript's own trim would take 0xA0 too, which is half of an "à".) */
export function trimEnd(text: ByteText): ByteText {
  let end = text.length;
  while (end > 0 && BLANKS.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** Without ASCII blanks at both ends. */
export function trim(text: ByteText): ByteText {
  let start = 0;
  while (start < text.length && BLANKS.includes(text[start]!)) start++;
  return trimEnd(text.slice(start));
}
