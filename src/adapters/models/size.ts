import type { ModelRequest } from "../../ports/model.ts";

/** Characters of a request, nearly; a picture counts as the words that cost as much, not as its bytes. */
export function sizeOf({ system, turns, tools }: ModelRequest): number {
  let pictures = 0;
  const words = JSON.stringify(turns, (key, value: unknown) => {
    if (key !== "base64") return value;
    pictures += 1;
    return "";
  });
  return system.length + words.length + JSON.stringify(tools).length + pictures * PICTURE_CHARS;
}
/** some 1500 tokens: what providers count for a picture of a phone's screen */
const PICTURE_CHARS = 6_000;
