import { stem } from "../index/stem.ts";
import { hashOf, partsOf } from "../index/words.ts";
import type { PastCommit } from "./history.ts";
import { STOP_WORDS } from "./stop-words.ts";
import type { TicketWord } from "./ticket.ts";

/** A past commit as far as it says something of files that are there now. */
interface Trace {
  readonly commit: PastCommit;
  readonly words: ReadonlySet<number>;
  readonly places: readonly number[];
  /** 0 for the newest */
  readonly age: number;
}

/** What the history of a repository says about the files of an index. */
export interface Past {
  readonly files: number;
  readonly traces: readonly Trace[];
  /** commits that have a word */
  readonly byWord: ReadonlyMap<number, readonly number[]>;
  /** commits that changed a file, newest first */
  readonly byPlace: ReadonlyMap<number, readonly number[]>;
}

export interface PastWeights {
  /** commits that are looked at, the most alike ones */
  readonly most: number;
  /** commits after which one counts half */
  readonly halfLife: number;
  /** how far a commit's weight is divided among its files: 0 not at all, 1 wholly */
  readonly share: number;
  /** how much more a commit counts that is much more alike */
  readonly power: number;
  /** commits after which a change counts half as recent */
  readonly churnHalfLife: number;
}

export function pastOf(history: readonly PastCommit[], placeOf: ReadonlyMap<string, number>, files: number): Past {
  const traces: Trace[] = [];
  for (const [age, commit] of history.entries()) {
    const places = [...new Set(commit.paths.flatMap((path) => placeOf.get(path) ?? []))];
    if (places.length > 0) traces.push({ commit, words: wordsOf(commit.subject), places, age });
  }
  return {
    files,
    traces,
    byWord: grouped(traces, ({ words }) => words),
    byPlace: grouped(traces, ({ places }) => places),
  };
}

function grouped(traces: readonly Trace[], keys: (trace: Trace) => Iterable<number>): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [i, trace] of traces.entries())
    for (const key of keys(trace)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [i]);
      else group.push(i);
    }
  return groups;
}

function wordsOf(subject: string): ReadonlySet<number> {
  const words = new Set<number>();
  for (const [name] of subject.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const parts = partsOf(name).filter((part) => !STOP_WORDS.has(part));
    for (const part of parts) words.add(hashOf(stem(part)));
    if (parts.length > 1) words.add(hashOf(parts.join("")));
  }
  return words;
}

/** Commits whose subject is like a ticket, the most alike first, with how alike they are. */
export function alike(
  past: Past,
  words: readonly TicketWord[],
  weights: PastWeights,
): readonly { trace: Trace; score: number }[] {
  const scores = new Map<number, number>();
  for (const { hash, weight } of words) {
    const having = past.byWord.get(hash) ?? [];
    const rarity = Math.log(1 + (past.traces.length - having.length + 0.5) / (having.length + 0.5));
    for (const i of having) scores.set(i, (scores.get(i) ?? 0) + weight * rarity);
  }
  const all = [...scores].map(([i, score]) => {
    const trace = past.traces[i]!;
    return { trace, score: score / Math.sqrt(2 + trace.words.size) };
  });
  return all.sort((a, b) => b.score - a.score || a.trace.age - b.trace.age).slice(0, weights.most);
}

/** How much each file was changed by commits like the ticket. */
export function scorePast(past: Past, found: ReturnType<typeof alike>, weights: PastWeights): Float64Array {
  const scores = new Float64Array(past.files);
  const best = found[0]?.score ?? 1;
  for (const { trace, score } of found) {
    const weight = (score / best) ** weights.power * 0.5 ** (trace.age / weights.halfLife);
    for (const place of trace.places) scores[place]! += weight / trace.places.length ** weights.share;
  }
  return scores;
}

/** How often each file was changed, a change counting less the longer ago it is. */
export function scoreChurn(past: Past, halfLife: number): Float64Array {
  const scores = new Float64Array(past.files);
  for (const { places, age } of past.traces) for (const place of places) scores[place]! += 0.5 ** (age / halfLife);
  return scores.map((score) => Math.log1p(score));
}

/** How much each file was changed together with files that have a score. */
export function changedWith(past: Past, seeds: Float64Array, most: number): Float64Array {
  const scores = new Float64Array(past.files);
  for (const place of top(seeds, most)) {
    const changes = (past.byPlace.get(place) ?? []).slice(0, 60);
    for (const i of changes) {
      const { places } = past.traces[i]!;
      for (const other of places)
        if (other !== place) scores[other]! += seeds[place]! / (changes.length + 2) / Math.sqrt(places.length);
    }
  }
  return scores;
}

/** The places of the highest scores, the highest first; equal ones in their order. */
export function top(scores: Float64Array, most: number): readonly number[] {
  const places: number[] = [];
  for (let place = 0; place < scores.length; place++) if (scores[place]! > 0) places.push(place);
  return places.sort((a, b) => scores[b]! - scores[a]! || a - b).slice(0, most);
}
