import type { ImportGraph } from "../index/import-graph.ts";
import { folderOf } from "../index/imports/places.ts";
import { spread } from "../index/spread.ts";
import { alike, changedWith, type Past, scoreChurn, scorePast, top } from "./past.ts";
import { type Hits, scoreText } from "./text-score.ts";
import type { Weights } from "./weights.ts";

/** All that is known of a ticket and the files of an index, which are their places there. */
export interface Evidence {
  readonly paths: readonly string[];
  readonly hits: Hits;
  readonly past: Past;
  readonly graph: ImportGraph;
  /** what each file tests; empty for what is no test */
  readonly sourcesOf: (place: number) => readonly number[];
  /** files whose path the ticket names, each with how surely (1: it is the only one) */
  readonly named: ReadonlyMap<number, number>;
  /** files that define what the ticket names, likewise */
  readonly defines: ReadonlyMap<number, number>;
}

/** Kinds of evidence, as a person is told of them. */
export const EVIDENCE_KINDS = [
  "text",
  "past",
  "recent",
  "named",
  "defines",
  "folder",
  "near",
  "together",
  "tested",
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** What each kind of evidence gives to each file, and all together. */
export interface Scores {
  readonly total: Float64Array;
  readonly by: Readonly<Record<EvidenceKind, Float64Array>>;
}

/**
 * Weighs the evidence. First what speaks for a file by itself (words, history, names), then what its folder, its
 * imports, its changes and its tests have from files that fit by themselves.
 */
export function scoreFiles(evidence: Evidence, weights: Weights): Scores {
  const size = evidence.paths.length;
  const by = Object.fromEntries(EVIDENCE_KINDS.map((kind) => [kind, new Float64Array(size)])) as Record<
    EvidenceKind,
    Float64Array
  >;
  const own = byItself(evidence, weights, by);
  const folder = folderScores(evidence.paths, own);
  add(by.folder, folder, weights.folder);
  add(by.defines, spreadOut(evidence.defines, size), weights.defines);
  const first = sum([own, by.folder, by.defines]);
  const seeds = new Float64Array(size);
  for (const place of top(first, weights.seeds)) seeds[place] = first[place]! ** 2;
  add(by.near, normal(spread(evidence.graph, seeds, weights)), weights.near);
  add(by.together, normal(changedWith(evidence.past, seeds, weights.seeds)), weights.together);
  const second = sum([first, by.near, by.together]);
  addTests(evidence, second, by.tested, weights.tested);
  return { total: sum([second, by.tested]), by };
}

function byItself(evidence: Evidence, weights: Weights, by: Record<EvidenceKind, Float64Array>): Float64Array {
  const { past, hits, named } = evidence;
  const size = evidence.paths.length;
  add(by.text, normal(covered(scoreText(hits, weights), hits, weights.coverage)), weights.text);
  add(
    by.past,
    normal(
      scorePast(
        past,
        alike(
          past,
          hits.words.map(({ word }) => word),
          weights,
        ),
        weights,
      ),
    ),
    weights.past,
  );
  const recent = normal(scoreChurn(past, weights.churnHalfLife));
  // A file that nothing else speaks for is a guess.
  for (let place = 0; place < size; place++)
    by.recent[place] = weights.recent * recent[place]! * (by.text[place]! > 0 || by.past[place]! > 0 ? 1 : 0.5);
  add(by.named, spreadOut(named, size), weights.named);
  const often = normal(scoreChurn(past, weights.oftenHalfLife));
  const own = new Float64Array(size);
  for (let place = 0; place < size; place++) {
    const more = 1 + weights.often * often[place]!;
    for (const kind of ["text", "past", "recent", "named"] as const) {
      by[kind][place]! *= more;
      own[place]! += by[kind][place]!;
    }
  }
  return own;
}

/** A score counts less for a file that has few of the words, rare words counting more. */
function covered(scores: Float64Array, hits: Hits, coverage: number): Float64Array {
  const share = new Float64Array(scores.length);
  const all = hits.words.reduce((all, { rarity, word }) => all + rarity * word.weight, 0) || 1;
  for (const { rarity, word, places } of hits.words)
    for (const place of places) share[place]! += (rarity * word.weight) / all;
  return scores.map((score, place) => score * (1 - coverage + coverage * share[place]!));
}

const LOOKED_AT = 60;
const OF_A_FOLDER = 4;

/** What the best files of a folder have, for each file of it. */
function folderScores(paths: readonly string[], own: Float64Array): Float64Array {
  const folders = new Map<string, { all: number; files: number }>();
  for (const place of top(own, LOOKED_AT)) {
    const folder = folders.get(folderOf(paths[place]!)) ?? { all: 0, files: 0 };
    if (folder.files < OF_A_FOLDER)
      folders.set(folderOf(paths[place]!), { all: folder.all + own[place]!, files: folder.files + 1 });
  }
  return Float64Array.from(paths, (path) => (folders.get(folderOf(path))?.all ?? 0) / (OF_A_FOLDER - 1));
}

/** What a test has from what it tests, and a little less the other way. */
function addTests(evidence: Evidence, scores: Float64Array, into: Float64Array, weight: number): void {
  for (let test = 0; test < scores.length; test++) {
    const sources = evidence.sourcesOf(test);
    const each = weight / Math.sqrt(sources.length);
    for (const source of sources) {
      into[test] = Math.max(into[test]!, each * scores[source]!);
      into[source] = Math.max(into[source]!, 0.7 * each * scores[test]!);
    }
  }
}

const spreadOut = (scores: ReadonlyMap<number, number>, size: number): Float64Array => {
  const all = new Float64Array(size);
  for (const [place, score] of scores) all[place] = score;
  return all;
};

/** The highest is 1. */
function normal(scores: Float64Array): Float64Array {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  return most === 0 ? scores : scores.map((score) => score / most);
}

function add(into: Float64Array, scores: Float64Array, weight: number): void {
  for (let place = 0; place < into.length; place++) into[place]! += weight * scores[place]!;
}

function sum(columns: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(columns[0]!.length);
  for (const column of columns) add(all, column, 1);
  return all;
}
