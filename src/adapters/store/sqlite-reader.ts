import { type Backlog, emptyBacklog } from "../../domain/backlog.ts";
import { compareIds, type Instant, type TaskId } from "../../domain/names.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import type { Seed, Status, Task } from "../../domain/task.ts";
import type { Ended, LoggedTick, Overview, Reader, Snapshot } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { countsOf } from "./counts.ts";
import { fromLog } from "./log-text.ts";
import { rowOf } from "./row-json.ts";
import { seedReader } from "./seed-json.ts";
import { corrupt } from "./store-error.ts";

/** Everything that may be read without the lease. `load` sees one state of the store, whoever commits meanwhile. */
export function reading(connection: Connection): Omit<Reader, "holder" | "close"> {
  const { sql, guard } = connection;
  const parsed = jsonOf(connection.path);
  const all = <T, V>(text: string, made: (kept: T) => V): readonly V[] => {
    const values: V[] = [];
    // Row by row: the text of a hundred thousand rows is never in memory at once.
    for (const row of sql(text).iterate()) values.push(made(parsed(row) as T));
    return values;
  };
  const rows = (text: string): readonly Task[] => all(text, rowOf);
  const head = (): Pick<Snapshot, "seq" | "now" | "backlog" | "maps"> => {
    const last = sql("SELECT seq, now FROM ticks ORDER BY seq DESC LIMIT 1").get() as Last | undefined;
    return {
      seq: last?.seq ?? 0,
      now: last?.now ?? (0 as Instant),
      backlog: (parsed(sql("SELECT json FROM backlog").get()) as Backlog | undefined) ?? emptyBacklog,
      maps: new Map(all("SELECT json FROM maps", (map: PhaseMap) => [map.hash, map] as const)),
    };
  };
  /** By the index in their natural order, as those who take them want them. */
  const seeds = (): Snapshot["seeds"] => {
    const reader = seedReader();
    const whole = (json: string): Seed => parsed({ json }) as Seed;
    for (const row of sql(SEEDS).iterate()) reader.take((row as { readonly json: string }).json, whole);
    return reader.seeds;
  };
  const load = (): Snapshot => {
    return {
      ...head(),
      live: rows("SELECT json FROM tasks WHERE picked = 1 AND busy = 1"),
      seeds: seeds(),
      ended: sql("SELECT id, status, synced, merged FROM tasks WHERE picked = 1 AND busy = 0").all().map(endedOf),
    };
  };
  /** The index gives them in their order: no more of it is read. */
  const first = (most: number, picked: 0 | 1, busy: 0 | 1, status: Status): readonly TaskId[] =>
    sql(FIRST)
      .all(picked, busy, status, most)
      .map((row) => (row as Pick<Ended, "id">).id);
  /** Most are in one place mostly: all are counted by pages, without a look at each, and the fewest by themselves. */
  const counts = (): Overview["counts"] => {
    const picked = sql(PICKED).all() as Counted;
    const { n } = sql("SELECT count(*) AS n FROM tasks").get() as { readonly n: number };
    return countsOf([...picked, { status: "not-started", n: picked.reduce((rest, one) => rest - one.n, n) }]);
  };
  const overview: Way<Reader["overview"]> = (most) => {
    const failed = [...first(most.failed, 1, 0, "failed"), ...first(most.failed, 1, 1, "failed")];
    return {
      ...head(),
      live: rows("SELECT json FROM tasks WHERE picked = 1 AND busy = 1"),
      counts: counts(),
      notStarted: first(most.notStarted, 0, 0, "not-started"),
      failed: failed.sort(compareIds).slice(0, most.failed),
    };
  };
  const part = (wanted: readonly TaskId[]): Awaited<ReturnType<Reader["part"]>> => {
    const text = "SELECT picked, json FROM tasks WHERE id IN (SELECT value FROM json_each(?))";
    const found = sql(text).all(JSON.stringify(wanted)) as readonly { picked: number }[];
    return {
      seeds: found.filter(({ picked }) => picked === 0).map((row) => parsed(row) as Seed),
      rows: found.filter(({ picked }) => picked === 1).map((row) => rowOf(parsed(row) as KeptRow)),
    };
  };
  const task = (id: TaskId): Task | null => {
    const kept = parsed(sql("SELECT json FROM tasks WHERE id = ? AND picked = 1").get(id)) as KeptRow | undefined;
    return kept === undefined ? null : rowOf(kept);
  };
  return {
    load: async () => connection.reading(load),
    overview: async (most) => connection.reading(() => overview(most)),
    part: async (ids) => guard(() => part(ids)),
    task: async (id) => guard(() => task(id)),
    tasks: async () => guard(() => rows("SELECT json FROM tasks WHERE picked = 1")),
    blob: async (hash) =>
      guard(() => (sql("SELECT bytes FROM blobs WHERE hash = ?").get(hash) as Blob | undefined)?.bytes ?? null),
    ticks: async (after, limit) =>
      guard(() => sql("SELECT * FROM ticks WHERE seq > ? ORDER BY seq LIMIT ?").all(after, limit).map(tickOf(parsed))),
  };
}

const SEEDS = "SELECT json FROM tasks WHERE picked = 0 ORDER BY busy, status, key, id";
const FIRST = "SELECT id FROM tasks WHERE picked = ? AND busy = ? AND status = ? ORDER BY key, id LIMIT ?";
// by the index alone, in its order
const PICKED = "SELECT status, count(*) AS n FROM tasks WHERE picked = 1 GROUP BY busy, status";

/** What it does once it may. */
type Way<F extends (...args: never[]) => unknown> = (...args: Parameters<F>) => Awaited<ReturnType<F>>;

interface Last {
  readonly seq: number;
  readonly now: Instant;
}
type Counted = readonly { readonly status: Status; readonly n: number }[];
interface Blob {
  readonly bytes: Uint8Array;
}
type KeptRow = Parameters<typeof rowOf>[0];
type Parse = (row: unknown) => unknown;

/** The value in a row's `json`; undefined: no row. Rows are what this room wrote: text that is no JSON is a broken store. */
const jsonOf =
  (path: string): Parse =>
  (row) => {
    if (row === undefined) return undefined;
    const { json } = row as { json: string };
    try {
      return JSON.parse(json) as unknown;
    } catch (error) {
      throw corrupt(path, `a row is not JSON: ${json.slice(0, 60)}`, error);
    }
  };

function endedOf(row: unknown): Ended {
  const { id, status, synced, merged } = row as Omit<Ended, "synced"> & { synced: number };
  return { id, status, synced: synced === 1, merged };
}

interface Kept {
  readonly inputs: string | Uint8Array;
  readonly facts: string | Uint8Array;
}

const tickOf =
  (parsed: Parse) =>
  (row: unknown): LoggedTick => {
    const { seq, now, epoch, build, inputs, facts } = row as LoggedTick & Kept;
    return {
      seq,
      now,
      epoch,
      build,
      inputs: parsed({ json: fromLog(inputs) }) as LoggedTick["inputs"],
      facts: parsed({ json: fromLog(facts) }) as LoggedTick["facts"],
    };
  };
