import { type Backlog, emptyBacklog } from "../../domain/backlog.ts";
import type { Instant, TaskId } from "../../domain/names.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import type { Seed, Status, Task } from "../../domain/task.ts";
import type { Ended, LoggedTick, Overview, Reader, Snapshot } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { countsOf } from "./counts.ts";
import { fromLog } from "./log-text.ts";
import { leaning, rowOf } from "./row-json.ts";
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
  const load = (): Snapshot => {
    return {
      ...head(),
      live: rows("SELECT json FROM tasks WHERE picked = 1 AND busy = 1"),
      seeds: all<Seed, Seed>("SELECT json FROM tasks WHERE picked = 0", leaning()),
      ended: sql("SELECT id, status, synced, merged FROM tasks WHERE picked = 1 AND busy = 0").all().map(endedOf),
    };
  };
  const ids = (where: string): readonly TaskId[] => {
    // One text for all: a row for each would cost ten times as much. Ids hold no space.
    const { ids } = sql(`SELECT group_concat(id, ' ') AS ids FROM tasks WHERE ${where}`).get() as {
      ids: string | null;
    };
    return ids === null ? [] : (ids.split(" ") as TaskId[]);
  };
  const overview = (): Overview => {
    const { seq, now, backlog, maps } = head();
    const notStarted = ids("picked = 0");
    const picked = sql("SELECT status, count(*) AS n FROM tasks WHERE picked = 1 GROUP BY status").all() as Counted;
    return {
      ...{ seq, now, backlog, maps, notStarted, failed: ids("picked = 1 AND status = 'failed'") },
      live: rows("SELECT json FROM tasks WHERE picked = 1 AND busy = 1"),
      counts: countsOf(picked, notStarted.length),
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
    overview: async () => connection.reading(overview),
    part: async (ids) => guard(() => part(ids)),
    task: async (id) => guard(() => task(id)),
    tasks: async () => guard(() => rows("SELECT json FROM tasks WHERE picked = 1")),
    blob: async (hash) =>
      guard(() => (sql("SELECT bytes FROM blobs WHERE hash = ?").get(hash) as Blob | undefined)?.bytes ?? null),
    ticks: async (after, limit) =>
      guard(() => sql("SELECT * FROM ticks WHERE seq > ? ORDER BY seq LIMIT ?").all(after, limit).map(tickOf(parsed))),
  };
}

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
