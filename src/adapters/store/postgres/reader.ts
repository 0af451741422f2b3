import { type Backlog, emptyBacklog } from "../../../domain/backlog.ts";
import type { Instant, MapHash, TaskId } from "../../../domain/names.ts";
import type { PhaseMap } from "../../../domain/phase.ts";
import type { Seed, Status, Task } from "../../../domain/task.ts";
import type { Ended, LoggedTick, Reader } from "../../../ports/store.ts";
import { countsOf } from "../counts.ts";
import { rowOf } from "../row-json.ts";
import { seedReader } from "../seed-json.ts";
import { holderOf } from "./lease.ts";
import type { Link } from "./link.ts";
import { damaged } from "./server-error.ts";

/** For how long a look outlasts a connection that was lost: a server that is started again is back by then. */
export const LOOK_MS = 5_000;

/** Everything that may be read without the lease. `load` is one statement, so it sees one state of the store. */
export function reading(link: Link): Omit<Reader, "close"> {
  const { schema } = link;
  const ask = <T>(text: string, values: readonly unknown[] = []) => link.ask<T>(text, values, { ms: LOOK_MS });
  const parsed = parser(link);
  return {
    load: async () => {
      const loading = emptySnapshot();
      const reader = seedReader();
      const whole = (json: string): Seed => parsed(json) as Seed;
      await link.each(LOAD(schema), [], (row) => {
        const { kind, json } = row as Loaded;
        if (kind === "seed") reader.take(json, whole);
        else take(loading, row as Loaded, parsed);
      });
      return { ...loading, seeds: reader.seeds };
    },
    async overview(most) {
      const loading = {
        ...emptySnapshot(),
        counted: [] as Counted[],
        notStarted: [] as TaskId[],
        failed: [] as TaskId[],
      };
      await link.each(OVERVIEW(schema), [most.notStarted, most.failed], (row) =>
        overviewed(loading, row as Seen, parsed),
      );
      const { seq, now, backlog, maps, live, notStarted, failed, counted } = loading;
      return { seq, now, backlog, maps, live, notStarted, failed, counts: countsOf(counted) };
    },
    async part(ids) {
      const text = `SELECT picked, json FROM ${schema}.tasks WHERE id = ANY($1)`;
      const found = await ask<Json & { readonly picked: boolean }>(text, [ids]);
      return {
        seeds: found.filter(({ picked }) => !picked).map(({ json }) => parsed(json) as Seed),
        rows: found.filter(({ picked }) => picked).map(({ json }) => rowOf(parsed(json) as Kept)),
      };
    },
    async task(id) {
      const [row] = await ask<Json>(`SELECT json FROM ${schema}.tasks WHERE id = $1 AND picked`, [id]);
      return row === undefined ? null : rowOf(parsed(row.json) as Kept);
    },
    async tasks() {
      const rows: Task[] = [];
      await link.each(`SELECT json FROM ${schema}.tasks WHERE picked`, [], (row) =>
        rows.push(rowOf(parsed((row as Json).json) as Kept)),
      );
      return rows;
    },
    async blob(hash) {
      const [row] = await ask<{ readonly bytes: Buffer }>(`SELECT bytes FROM ${schema}.blobs WHERE hash = $1`, [hash]);
      return row === undefined ? null : new Uint8Array(row.bytes);
    },
    async ticks(after, limit) {
      const text = `SELECT seq, now, epoch, build, inputs, facts FROM ${schema}.ticks WHERE seq > $1 ORDER BY seq LIMIT $2`;
      const rows = await ask<LoggedTick & { readonly inputs: string; readonly facts: string }>(text, [after, limit]);
      return rows.map((row) => ({
        ...row,
        inputs: parsed(row.inputs) as LoggedTick["inputs"],
        facts: parsed(row.facts) as LoggedTick["facts"],
      }));
    },
    holder: () => holderOf(link, LOOK_MS),
  };
}

interface Json {
  readonly json: string;
}
type Kept = Parameters<typeof rowOf>[0];
type Parse = (json: string) => unknown;

/** Rows are what this room wrote: text that is no JSON is a broken store. */
const parser =
  ({ shown }: Link): Parse =>
  (json) => {
    try {
      return JSON.parse(json) as unknown;
    } catch (error) {
      throw damaged(shown, `a row is not JSON: ${json.slice(0, 60)}`, error);
    }
  };

interface Loading {
  seq: number;
  now: Instant;
  backlog: Backlog;
  readonly live: Task[];
  readonly ended: Ended[];
  readonly maps: Map<MapHash, PhaseMap>;
}

const emptySnapshot = (): Loading => ({
  seq: 0,
  now: 0 as Instant,
  backlog: emptyBacklog,
  live: [],
  ended: [],
  maps: new Map(),
});

interface Loaded extends Json, Ended {
  readonly kind: "tick" | "backlog" | "map" | "seed" | "live" | "ended";
  readonly seq: number;
  readonly now: Instant;
}

function take(into: Loading, row: Loaded, parsed: Parse): void {
  switch (row.kind) {
    case "tick":
      into.seq = row.seq;
      into.now = row.now;
      return;
    case "backlog":
      into.backlog = parsed(row.json) as Backlog;
      return;
    case "map": {
      const map = parsed(row.json) as PhaseMap;
      into.maps.set(map.hash, map);
      return;
    }
    case "live":
      return void into.live.push(rowOf(parsed(row.json) as Kept));
    case "ended":
      return void into.ended.push({ id: row.id as TaskId, status: row.status, synced: row.synced, merged: row.merged });
  }
}

interface Counted {
  readonly status: Status;
  readonly n: number;
}
type Seen =
  | Loaded
  | { readonly kind: "next" | "failed"; readonly id: TaskId }
  | { readonly kind: "count"; readonly status: Status; readonly seq: number };

/** As `load`, with counts and the first ids of what is not in progress. */
function overviewed(
  into: Loading & { readonly counted: Counted[]; readonly notStarted: TaskId[]; readonly failed: TaskId[] },
  row: Seen,
  parsed: Parse,
): void {
  switch (row.kind) {
    case "count":
      return void into.counted.push({ status: row.status, n: row.seq });
    case "next":
      return void into.notStarted.push(row.id);
    case "failed":
      return void into.failed.push(row.id);
    default:
      return take(into, row, parsed);
  }
}

/** Every part with the columns of all: one statement, one state. Of what has ended only what others depend on. */
const LOAD = (s: string): string =>
  `${headOf(s)}
   UNION ALL SELECT CASE WHEN NOT picked THEN 'seed' WHEN busy THEN 'live' ELSE 'ended' END,
     CASE WHEN picked AND NOT busy THEN NULL ELSE json END, id, status, synced, merged, NULL, NULL FROM ${s}.tasks`;

/** Ids by the index, in its order. A count stands where others have their number. */
const OVERVIEW = (s: string): string =>
  `${headOf(s)}
   UNION ALL SELECT 'live', json, id, status, synced, merged, NULL, NULL FROM ${s}.tasks WHERE picked AND busy
   UNION ALL SELECT 'count', NULL, NULL, status, NULL, NULL, count(*), NULL FROM ${s}.tasks GROUP BY status
   UNION ALL (SELECT 'next', NULL, id, NULL, NULL, NULL, NULL, NULL FROM ${s}.tasks
     WHERE NOT picked AND status = 'not-started' ${firstIn(s)} LIMIT $1)
   UNION ALL (SELECT 'failed', NULL, id, NULL, NULL, NULL, NULL, NULL FROM ${s}.tasks
     WHERE picked AND status = 'failed' ${firstIn(s)} LIMIT $2)`;
const firstIn = (s: string): string => `ORDER BY ${s}.id_key(id) COLLATE "C", id COLLATE "C"`;

const headOf = (s: string): string =>
  `(SELECT 'tick' AS kind, NULL AS json, NULL AS id, NULL AS status, NULL::boolean AS synced, NULL AS merged, seq, now
    FROM ${s}.ticks ORDER BY seq DESC LIMIT 1)
   UNION ALL SELECT 'backlog', json, NULL, NULL, NULL, NULL, NULL, NULL FROM ${s}.backlog
   UNION ALL SELECT 'map', json, NULL, NULL, NULL, NULL, NULL, NULL FROM ${s}.maps`;
