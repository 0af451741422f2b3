import { stem } from "./stem.ts";
import { tally } from "./tally.ts";

/** Words of a text: their hashes, ascending, and how often each is there. */
export interface Words {
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  /** names in the text, all together */
  readonly length: number;
}

/** Longer ones are no names: keys, digests, pictures in text. */
const MAX_NAME = 64;
/** Names whose meaning is kept; a large repository has as many. */
const MOST_KNOWN = 300_000;

/** The number that stands for a word in an outline (FNV-1a, 32 bits). */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Where a name has several parts: `parseHTTPHeader_v2` is parse, HTTP, Header, v2. In lower case, one letter alone left out. */
export function partsOf(name: string): readonly string[] {
  const found = name.match(/\p{Lu}+(?![\p{Ll}\d])|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\d]+|\p{Lu}+/gu) ?? [];
  return found.map((part) => part.toLowerCase()).filter((part) => part.length > 1 && /\D/.test(part));
}

/** What a name counts as: its parts without their endings, and all of it where it has several. */
export function wordsOfName(name: string): readonly string[] {
  const parts = partsOf(name);
  if (parts.length === 0) return [];
  return parts.length === 1 ? [stem(parts[0]!)] : [...parts.map(stem), parts.join("")];
}

/** How a name is counted: which words it stands for. */
export type Reading = (name: string) => readonly string[];

/**
 * Counts the words of texts, one text after the other; what a name stands for is worked out once for all of them. One
 * counter belongs to one `reading`.
 */
export function wordCounter(reading: Reading = wordsOfName): (text: string) => Words {
  const names = tally();
  const words = tally();
  const meanings: Uint32Array[] = [];
  return (text) => {
    let length = 0;
    scanNames(text, (start, end, low, high) => {
      const name = names.add(low, high, 1);
      meanings[name] ??= Uint32Array.from(reading(text.slice(start, end)), hashOf);
      length++;
    });
    names.drain((name, times) => {
      for (const hash of meanings[name]!) words.add(hash | 0, 0, times);
    });
    if (names.size > MOST_KNOWN) {
      names.clear();
      meanings.length = 0;
    }
    return { ...words.sorted(), length };
  };
}

/** The words of names, each once, ascending; what a name stands for is worked out once for all files. */
export function nameWords(reading: Reading = wordsOfName): (names: Iterable<string>) => Uint32Array {
  const known = new Map<string, readonly number[]>();
  const hashesOf = (name: string): readonly number[] => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size > MOST_KNOWN) known.clear();
    const made = name
      .split(/[^\p{L}\p{N}_$]+/u)
      .flatMap(reading)
      .map(hashOf);
    known.set(name, made);
    return made;
  };
  return (names) => {
    const all = new Set<number>();
    for (const name of names) for (const hash of hashesOf(name)) all.add(hash);
    return Uint32Array.from(all).sort();
  };
}

/** 1: may be in a name, 2: may also begin one. Beyond ASCII everything may; what is no letter falls out when it is split. */
const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(letter)) return 2;
  return /\d/.test(letter) ? 1 : 0;
});

type OnName = (start: number, end: number, low: number, high: number) => void;

/** Tells each name in a text, with two numbers that together stand for it. */
function scanNames(text: string, tell: OnName): void {
  const size = text.length;
  for (let at = 0; at < size; ) {
    let code = text.charCodeAt(at);
    if (code < 128 && CLASS[code] === 0) {
      at++;
      continue;
    }
    const isName = code > 127 || CLASS[code] === 2;
    const start = at;
    let low = 0x811c9dc5 | 0;
    let high = 0x9747b28c | 0;
    do {
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995) ^ (high >>> 15);
      code = ++at < size ? text.charCodeAt(at) : 0;
    } while (code > 127 || CLASS[code]! > 0);
    if (isName && at - start > 1 && at - start <= MAX_NAME) tell(start, at, low, high);
  }
}
