/** Below this a word is left as it is: what is left of it would say nothing. */
const SHORTEST = 3;

/** What stands at the end of a word, and what is left in its place; the first that fits is taken. */
const ENDINGS: readonly (readonly [end: string, left: string])[] = [
  ["ization", "iz"],
  ["ations", "at"],
  ["ation", "at"],
  ["ities", "it"],
  ["ments", "ment"],
  ["sses", "ss"],
  ["ions", ""],
  ["ings", ""],
  ["ies", "y"],
  ["ers", ""],
  ["ing", ""],
  ["ion", ""],
  ["ity", "it"],
  ["ed", ""],
  ["er", ""],
  ["or", ""],
  ["ly", ""],
  ["ss", "ss"],
  ["us", "us"],
  ["is", "is"],
  ["es", ""],
  ["s", ""],
  ["e", ""],
];

/** A word in lower case without its ending, so that `parse`, `parsing`, `parsed` and `parser` are one. */
export function stem(word: string): string {
  const found = ENDINGS.find(([end]) => word.endsWith(end) && word.length - end.length >= SHORTEST);
  if (found === undefined) return word;
  const [end, left] = found;
  const rest = word.slice(0, word.length - end.length) + left;
  return single(rest);
}

/** `stopp` (of `stopped`) is `stop`; `pass` stays. */
function single(word: string): string {
  const last = word.at(-1)!;
  const isDouble = word.length > SHORTEST && word.at(-2) === last && !"aeiouls".includes(last);
  return isDouble ? word.slice(0, -1) : word;
}
