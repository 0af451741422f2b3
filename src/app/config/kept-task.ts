import { isDeepStrictEqual } from "node:util";
import type { BlobHash, TaskId } from "../../domain/names.ts";
import type { Terms } from "../../domain/task.ts";
import type { ReadSpec } from "../../ports/source.ts";
import { Outline, particularsOf } from "./task-outline.ts";
import { type Resolved, readSpec, type TaskDefaults } from "./task-terms.ts";
import { readTask, type WrittenTask } from "./written-task.ts";

/** What is known of a task elsewhere, so that memory has its terms once. */
export type KnownRow = (id: string) => { readonly id: TaskId; readonly spec: BlobHash; readonly terms: Terms } | null;

/** What a task was made of beside its file: two of the same text make the same of the same file. */
export interface Source {
  readonly text: string;
  readonly names: Resolved;
  readonly defaults: TaskDefaults;
}

/** Terms in two parts: what many tasks have in common, and what is each one's own. */
export interface LeanTerms {
  readonly common: Terms;
  readonly title: string;
}

interface Kept {
  readonly id: TaskId;
  readonly spec: BlobHash;
  readonly terms: Terms | LeanTerms;
  readonly from: Source;
}

/**
 * A task file that was read, in this life or in an earlier one. Its text is let go when it was asked for, or soon after:
 * who wants it again has the file read again.
 */
export class KeptTask extends Outline {
  readonly #repo: string;
  #written: WrittenTask | null;
  #spec: KeptSpec | null = null;

  constructor(repo: string, of: ConstructorParameters<typeof Outline>[0], written: WrittenTask | null = null) {
    super(of);
    this.#repo = repo;
    this.#written = written;
  }
  static of(repo: string, place: { readonly folder: string; readonly name: string }, written: WrittenTask): KeptTask {
    const { faults } = written;
    const id = written.id?.name ?? null;
    return new KeptTask(repo, { ...place, id, said: particularsOf(written), faults }, written);
  }
  /** as an earlier life made it of the same file */
  restore(kept: Kept, known: KnownRow): void {
    this.#spec = new KeptSpec(this, kept, known);
  }
  /** what it came to the last time; null: it was not made yet */
  get made(): KeptSpec | null {
    return this.#spec;
  }
  /** The task as the processor gets it; null: its file has become another one meanwhile, and the next reading finds it. */
  spec(from: Source): ReadSpec | null {
    if (this.#spec?.from.text === from.text) return this.#spec;
    const written = this.written();
    this.isDoubtful = written === null;
    if (written === null) return null;
    const { id, spec, terms } = readSpec(written, from.names, from.defaults);
    this.#spec = new KeptSpec(this, { id, spec, terms, from }, NOBODY);
    return this.#spec;
  }
  /** The file whole; null: it says something else by now. */
  written(): WrittenTask | null {
    if (this.#written !== null) return this.#written;
    const again = readTask(this.#repo, this.file);
    const isSame = again?.faults.length === 0 && isDeepStrictEqual(particularsOf(again), this.said);
    return isSame ? again : null;
  }
  forget(): void {
    this.#written = null;
  }
  /** What was kept is not what its file says: the next reading reads it, whatever its times are. */
  isDoubtful = false;
}

const NOBODY: KnownRow = () => null;

/** Its terms are made when they are asked for, and are those that the board has where it has the same. */
export class KeptSpec implements ReadSpec {
  id: TaskId;
  spec: BlobHash;
  readonly from: Source;
  readonly #task: KeptTask;
  #terms: Terms | LeanTerms;
  readonly #known: KnownRow;

  constructor(task: KeptTask, { id, spec, terms, from }: Kept, known: KnownRow) {
    this.#task = task;
    this.id = id;
    this.spec = spec;
    this.from = from;
    this.#terms = terms;
    this.#known = known;
  }
  get terms(): Terms {
    if (!("common" in this.#terms)) return this.#terms;
    const terms = wholeTerms(this.#terms, this.id);
    const row = this.#known(this.id);
    if (row !== null && row.spec === this.spec && sameTerms(row.terms, terms)) {
      this.id = row.id;
      this.spec = row.spec;
      this.#terms = row.terms;
      return row.terms;
    }
    this.#terms = terms;
    return terms;
  }
  get bytes(): Uint8Array | null {
    const bytes = this.#read();
    this.#task.forget();
    this.#task.isDoubtful = bytes === null;
    return bytes;
  }

  #read(): Uint8Array | null {
    const written = this.#task.written();
    if (written === null) return null;
    const { spec, bytes, terms } = readSpec(written, this.from.names, this.from.defaults);
    return spec === this.spec && isDeepStrictEqual(terms, this.terms) ? bytes : null;
  }
}

/** What is left of terms without title and id, as a text that many have in common. */
export const commonTerms = (terms: Terms, id: string): string => {
  const prefix = terms.branch.endsWith(id) ? terms.branch.slice(0, -id.length) : terms.branch;
  return JSON.stringify({ ...terms, title: "", branch: prefix });
};
/** Keys keep their order: it is part of what terms are compared by. */
const wholeTerms = ({ common, title }: LeanTerms, id: string): Terms => ({
  ...common,
  title,
  branch: common.branch + id,
});

/** Of a hundred thousand each is compared at each start: twice as fast as by their texts. */
function sameTerms(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  let keys = 0;
  for (const key in a) {
    keys++;
    if (!sameTerms(a[key as keyof typeof a], b[key as keyof typeof b])) return false;
  }
  for (const _ in b) keys--;
  return keys === 0;
}
