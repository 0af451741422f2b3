import type { ImportGraph } from "./import-graph.ts";

export interface SpreadWeights {
  /** how much of a file's weight goes on at each step */
  readonly damping: number;
  readonly steps: number;
  /** how much a step against the import counts beside one along it */
  readonly back: number;
}

/**
 * Personalised PageRank: the weight that `seeds` give to files goes along imports and back against them, and returns to
 * the seeds. What comes out adds up to 1, or is 0 everywhere where no seed has weight.
 */
export function spread(graph: ImportGraph, seeds: Float64Array, weights: SpreadWeights): Float64Array {
  const size = seeds.length;
  const total = seeds.reduce((sum, seed) => sum + seed, 0);
  if (total === 0) return new Float64Array(size);
  const start = seeds.map((seed) => seed / total);
  let now = start;
  for (let step = 0; step < weights.steps; step++) {
    const next = new Float64Array(size);
    let lost = 0;
    for (let place = 0; place < size; place++) {
      const weight = now[place]! * weights.damping;
      if (weight === 0) continue;
      const [along, against] = [graph.imports[place]!, graph.importedBy[place]!];
      const ways = along.length + against.length * weights.back;
      if (ways === 0) {
        lost += weight;
        continue;
      }
      for (const to of along) next[to]! += weight / ways;
      for (const to of against) next[to]! += (weight * weights.back) / ways;
    }
    for (let place = 0; place < size; place++) next[place]! += start[place]! * (1 - weights.damping + lost);
    now = next;
  }
  return now;
}
