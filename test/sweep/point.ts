import type { HttpMoment } from "./far/gate.ts";

/**
 * Where a processor dies: at an effect by its key, at a commit by its number, at a request to the forge by its name and
 * number, or at a moment drawn by a seed.
 */
export type Point =
  | { readonly kind: "effect"; readonly key: string; readonly moment: "before" | "during" | "after" }
  | { readonly kind: "commit"; readonly key: string; readonly moment: "before" | "after" }
  | { readonly kind: "http"; readonly key: string; readonly moment: HttpMoment }
  /** the n-th command of git that writes: done and nobody has heard, or done beside the next processor */
  | { readonly kind: "git"; readonly key: string; readonly n: number; readonly moment: "during" | "late" }
  | { readonly kind: "random"; readonly n: number; readonly victims: readonly Victim[] };
export type Victim = "processor" | "driver" | "worker";

/** What the clean run did, in its order. */
export interface Listing {
  readonly effects: readonly { readonly key: string; readonly kind: string }[];
  readonly commits: number;
  /** commands of git that wrote */
  readonly written: number;
  /** requests to a forge of its own, also those of git */
  readonly requests: readonly { readonly key: string; readonly isWrite: boolean }[];
}

const RANDOM_KILLS = 50;
/** Who dies in the random kills, in turn: often the processor alone, sometimes both at once. */
const VICTIMS: readonly (readonly Victim[])[] = [
  ["processor"],
  ["driver"],
  ["processor"],
  ["worker"],
  ["processor"],
  ["driver", "processor"],
  ["processor"],
  ["worker", "processor"],
  ["processor"],
  ["driver", "worker"],
];

/** Points of one trial, in the order in which a run meets them: it dies at each. One of git, or a random one, is alone. */
export type Chain = readonly Point[];

/** Those at which a processor kills itself. */
export const triggersOf = (chain: Chain): readonly (Point & { kind: "effect" | "commit" })[] =>
  chain.filter((point) => point.kind === "effect" || point.kind === "commit");

/** Those at which the forge kills it, or takes its answer away. */
export const requestsOf = (chain: Chain): readonly (Point & { kind: "http" })[] =>
  chain.filter((point) => point.kind === "http");

/** Those of which many are in one run. */
const areMany = ({ kind }: Point): boolean => kind === "effect" || kind === "commit" || kind === "http";

/** The points in chains of at most `most`: those of one chain lie as far apart as they can. */
export function chained(points: readonly Point[], most: number): readonly Chain[] {
  const triggers = points.filter(areMany);
  const count = Math.ceil(triggers.length / most);
  const chains = Array.from({ length: count }, (_, first) => triggers.filter((_, at) => at % count === first));
  return [...chains, ...points.filter((point) => !areMany(point)).map((point) => [point])];
}

/** How `--only` names it. */
export function nameOf(point: Point): string {
  return point.kind === "random" ? `random-${point.n}` : `${point.key}@${point.moment}`;
}

/** Every point of the full sweep, in the order of the clean run. */
export function allPoints({ effects, commits, requests }: Listing): readonly Point[] {
  return [
    ...effects.flatMap(({ key }) =>
      (["before", "during", "after"] as const).map((moment): Point => ({ kind: "effect", key, moment })),
    ),
    ...Array.from({ length: commits }, (_, n) => n + 1).flatMap((n) =>
      (["before", "after"] as const).map((moment): Point => ({ kind: "commit", key: `commit-${n}`, moment })),
    ),
    ...requests.flatMap(pointsAt),
    ...Array.from(
      { length: RANDOM_KILLS },
      (_, n): Point => ({ kind: "random", n: n + 1, victims: VICTIMS[n % VICTIMS.length]! }),
    ),
  ];
}

/** What only reads is asked again and again: at the first of a name alone. */
const pointsAt = ({ key, isWrite }: Listing["requests"][number]): readonly Point[] => {
  const moments = !isWrite ? (key.endsWith("-1") ? READ_MOMENTS : []) : isNote(key) ? NOTE_MOMENTS : WRITE_MOMENTS;
  return moments.map((moment): Point => ({ kind: "http", key, moment }));
};
const WRITE_MOMENTS = ["before", "after", "late", "cut", "bad-gateway"] as const;
/** A forge takes a comment twice: one that comes late, behind that of the next processor, is there twice. */
const NOTE_MOMENTS = ["before", "after", "cut", "bad-gateway"] as const;
const isNote = (key: string): boolean => /\/(comments|notes)-\d+$/.test(key);
const READ_MOMENTS = ["before", "after"] as const;

/** Inside of effects: at each command of git that writes. Not in the full sweep, which they would double. */
export function insidePoints({ written }: Listing): readonly Point[] {
  return Array.from({ length: written }, (_, n) => n + 1).flatMap((n) =>
    (["during", "late"] as const).map((moment): Point => ({ kind: "git", key: `git-${n}`, n, moment })),
  );
}

/** `count` points drawn by a seed: each kind of effect at least once, at a drawn moment, then whatever is left. */
export function somePoints(listing: Listing, { count, seed }: { count: number; seed: number }): readonly Point[] {
  const all = [...allPoints(listing), ...insidePoints(listing)];
  const random = randomOf(seed);
  const kinds = new Map(listing.effects.map(({ key, kind }) => [key, kind]));
  const drawn = shuffled(all, random);
  const firsts = [...new Set(kinds.values())].map(
    (kind) => drawn.find((point) => point.kind === "effect" && kinds.get(point.key) === kind)!,
  );
  const others = (["commit", "git", "random"] as const).flatMap((kind) =>
    drawn.filter((point) => point.kind === kind).slice(0, 4),
  );
  const chosen = new Set([...new Set([...firsts, ...others, ...drawn])].slice(0, Math.max(count, firsts.length)));
  return all.filter((point) => chosen.has(point));
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}
