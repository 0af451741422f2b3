import { escapeArg } from "@yume-chan/adb";

/** More at once, and some systems lose keys (web-infra-dev/midscene issue 2056). */
const KEYS_AT_ONCE = 10;
/** An old device takes packets of 4 KiB, and a line is one packet. */
export const LINE_BYTES = 3000;

/** Whether `input text` types this as it stands: `%s` would become a space, and what no key types is an error there. */
export const isPlain = (text: string): boolean => /^[\x20-\x24\x26-\x7e]*$/.test(text);

/** Whether keys can type it at all: also `%`, with its follower in a command of its own, and new lines. */
export const isTypable = (text: string): boolean => /^[\n\x20-\x7e]*$/.test(text);

/** Lines for the device's shell that type a typable text, in order; each fits into one packet. */
export function typingLines(text: string): readonly string[] {
  const commands = text
    .split(/(\n)/)
    .flatMap((part) => (part === "\n" ? ["input keyevent KEYCODE_ENTER"] : pieces(part).map(typing)));
  const lines: string[] = [];
  for (const command of commands) {
    const joined = lines.length > 0 ? `${lines.at(-1)} && ${command}` : null;
    if (joined !== null && joined.length <= LINE_BYTES) lines[lines.length - 1] = joined;
    else lines.push(command);
  }
  return lines;
}

const typing = (piece: string): string => `input text ${escapeArg(piece.replaceAll(" ", "%s"))}`;

/** Pieces of at most so many keys, cut behind each `%`. */
const pieces = (text: string): readonly string[] =>
  text.match(new RegExp(`[^%]{0,${KEYS_AT_ONCE - 1}}%|[^%]{1,${KEYS_AT_ONCE}}`, "g")) ?? [];

/** Parts of a text that each fit into one packet as base64; no character is cut. */
export function base64Parts(text: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (part !== "" && Buffer.byteLength(part + segment) > (LINE_BYTES * 3) / 4 - 200) {
      parts.push(part);
      part = "";
    }
    part += segment;
  }
  if (part !== "") parts.push(part);
  return parts.map((each) => Buffer.from(each, "utf8").toString("base64"));
}
