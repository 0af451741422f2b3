import type { CodeIndex, IndexedFile } from "../index/code-index.ts";
import { nameWords } from "../index/words.ts";
import type { TicketWord } from "./ticket.ts";

/** How much each place of a word counts, and how far length is held against a file (BM25's k1 and b). */
export interface TextWeights {
  readonly k1: number;
  readonly b: number;
  readonly body: number;
  readonly path: number;
  /** the file's own name, on top of `path` */
  readonly name: number;
  readonly defined: number;
}

/** Where the words of a ticket stand in the files of an index. */
export interface Hits {
  readonly files: number;
  /** each file's length, 1 is the mean */
  readonly lengths: Float64Array;
  readonly words: readonly WordHits[];
}
export interface WordHits {
  readonly word: TicketWord;
  /** 0 for a word in every file, and the more the rarer it is */
  readonly rarity: number;
  /** the files that have it, ascending */
  readonly places: Uint32Array;
  /** for each of these, how often it stands in the text */
  readonly times: Uint16Array;
  /** and where: 1 in the text, 2 in the path, 4 in the name of a definition, 8 in the file's own name, added up */
  readonly where: Uint8Array;
}

/** Looks the words of a ticket up. */
export function lookUp(index: CodeIndex, words: readonly TicketWord[]): Hits {
  const { files } = index;
  const mean = files.reduce((sum, { outline }) => sum + outline.length, 0) / Math.max(1, files.length);
  const lengths = Float64Array.from(files, ({ outline }) => outline.length / Math.max(1, mean));
  return { files: files.length, lengths, words: words.map((word) => hitsOf(files, word)) };
}

function hitsOf(files: readonly IndexedFile[], word: TicketWord): WordHits {
  const [places, times, where]: [number[], number[], number[]] = [[], [], []];
  for (const [place, { outline }] of files.entries()) {
    const at = placeIn(outline.words, word.hash);
    const count = at === -1 ? 0 : outline.wordCounts[at]!;
    const found = (count > 0 ? IN_BODY : 0) + inNames(files[place]!, word.hash);
    if (found === 0) continue;
    places.push(place);
    times.push(count);
    where.push(found);
  }
  const rarity = Math.log(1 + (files.length - places.length + 0.5) / (places.length + 0.5));
  return {
    word,
    rarity,
    places: Uint32Array.from(places),
    times: Uint16Array.from(times),
    where: Uint8Array.from(where),
  };
}

/** BM25 over the words of files, of their paths, and of what they define: a word counts by where it stands. */
export function scoreText({ files, lengths, words }: Hits, weights: TextWeights): Float64Array {
  const scores = new Float64Array(files);
  for (const { word, rarity, places, times, where } of words)
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      const at = where[i]!;
      const long = 1 - weights.b + weights.b * lengths[place]!;
      const names =
        (at & IN_PATH ? weights.path : 0) +
        (at & IN_NAME ? weights.name : 0) +
        (at & IN_DEFINITION ? weights.defined : 0);
      const tf = (times[i]! * weights.body) / long + names;
      scores[place]! += (word.weight * rarity * tf * (weights.k1 + 1)) / (tf + weights.k1);
    }
  return scores;
}

export const IN_BODY = 1;
export const IN_PATH = 2;
export const IN_DEFINITION = 4;
export const IN_NAME = 8;

function inNames(file: IndexedFile, hash: number): number {
  const { path, name } = namesOf(file);
  const isDefined = placeIn(file.outline.defined, hash) !== -1;
  return (
    (placeIn(path, hash) === -1 ? 0 : IN_PATH) +
    (isDefined ? IN_DEFINITION : 0) +
    (placeIn(name, hash) === -1 ? 0 : IN_NAME)
  );
}

/** Where a number stands among ascending ones, by halving; -1: it does not. */
function placeIn(words: Uint32Array, hash: number): number {
  let [low, high] = [0, words.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const word = words[middle]!;
    if (word === hash) return middle;
    if (word < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

interface Names {
  readonly path: Uint32Array;
  readonly name: Uint32Array;
}

/** The words of a file's names stay what they are as long as the file does. */
const known = new WeakMap<IndexedFile, Names>();
const wordsIn = nameWords();

function namesOf(file: IndexedFile): Names {
  const found = known.get(file);
  if (found !== undefined) return found;
  const made = {
    path: wordsIn(file.path.split("/")),
    name: wordsIn([file.path.slice(file.path.lastIndexOf("/") + 1)]),
  };
  known.set(file, made);
  return made;
}
