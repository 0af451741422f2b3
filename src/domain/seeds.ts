import type { BlobHash, TaskId } from "./names.ts";
import type { Seed, Terms } from "./task.ts";
import { sameTerms } from "./terms.ts";

/** Terms but for what each task has for itself: its title, and the end of its branch where that is its id. */
export interface CommonTerms {
  /** title: empty. branch: what stands before the id, or all of it */
  readonly terms: Terms;
  readonly endsWithId: boolean;
}

/** The terms of one task. Keys keep the order that they have in `terms`. */
export const termsOver = ({ terms, endsWithId }: CommonTerms, id: string, title: string): Terms => ({
  ...terms,
  title,
  branch: endsWithId ? terms.branch + id : terms.branch,
});

/** What is left of terms when title and id are taken out. */
export function commonOf(terms: Terms, id: string): CommonTerms {
  const endsWithId = terms.branch.endsWith(id);
  const branch = endsWithId ? terms.branch.slice(0, -id.length) : terms.branch;
  return { terms: { ...terms, title: "", branch }, endsWithId };
}

/** One object for all that have the same in common. */
export function sharing(): (common: CommonTerms) => CommonTerms {
  const known = new Map<string, CommonTerms>();
  let newest: CommonTerms | null = null;
  return (common) => {
    if (newest !== null && isSameCommon(newest, common)) return newest;
    const key = JSON.stringify(common);
    newest = known.get(key) ?? common;
    known.set(key, newest);
    return newest;
  };
}

const isSameCommon = (a: CommonTerms, b: CommonTerms): boolean =>
  a.endsWithId === b.endsWithId && sameTerms(a.terms, b.terms);

export interface Texts {
  readonly id: TaskId;
  readonly spec: BlobHash;
  readonly title: string;
}

/**
 * Seeds by their ids, in columns: there may be a hundred thousand, and what most of them have alike is in memory once.
 * Each that is asked for is made anew, so that none is the same object twice.
 */
export class Seeds implements Iterable<Seed> {
  readonly #places = new Map<TaskId, number>();
  readonly #ids: TaskId[] = [];
  readonly #specs: BlobHash[] = [];
  readonly #titles: string[] = [];
  readonly #common: CommonTerms[] = [];
  readonly #gone = new Set<number>();
  readonly #free: number[] = [];
  readonly #shared = sharing();
  /** two objects of one content, as they were last found */
  #alike: readonly [CommonTerms, CommonTerms] | null = null;
  /** asked for twice, one after the other, is the rule */
  #last: Seed | null = null;

  static of(seeds: Iterable<Seed>): Seeds {
    if (seeds instanceof Seeds) return seeds;
    const all = new Seeds();
    for (const seed of seeds) all.set(seed.id, seed);
    return all;
  }
  get size(): number {
    return this.#places.size;
  }
  has(id: TaskId): boolean {
    return this.#places.has(id);
  }
  get(id: TaskId): Seed | undefined {
    if (this.#last?.id === id) return this.#last;
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    this.#last = this.#at(place);
    return this.#last;
  }
  /** what all of its terms say but title and branch, without making them */
  commonOf(id: TaskId): Omit<Terms, "title" | "branch"> | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#common[place]!.terms;
  }
  /** the texts of one that says exactly this, and whose file is there: for who has the same, that memory has them once; null: there is none */
  same(
    id: TaskId,
    of: { readonly spec: BlobHash; readonly title: string; readonly common: CommonTerms },
  ): Texts | null {
    const place = this.#places.get(id);
    if (place === undefined || this.#specs[place] !== of.spec || this.#titles[place] !== of.title) return null;
    if (this.#gone.has(place) || !this.#isAlike(this.#common[place]!, of.common)) return null;
    return { id: this.#ids[place]!, spec: this.#specs[place]!, title: this.#titles[place]! };
  }
  set(id: TaskId, seed: Seed): void {
    this.put(id, { ...seed, common: this.#shared(commonOf(seed.terms, id)), title: seed.terms.title });
  }
  /** the same for who knows what its terms have in common with others */
  put(id: TaskId, seed: Pick<Seed, "spec" | "gone"> & { common: CommonTerms; title: string }): void {
    const place = this.#places.get(id) ?? this.#free.pop() ?? this.#ids.length;
    this.#places.set(id, place);
    this.#ids[place] = id;
    this.#specs[place] = seed.spec;
    this.#titles[place] = seed.title;
    this.#common[place] = seed.common;
    if (seed.gone) this.#gone.add(place);
    else this.#gone.delete(place);
    this.#last = null;
  }
  delete(id: TaskId): boolean {
    const place = this.#places.get(id);
    if (place === undefined) return false;
    this.#places.delete(id);
    this.#gone.delete(place);
    this.#free.push(place);
    this.#last = null;
    return true;
  }
  keys(): IterableIterator<TaskId> {
    return this.#places.keys();
  }
  *values(): IterableIterator<Seed> {
    for (const place of this.#places.values()) yield this.#at(place);
  }
  [Symbol.iterator](): IterableIterator<Seed> {
    return this.values();
  }

  #isAlike(a: CommonTerms, b: CommonTerms): boolean {
    if (this.#alike?.[0] === a && this.#alike[1] === b) return true;
    if (!isSameCommon(a, b)) return false;
    this.#alike = [a, b];
    return true;
  }
  #at(place: number): Seed {
    const id = this.#ids[place]!;
    const terms = termsOver(this.#common[place]!, id, this.#titles[place]!);
    return { id, spec: this.#specs[place]!, terms, gone: this.#gone.has(place) };
  }
}
