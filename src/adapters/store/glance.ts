import { statSync } from "node:fs";
import type { PhaseMap } from "../../domain/phase.ts";
import type { Seed, Status, Task } from "../../domain/task.ts";
import { openSqlite } from "./open-sqlite.ts";
import { rowOf } from "./row-json.ts";

/** What could be seen of a store in a moment: less than all where the time was too short. */
export interface Glance {
  /** picked up, and still to be worked on */
  readonly live: readonly Task[];
  /** the other tasks, by their ids */
  readonly others: readonly { readonly id: string; readonly status: Status }[];
  readonly maps: readonly PhaseMap[];
}
export const NOTHING_SEEN: Glance = { live: [], others: [], maps: [] };

/**
 * A look into a store's file that takes no lease, writes nothing and ends after `withinMs`, whatever was found by then;
 * of a store that cannot be read at once, nothing.
 */
export async function glance(path: string, withinMs: number): Promise<Glance> {
  const open = await openSqlite();
  const end = performance.now() + withinMs;
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return NOTHING_SEEN;
  try {
    const database = open(path, { readOnly: true, timeout: Math.ceil(withinMs / 4) });
    try {
      const all = (sql: string): readonly unknown[] => taken(database.prepare(sql).iterate(), end);
      const json = (sql: string) => all(sql).map((row) => JSON.parse((row as { json: string }).json) as unknown);
      return {
        maps: json("SELECT json FROM maps") as readonly PhaseMap[],
        live: json("SELECT json FROM tasks WHERE picked = 1 AND busy = 1").map((kept) => rowOf(kept as Seed)),
        others: all("SELECT id, status FROM tasks WHERE NOT (picked = 1 AND busy = 1)") as Glance["others"],
      };
    } finally {
      database.close();
    }
  } catch {
    return NOTHING_SEEN; // held by a migration, broken, of another format: a completion says no error
  }
}

function taken(rows: Iterable<unknown>, end: number): readonly unknown[] {
  const seen: unknown[] = [];
  for (const row of rows) {
    if (performance.now() > end) break;
    seen.push(row);
  }
  return seen;
}
