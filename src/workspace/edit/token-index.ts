import { findTokens } from "./find-all.ts";

/** Finds runs of tokens in others: all places, overlapping ones too, in order. */
export type FindTokens = (needle: readonly string[]) => readonly number[];

/** A token that is there more often is no way to find a place. */
const OFTEN = 10_000;

/**
 * For one needle each token is looked at; for many an index of them is made first, so that a needle costs what its rarest
 * token does.
 */
export function tokenFinder(hay: readonly string[], isForMany: boolean): FindTokens {
  let index: ReadonlyMap<string, readonly number[]> | null = null;
  return (needle) => {
    if (!isForMany || needle.length === 0) return findTokens(hay, needle);
    index ??= indexOf(hay);
    const places = needle.map((token) => index!.get(token) ?? []);
    const rarest = places.reduce((best, one, i) => (one.length < places[best]!.length ? i : best), 0);
    if (places[rarest]!.length > OFTEN) return findTokens(hay, needle);
    return places[rarest]!.map((at) => at - rarest).filter((start) => isAt(hay, needle, start));
  };
}

function indexOf(hay: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  hay.forEach((token, at) => {
    const places = index.get(token);
    if (places) places.push(at);
    else index.set(token, [at]);
  });
  return index;
}

const isAt = (hay: readonly string[], needle: readonly string[], start: number): boolean =>
  start >= 0 && needle.every((token, i) => hay[start + i] === token);
