import { isDeepStrictEqual } from "node:util";
import type { PawlError } from "../../domain/errors.ts";
import type { BlobHash, TaskId } from "../../domain/names.ts";
import { type CommonTerms, commonOf, type Seeds, sharing, termsOver } from "../../domain/seeds.ts";
import type { Terms } from "../../domain/task.ts";
import type { ReadSpec } from "../../ports/source.ts";
import { Outline, type Particulars, particularsOf } from "./task-outline.ts";
import { type Resolved, readSpec, type TaskDefaults } from "./task-terms.ts";
import { readTask, type WrittenTask } from "./written-task.ts";

/** What a task was made of beside its file: two of the same text make the same of the same file. */
export interface Source {
  readonly text: string;
  readonly names: Resolved;
  readonly defaults: TaskDefaults;
}

/** What the tasks of one folder have in common. */
export interface Home {
  readonly repo: string;
  readonly folder: string;
  readonly shared: ReturnType<typeof sharing>;
  /** one object for all that say the same */
  said(said: Particulars): Particulars;
}

export function homeOf(repo: string, folder: string): Home {
  const kinds = new Map<string, Particulars>();
  return {
    ...{ repo, folder, shared: sharing() },
    said(said) {
      const key = JSON.stringify(said);
      const first = kinds.get(key) ?? said;
      kinds.set(key, first);
      return first;
    },
  };
}

/** What a file came to. */
export interface Made {
  readonly spec: BlobHash;
  readonly title: string;
  readonly common: CommonTerms;
  readonly from: Source;
}

/** What few tasks have for long: a fault, a text that was not let go yet. */
interface Rare {
  readonly faults: readonly PawlError[];
  written: WrittenTask | null;
  /** what was kept is not what its file says */
  isDoubtful: boolean;
}

/**
 * A task file that was read, in this life or in an earlier one. Its text is let go when it was asked for, or soon after:
 * who wants it again has the file read again.
 */
export class KeptTask extends Outline {
  readonly #home: Home;
  #rare: Rare | null;
  #spec: BlobHash | null = null;
  #title = "";
  #common: CommonTerms | null = null;
  #from: Source | null = null;

  constructor(home: Home, of: ConstructorParameters<typeof Outline>[0], rare: Rare | null = null) {
    super(of);
    this.#home = home;
    this.#rare = rare;
  }
  static of(home: Home, name: string, written: WrittenTask): KeptTask {
    const said = home.said(particularsOf(written));
    const { faults } = written;
    return new KeptTask(home, { name, id: written.id?.name ?? null, said }, { faults, written, isDoubtful: false });
  }
  get folder(): string {
    return this.#home.folder;
  }
  get faults(): readonly PawlError[] {
    return this.#rare?.faults ?? NONE;
  }
  /** The next reading reads it, whatever its times are. */
  get isDoubtful(): boolean {
    return this.#rare?.isDoubtful ?? false;
  }
  doubt(isDoubtful: boolean): void {
    if (this.#rare !== null) this.#rare.isDoubtful = isDoubtful;
    else if (isDoubtful) this.#rare = { faults: NONE, written: null, isDoubtful };
  }
  /** as an earlier life made it of the same file */
  restore(made: Made): void {
    this.#spec = made.spec;
    this.#title = made.title;
    this.#common = made.common;
    this.#from = made.from;
  }
  /** what it came to the last time; null: it was not made yet */
  get made(): Made | null {
    const [spec, title, common, from] = [this.#spec, this.#title, this.#common, this.#from];
    return spec === null || common === null || from === null ? null : { spec, title, common, from };
  }
  /** The task as the processor gets it; null: its file has become another one meanwhile, and the next reading finds it. */
  specFrom(from: Source): ReadSpec | null {
    if (this.#from !== from && this.#from?.text !== from.text) {
      const written = this.written();
      this.doubt(written === null);
      if (written === null) return null;
      const { id, spec, terms } = readSpec(written, from.names, from.defaults);
      this.restore({ spec, title: terms.title, common: this.#home.shared(commonOf(terms, id)), from });
    }
    this.#from = from;
    return new KeptSpec(this);
  }
  get spec(): BlobHash {
    return this.#spec!;
  }
  get terms(): Terms {
    return termsOver(this.#common!, this.idName!, this.#title);
  }
  /** Whether a board has it as it is; then its texts are taken: memory has them once. */
  isIn(seeds: Seeds): boolean {
    const texts = seeds.same(this.idName as TaskId, { spec: this.#spec!, title: this.#title, common: this.#common! });
    if (texts === null) return false;
    this.adopt(texts.id);
    this.#spec = texts.spec;
    this.#title = texts.title;
    return true;
  }
  /** What the processor stores of it: null where its file says something else by now. */
  bytes(): Uint8Array | null {
    const bytes = this.#read();
    this.forget();
    this.doubt(bytes === null);
    return bytes;
  }
  /** The file whole; null: it says something else by now. */
  written(): WrittenTask | null {
    if (this.#rare?.written) return this.#rare.written;
    const again = readTask(this.#home.repo, this.file);
    const isSame = again?.faults.length === 0 && isDeepStrictEqual(particularsOf(again), this.said);
    return isSame ? again : null;
  }
  forget(): void {
    if (this.#rare === null) return;
    if (this.faults.length === 0 && !this.isDoubtful) this.#rare = null;
    else this.#rare.written = null;
  }

  #read(): Uint8Array | null {
    const written = this.written();
    if (written === null) return null;
    const { spec, bytes, terms } = readSpec(written, this.#from!.names, this.#from!.defaults);
    return spec === this.#spec && isDeepStrictEqual(terms, this.terms) ? bytes : null;
  }
}
const NONE: readonly never[] = [];

/** The processor's view of it, which is made anew at each reading. */
class KeptSpec implements ReadSpec {
  readonly #task: KeptTask;

  constructor(task: KeptTask) {
    this.#task = task;
  }
  get id(): TaskId {
    return this.#task.idName as TaskId;
  }
  get spec(): BlobHash {
    return this.#task.spec;
  }
  get terms(): Terms {
    return this.#task.terms;
  }
  get bytes(): Uint8Array | null {
    return this.#task.bytes();
  }
  isIn(seeds: Seeds): boolean {
    return this.#task.isIn(seeds);
  }
}
