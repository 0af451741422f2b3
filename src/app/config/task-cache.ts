import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packed, unpacked } from "../../adapters/record-cache/pack.ts";
import type { BlobHash } from "../../domain/names.ts";
import type { CommonTerms } from "../../domain/seeds.ts";
import { sha256 } from "./canonical.ts";
import { type Home, KeptTask, type Source } from "./kept-task.ts";
import type { Stamp } from "./stamps.ts";
import type { Particulars } from "./task-outline.ts";

/** One task file, and the times and size it had when it came to that. */
export interface Cached {
  readonly stamp: Stamp;
  readonly task: KeptTask;
}

/**
 * What task files came to, for the next start: in one file, which is written whole and renamed. Only a cache: what is
 * not there, broken, cut off or of another build is read anew; nothing durable hangs on it, and a place that cannot be
 * written keeps nothing. Of two processors the last one's stays.
 */
export interface TaskCache {
  /** by the names of the files, in the order in which they were saved */
  load(home: Home): Iterable<Cached>;
  /** false: there is no place for it yet, so that it is worth to come again */
  save(folder: string, entries: readonly Cached[]): boolean;
}

/** Changed whenever a row means something else. */
const FORMAT = 2;
/** Rows that are parsed at once: what they leave behind goes before the next come. */
const ROWS = 1_000;
const STALE_MS = 3_600_000;

/** `state`: .pawl, which has to be there; null as long as nobody has made it. */
export function taskCache(state: string): TaskCache {
  const path = join(state, "cache", "tasks", `${version()}.pack`);
  return {
    *load(home) {
      try {
        yield* rowsIn(path, home);
      } catch {
        // whole, and yet not as we write it: what is not said is read anew
      }
    },
    save(folder, entries) {
      if (statSync(state, { throwIfNoEntry: false }) === undefined) return false;
      try {
        write(path, partsOf(folder, entries));
      } catch {
        // a full disk, or one that is read only: nothing is kept
      }
      return true;
    },
  };
}

/** What rows have in common; they name it by its number. */
interface Common {
  readonly sources: readonly (readonly [Source["defaults"], Source["names"]])[];
  readonly said: readonly Particulars[];
  readonly terms: readonly CommonTerms[];
}
/** Rows by columns, as JSON; beside them their stamps, four numbers of 64 bits each, and their hashes, SPEC letters each. */
interface Columns {
  readonly name: string[];
  /** 0: as the file is called */
  readonly id: (string | 0)[];
  /** these three by their numbers in Common */
  readonly source: number[];
  readonly said: number[];
  readonly terms: number[];
  readonly title: string[];
}

export const sourceOf = (defaults: Source["defaults"], names: Source["names"]): Source => ({
  text: JSON.stringify(defaults) + JSON.stringify(names),
  names,
  defaults,
});

function* rowsIn(path: string, home: Home): Generator<Cached> {
  const [folder, head, ...parts] = partsAt(path);
  if (head === undefined || folder!.toString().trimEnd() !== home.folder) return;
  const { sources, said, terms } = parsed<Common>(head);
  const common: Loading = {
    home,
    sources: sources.map(([defaults, names]) => sourceOf(defaults, names)),
    said: said.map(home.said),
    terms: terms.map((one) => home.shared(one)),
  };
  for (let at = 0; at < parts.length; at += 3) {
    const [json, stamps, specs] = parts.slice(at, at + 3) as [Buffer, Buffer, Buffer];
    const rows = parsed<Columns>(json);
    // a copy, which begins where numbers may
    const numbers = new Float64Array(Uint8Array.from(stamps).buffer);
    if (rows.name.length * STAMP !== stamps.length || rows.name.length * SPEC > specs.length)
      throw new RangeError("a part lacks rows");
    for (let row = 0; row < rows.name.length; row++) {
      const spec = specs.toString("latin1", row * SPEC, (row + 1) * SPEC) as BlobHash;
      yield { stamp: stampIn(numbers, row * 4), task: taskOf(rows, row, common, spec) };
    }
  }
}

/** `sha256-` and 64 digits */
const SPEC = 71;
/** bytes of four numbers */
const STAMP = 32;
const stampIn = (numbers: Float64Array, at: number): Stamp => [
  numbers[at]!,
  numbers[at + 1]!,
  numbers[at + 2]!,
  numbers[at + 3]!,
];

interface Loading extends Omit<Common, "sources"> {
  readonly home: Home;
  readonly sources: readonly Source[];
}

function taskOf(rows: Columns, at: number, of: Loading, spec: BlobHash): KeptTask {
  const { home, said, terms, sources } = of;
  const name = rows.name[at]!;
  const id = rows.id[at] || name.slice(0, -EXTENSION.length);
  const [says, common, from] = [said[rows.said[at]!], terms[rows.terms[at]!], sources[rows.source[at]!]];
  const title = rows.title[at];
  if (!says || !common || !from || title === undefined) throw new RangeError("a row lacks something");
  const task = new KeptTask(home, { name, id, said: says });
  task.restore({ spec, title, common, from });
  return task;
}
const EXTENSION = ".md";

function partsOf(folder: string, entries: readonly Cached[]): readonly (string | Buffer)[] {
  const into = { sources: new Numbered(), said: new Numbered(), terms: new Numbered() };
  const whole = entries.filter(({ task }) => isWhole(task));
  const parts: (string | Buffer)[] = [];
  for (let at = 0; at < whole.length; at += ROWS) {
    const some = whole.slice(at, at + ROWS);
    const rows: Columns = { name: [], id: [], source: [], said: [], terms: [], title: [] };
    for (const { task } of some) push(rows, task, into);
    const stamps = Float64Array.from(some.flatMap(({ stamp }) => stamp));
    parts.push(JSON.stringify(rows), Buffer.from(stamps.buffer), some.map(({ task }) => task.spec).join(""));
  }
  return [folder, `{"sources":${into.sources},"said":${into.said},"terms":${into.terms}}`, ...parts];
}

/** What has a fault, or was not made into a task for another reason, is read again the next time. */
const isWhole = ({ made, idName, faults }: KeptTask): boolean =>
  made !== null && made.spec.length === SPEC && idName !== null && faults.length === 0;

function push(rows: Columns, task: KeptTask, to: Record<keyof Common, Numbered>): void {
  const { name, idName } = task;
  const { from, common, title } = task.made!;
  rows.name.push(name);
  rows.id.push(name === idName + EXTENSION ? 0 : idName!);
  rows.source.push(to.sources.of(`[${JSON.stringify(from.defaults)},${JSON.stringify(from.names)}]`));
  rows.said.push(to.said.of(JSON.stringify(task.said)));
  rows.terms.push(to.terms.of(JSON.stringify(common)));
  rows.title.push(title);
}

/** JSON texts, each once. */
class Numbered {
  readonly #numbers = new Map<string, number>();
  of(json: string): number {
    const known = this.#numbers.get(json) ?? this.#numbers.size;
    if (known === this.#numbers.size) this.#numbers.set(json, known);
    return known;
  }
  toString(): string {
    return `[${[...this.#numbers.keys()].join(",")}]`;
  }
}

/** The parts of a file; none: it is not there, or not as it was written. */
function partsAt(path: string): readonly Buffer[] {
  try {
    return Array.from(unpacked(readFileSync(path))?.values() ?? [], (part) =>
      Buffer.from(part.buffer, part.byteOffset, part.byteLength),
    );
  } catch {
    return [];
  }
}

const parsed = <T>(part: Buffer): T => JSON.parse(part.toString("utf8")) as T;

function write(path: string, parts: readonly (string | Buffer)[]): void {
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(own, packed(new Map(parts.map((part, i) => [String(i), padded(part)]))));
    renameSync(own, path);
  } finally {
    rmSync(own, { force: true });
  }
  dropOthers(path);
}

/** Sizes of records are multiples of four. */
const padded = (part: string | Buffer): Uint8Array =>
  typeof part !== "string" ? part : Buffer.from(part + " ".repeat((4 - (Buffer.byteLength(part) % 4)) % 4));

/** Caches of other builds, and what dead processes left half written. */
function dropOthers(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const other = join(dirname(path), name);
    const found = statSync(other, { throwIfNoEntry: false });
    if (other !== path && found !== undefined && Date.now() - found.mtimeMs > STALE_MS) rmSync(other, { force: true });
  }
}

/** What another build makes of a file may be something else; the built module names those that it is built with by their contents. */
function version(): string {
  const own = readFileSync(fileURLToPath(import.meta.url));
  return sha256(Buffer.concat([Buffer.from(String(FORMAT)), own])).slice(7, 23);
}
