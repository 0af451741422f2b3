export interface Chance {
  /** 0 to below - 1 */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** true so many times in a hundred */
  percent(of: number): boolean;
}

/** The same choices for the same seed (xorshift). */
export function chance(seed: number): Chance {
  let x = (Math.imul(seed, 2_654_435_761) + 88_675_123) | 0 || 1;
  const below = (most: number): number => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % most;
  };
  return { below, pick: (from) => from[below(from.length)]!, percent: (of) => below(100) < of };
}
