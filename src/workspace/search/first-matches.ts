import type { FoundFile, FoundLine } from "../../ports/searcher.ts";

interface Group extends FoundFile {
  /** bytes of the path, as latin1 */
  readonly key: string;
  readonly matches: number;
}

/**
 * The first matches in the order of paths, out of files that come in any order. It holds no more than these: a file that
 * lies behind enough others is not wanted any more.
 */
export class FirstMatches {
  readonly #limit: number;
  #groups: Group[] = [];
  #matches = 0;

  /** `limit` null: all of them */
  constructor(limit: number | null) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
  }

  /** Whether a file of that key could be among them. */
  wants(key: string): boolean {
    return this.#matches < this.#limit || key < this.#groups.at(-1)!.key;
  }

  /** How many matches of one file are worth keeping. */
  get most(): number {
    return this.#limit;
  }

  add(group: Group): void {
    this.#groups.splice(this.#placeOf(group.key), 0, group);
    this.#matches += group.matches;
    for (;;) {
      const last = this.#groups.at(-1)!;
      if (this.#groups.length < 2 || this.#matches - last.matches < this.#limit) return;
      this.#groups.pop();
      this.#matches -= last.matches;
    }
  }

  #placeOf(key: string): number {
    let [low, high] = [0, this.#groups.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#groups[middle]!.key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The files, cut off behind the last match that is given and its context. */
  files(context: number): { readonly files: readonly FoundFile[]; readonly shown: number } {
    let left = this.#limit;
    const files = this.#groups.map(({ path, base64, lines, matches }) => {
      const kept = matches > left ? upTo(lines, left, context) : lines;
      left = Math.max(0, left - matches);
      return { path, ...(base64 === undefined ? {} : { base64 }), lines: kept };
    });
    return { files, shown: Math.min(this.#matches, this.#limit) };
  }
}

function upTo(lines: readonly FoundLine[], matches: number, context: number): readonly FoundLine[] {
  let seen = 0;
  let after = 0;
  const kept: FoundLine[] = [];
  for (const line of lines) {
    if (line.isMatch) seen++;
    if (seen > matches || (seen === matches && !line.isMatch && ++after > context)) break;
    kept.push(line);
  }
  return kept;
}
