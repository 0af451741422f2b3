import { readLenient } from "../protocol/lenient-json.ts";

/**
 * What a model's text comes to where it should have been one JSON object. object: it is one, and nothing else was said ·
 * unclear: there may be one, but it stands among words, is not alone, or was cut; it is asked for again, never run ·
 * words: there is none.
 */
export type Said =
  | { readonly kind: "object"; readonly object: Readonly<Record<string, unknown>>; readonly wasRepaired: boolean }
  | { readonly kind: "unclear"; readonly why: string }
  | { readonly kind: "words" };

/** Longer texts are not read: no decision is that long, and a model that loops writes for ever. */
const MOST_CHARS = 2_000_000;

/** Never throws. An object that stands in prose is not taken: it may be an example. */
export function readSaid(text: string): Said {
  if (text.length > MOST_CHARS) return { kind: "unclear", why: `the answer has ${text.length} characters` };
  const plain = decoded(withoutWrapping(text));
  if (!plain.includes("{")) return { kind: "words" };
  if (!plain.startsWith("{")) return { kind: "unclear", why: "the object has to stand alone, without words around it" };
  try {
    // not JSON.parse, which takes the last one of two values for one name
    return asObject(readLenient(plain), plain !== text.trim() || parsed(plain) === undefined);
  } catch (error) {
    return { kind: "unclear", why: error instanceof Error ? error.message : String(error) };
  }
}

/** An object that was encoded once more, as a text. */
function decoded(plain: string): string {
  const value = plain.startsWith('"') ? parsed(plain) : undefined;
  return typeof value === "string" ? value.trim() : plain;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const asObject = (value: unknown, wasRepaired: boolean): Said =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? { kind: "object", object: value as Record<string, unknown>, wasRepaired }
    : { kind: "unclear", why: "it is no object" };

/** Takes off what carries no meaning: thoughts before the answer, marks of special tokens, one fence or several, one in the other. */
function withoutWrapping(text: string): string {
  let plain = text
    .replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "")
    .replace(/^(?:\s*<\|[a-z_]{1,40}\|>)+/, "")
    .replace(/(?:<\|[a-z_]{1,40}\|>\s*)+$/, "")
    .trim();
  for (let i = 0; i < 4; i++) {
    const inner = /^(`{3,}|~{3,})[\w+-]*[ \t]*\r?\n([\s\S]*?)\r?\n?\1$/.exec(plain)?.[2];
    if (inner === undefined) return plain;
    plain = inner.trim();
  }
  return plain;
}
