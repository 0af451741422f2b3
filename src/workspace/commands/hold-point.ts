import { literal, SHAPES } from "./secret-shapes.ts";

/** A secret is one word; what is longer is not waited for. */
const WORD = 8_000;
/** a private key has many */
const KEY = 24_000;
const BEGINS = SHAPES.flatMap(({ begins }) => begins);
const LONGEST_BEGIN = Math.max(...BEGINS.map(({ length }) => length));

/**
 * Where in a text something may have begun that is a secret when it goes on; the text's length where nothing has.
 * Mostly that is its length: output comes in lines.
 */
export function holdPoint(forms: readonly string[]): (text: string) => number {
  const longest = Math.max(0, ...forms.map((form) => form.length));
  const firsts = new Set(forms.map((form) => form[0]));
  return (text) => {
    let from = Math.min(begunWord(text), begunKey(text), halfOfBegin(text));
    for (let at = Math.max(0, text.length - longest + 1); at < from; at++) {
      if (!firsts.has(text[at])) continue;
      const rest = text.slice(at);
      if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) from = at;
    }
    return from;
  };
}

const BEGUN = new RegExp(`(?<![A-Za-z0-9])(?:${BEGINS.map(literal).join("|")})|[A-Z][A-Z0-9_]*=|:\\/\\/`);
const BEFORE = /(?:[Bb]earer|[Bb]asic)[ \t]{1,4}$/;

/** A token, the name or the word before one, in the last word of the text. */
function begunWord(text: string): number {
  let start = text.length;
  const least = Math.max(0, text.length - WORD);
  while (start > least && !isSpace(text.charCodeAt(start - 1))) start--;
  const before = BEFORE.exec(text.slice(Math.max(0, start - 12), start));
  if (before) return start - before[0].length;
  const begun = BEGUN.exec(text.slice(start));
  return begun ? start + begun.index : text.length;
}
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

const KEY_BEGUN = /^-----BEGIN [A-Z0-9 ]{0,50}(?:-{0,4}|(?<=PRIVATE KEY(?: BLOCK)?)-----[A-Za-z0-9+/=:,\s\\-]*)$/;
const KEY_ENDED = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;

function begunKey(text: string): number {
  const at = text.lastIndexOf("-----BEGIN ");
  if (at < 0 || text.length - at > KEY) return text.length;
  const key = text.slice(at);
  return KEY_BEGUN.test(key) && !KEY_ENDED.test(key) ? at : text.length;
}

/** `gh`, of which nobody knows yet whether it becomes `ghp_`. */
function halfOfBegin(text: string): number {
  for (let size = Math.min(LONGEST_BEGIN - 1, text.length); size > 0; size--) {
    const end = text.slice(-size);
    if (BEGINS.some((begin) => begin.length > size && begin.startsWith(end))) return text.length - size;
  }
  return text.length;
}
