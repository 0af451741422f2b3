/** The known names, the most similar to `name` first, then as they were given. */
export const nearestFirst = (name: string, known: readonly string[]): readonly string[] =>
  known
    .map((word, index) => ({ word, index, distance: distanceOf(name, word) }))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .map(({ word }) => word);

/** The known name that was probably meant, or null when none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  const [first] = nearestFirst(name, known);
  return first !== undefined && distanceOf(name, first) <= Math.max(1, Math.floor(name.length / 3)) ? first : null;
}

/** Names are compared up to this length: what is longer was not mistyped. */
const LONGEST = 64;

/** How many letters must be put in, taken out, changed or swapped with a neighbour; case does not count. */
export function distanceOf(left: string, right: string): number {
  const a = left.slice(0, LONGEST).toLowerCase();
  const b = right.slice(0, LONGEST).toLowerCase();
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
