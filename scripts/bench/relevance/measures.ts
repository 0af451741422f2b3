/** What is measured of one ranking; each from 0 to 1. */
export interface Measures {
  readonly recall5: number;
  readonly recall10: number;
  /** 1 where every gold file is among the first five */
  readonly acc5: number;
  readonly mrr: number;
}
export const MEASURES = ["recall5", "recall10", "acc5", "mrr"] as const satisfies readonly (keyof Measures)[];

/** How well a ranking (the best first) finds the gold files. */
export function measure(ranking: readonly string[], gold: readonly string[]): Measures {
  const among = (most: number): number => gold.filter((path) => ranking.slice(0, most).includes(path)).length;
  const first = ranking.findIndex((path) => gold.includes(path));
  return {
    recall5: among(5) / gold.length,
    recall10: among(10) / gold.length,
    acc5: among(5) === gold.length ? 1 : 0,
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** The middle 95 % of the means of 2,000 samples drawn from these with putting back; the same each time. */
export function interval(numbers: readonly number[]): readonly [number, number] {
  const next = random(20_261_128);
  const means = Array.from({ length: 2_000 }, () =>
    mean(numbers.map(() => numbers[Math.floor(next() * numbers.length)]!)),
  ).sort((a, b) => a - b);
  return [means[49]!, means[1_949]!];
}

/** mulberry32: a seed gives the same numbers anywhere. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
