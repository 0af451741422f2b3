import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packed, unpacked } from "../../adapters/record-cache/pack.ts";
import type { BlobHash, TaskId } from "../../domain/names.ts";
import type { Terms } from "../../domain/task.ts";
import { sha256 } from "./canonical.ts";
import { commonTerms, KeptTask, type KnownRow, type Source } from "./kept-task.ts";
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
  load(folder: string): Iterable<Cached>;
  /** false: there is no place for it yet, so that it is worth to come again */
  save(folder: string, entries: readonly Cached[]): boolean;
}

/** Changed whenever a row means something else. */
const FORMAT = 1;
/** Rows that are parsed at once: what they leave behind goes before the next come. */
const ROWS = 1_000;
const STALE_MS = 3_600_000;

/** `state`: .pawl, which has to be there; null as long as nobody has made it. */
export function taskCache(repo: string, of: { readonly state: string; readonly known: KnownRow }): TaskCache {
  const path = join(of.state, "cache", "tasks", `${version()}.pack`);
  return {
    *load(folder) {
      try {
        yield* rowsIn(path, { repo, folder, known: of.known });
      } catch {
        // whole, and yet not as we write it: what is not said is read anew
      }
    },
    save(folder, entries) {
      if (statSync(of.state, { throwIfNoEntry: false }) === undefined) return false;
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
  readonly terms: readonly Terms[];
}
/** Rows by columns: numbers are then read as numbers, not as a hundred thousand lists. */
interface Columns {
  readonly name: string[];
  readonly ino: number[];
  readonly size: number[];
  readonly mtimeMs: number[];
  readonly ctimeMs: number[];
  /** 0: as the file is called */
  readonly id: (string | 0)[];
  readonly spec: string[];
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

type Place = Pick<Loading, "repo" | "folder" | "known">;

function* rowsIn(path: string, place: Place): Generator<Cached> {
  const [folder, head, ...parts] = partsAt(path);
  if (head === undefined || folder!.toString().trimEnd() !== place.folder) return;
  const common = parsed<Common>(head);
  const sources = common.sources.map(([defaults, names]) => sourceOf(defaults, names));
  for (const part of parts) {
    const rows = parsed<Columns>(part);
    for (let at = 0; at < rows.name.length; at++) yield entryOf(rows, at, { ...place, common, sources });
  }
}

interface Loading {
  readonly repo: string;
  readonly folder: string;
  readonly common: Common;
  readonly sources: readonly Source[];
  readonly known: KnownRow;
}

function entryOf(rows: Columns, at: number, { repo, folder, common, sources, known }: Loading): Cached {
  const name = rows.name[at]!;
  const id = rows.id[at] || name.slice(0, -EXTENSION.length);
  const [said, usual, from] = [common.said[rows.said[at]!], common.terms[rows.terms[at]!], sources[rows.source[at]!]];
  const [spec, title] = [rows.spec[at], rows.title[at]];
  if (!said || !usual || !from || spec === undefined || title === undefined)
    throw new RangeError("a row lacks something");
  const task = new KeptTask(repo, { folder, name, id, said, faults: NONE });
  task.restore({ id: id as TaskId, spec: spec as BlobHash, terms: { common: usual, title }, from }, known);
  return { stamp: [rows.ino[at]!, rows.size[at]!, rows.mtimeMs[at]!, rows.ctimeMs[at]!], task };
}
const EXTENSION = ".md";
const NONE: readonly never[] = [];

function partsOf(folder: string, entries: readonly Cached[]): readonly string[] {
  const into = { sources: new Numbered(), said: new Numbered(), terms: new Numbered() };
  const parts: string[] = [];
  for (let at = 0; at < entries.length; at += ROWS) {
    const rows = emptyColumns();
    for (const entry of entries.slice(at, at + ROWS)) push(rows, entry, into);
    parts.push(JSON.stringify(rows));
  }
  return [folder, `{"sources":${into.sources},"said":${into.said},"terms":${into.terms}}`, ...parts];
}

const emptyColumns = (): Columns => ({
  name: [],
  ino: [],
  size: [],
  mtimeMs: [],
  ctimeMs: [],
  id: [],
  spec: [],
  source: [],
  said: [],
  terms: [],
  title: [],
});

/** What has a fault, or was not made into a task for another reason, is read again the next time. */
function push(rows: Columns, { stamp, task }: Cached, to: Record<keyof Common, Numbered>): void {
  const { made } = task;
  if (made === null || task.faults.length > 0) return;
  const { id, spec, from, terms } = made;
  const [ino, size, mtimeMs, ctimeMs] = stamp;
  rows.name.push(task.name);
  rows.ino.push(ino);
  rows.size.push(size);
  rows.mtimeMs.push(mtimeMs);
  rows.ctimeMs.push(ctimeMs);
  rows.id.push(task.name === id + EXTENSION ? 0 : id);
  rows.spec.push(spec);
  rows.source.push(to.sources.of(`[${JSON.stringify(from.defaults)},${JSON.stringify(from.names)}]`));
  rows.said.push(to.said.of(JSON.stringify(task.said)));
  rows.terms.push(to.terms.of(commonTerms(terms, id)));
  rows.title.push(terms.title);
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

function write(path: string, parts: readonly string[]): void {
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
const padded = (part: string): Uint8Array => Buffer.from(part + " ".repeat((4 - (Buffer.byteLength(part) % 4)) % 4));

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
