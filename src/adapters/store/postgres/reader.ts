import { type Backlog, emptyBacklog } from "../../../domain/backlog.ts";
import type { Instant, MapHash, TaskId } from "../../../domain/names.ts";
import type { PhaseMap } from "../../../domain/phase.ts";
import type { Seed, Status, Task } from "../../../domain/task.ts";
import type { Ended, LoggedTick, Reader, Snapshot } from "../../../ports/store.ts";
import { countsOf } from "../counts.ts";
import { leaning, rowOf } from "../row-json.ts";
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
      const lean = leaning();
      await link.each(LOAD(schema), [], (row) => take(loading, row as Loaded, { parsed, lean }));
      return loading;
    },
    async overview() {
      const loading = { ...emptySnapshot(), notStarted: [] as TaskId[], failed: [] as TaskId[] };
      const picked: { status: Status; n: number }[] = [];
      const take = overviewing(loading, { picked, parsed });
      await link.each(OVERVIEW(schema), [], (row) => take(row as Loaded));
      const { seq, now, backlog, maps, live, notStarted, failed } = loading;
      return { seq, now, backlog, maps, live, notStarted, failed, counts: countsOf(picked, notStarted.length) };
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
  readonly seeds: Seed[];
  readonly ended: Ended[];
  readonly maps: Map<MapHash, PhaseMap>;
}

const emptySnapshot = (): Loading & Snapshot => ({
  seq: 0,
  now: 0 as Instant,
  backlog: emptyBacklog,
  live: [],
  seeds: [],
  ended: [],
  maps: new Map(),
});

interface Loaded extends Json, Ended {
  readonly kind: "tick" | "backlog" | "map" | "seed" | "live" | "ended";
  readonly seq: number;
  readonly now: Instant;
}

function take(into: Loading, row: Loaded, { parsed, lean }: { parsed: Parse; lean: (seed: Seed) => Seed }): void {
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
    case "seed":
      return void into.seeds.push(lean(parsed(row.json) as Seed));
    case "live":
      return void into.live.push(rowOf(parsed(row.json) as Kept));
    case "ended":
      return void into.ended.push({ id: row.id as TaskId, status: row.status, synced: row.synced, merged: row.merged });
  }
}

/** As `load`, with the ids of what is not in progress instead of its rows. */
function overviewing(
  into: Loading & { readonly notStarted: TaskId[]; readonly failed: TaskId[] },
  { picked, parsed }: { picked: { status: Status; n: number }[]; parsed: Parse },
): (row: Loaded) => void {
  const lean = (seed: Seed): Seed => seed;
  return (row) => {
    if (row.kind === "seed") return void into.notStarted.push(row.id);
    if (row.kind !== "live" && row.kind !== "ended") return take(into, row, { parsed, lean });
    picked.push({ status: row.status, n: 1 });
    if (row.status === "failed") into.failed.push(row.id);
    if (row.kind === "live") take(into, row, { parsed, lean });
  };
}

/** Every part with the columns of all: one statement, one state. Of what has ended only what others depend on. */
const LOAD = (s: string): string => partsOf(s, "picked AND NOT busy");
const OVERVIEW = (s: string): string => partsOf(s, "NOT (picked AND busy)");
/** `bare`: of which tasks no more than their place is wanted */
const partsOf = (s: string, bare: string): string =>
  `(SELECT 'tick' AS kind, NULL AS json, NULL AS id, NULL AS status, NULL::boolean AS synced, NULL AS merged, seq, now
    FROM ${s}.ticks ORDER BY seq DESC LIMIT 1)
   UNION ALL SELECT 'backlog', json, NULL, NULL, NULL, NULL, NULL, NULL FROM ${s}.backlog
   UNION ALL SELECT 'map', json, NULL, NULL, NULL, NULL, NULL, NULL FROM ${s}.maps
   UNION ALL SELECT CASE WHEN NOT picked THEN 'seed' WHEN busy THEN 'live' ELSE 'ended' END,
     CASE WHEN ${bare} THEN NULL ELSE json END, id, status, synced, merged, NULL, NULL FROM ${s}.tasks`;
