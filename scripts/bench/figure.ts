/** What something costs beside what it is measured against: medians of rounds that took turns. */
export interface Figure {
  readonly name: string;
  readonly ms: number;
  readonly against: string;
  readonly againstMs: number;
  /** most that the ratio may be; null: only told */
  readonly target: number | null;
}

/** Measures both in turns in this process, so that whatever else the machine does meets both alike. */
export async function compare(
  name: string,
  of: {
    readonly rounds: number;
    readonly target: number | null;
    readonly ours: () => Promise<void> | void;
    readonly against: readonly [string, () => Promise<void> | void];
  },
): Promise<Figure> {
  const [against, theirs] = of.against;
  const times: [number[], number[]] = [[], []];
  for (let round = -2; round < of.rounds; round++)
    // who goes first changes, as the second may find things warm
    for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now();
      await (i === 0 ? of.ours : theirs)();
      if (round >= 0) times[i].push(performance.now() - start);
    }
  return { name, ms: median(times[0]), against, againstMs: median(times[1]), target: of.target };
}

export const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;

/** One line for people. */
export function figureLine({ name, ms, against, againstMs, target }: Figure): string {
  const aim = target === null ? "" : `   target ${target}${ms / againstMs <= target ? "" : "   MISSED"}`;
  return `${name.padEnd(24)} ${ms.toFixed(2).padStart(9)} ms   ${(ms / againstMs).toFixed(2)} x ${against} (${againstMs.toFixed(2)} ms)${aim}`;
}
