import type { Fact } from "../../domain/fact.ts";
import { idKey } from "../../domain/names.ts";
import type { Task } from "../../domain/task.ts";
import type { Store, Tick } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { toLog } from "./log-text.ts";
import { isBusy } from "./place.ts";
import { rowJson } from "./row-json.ts";
import type { Leasing } from "./sqlite-lease.ts";
import { isSequence, together } from "./together.ts";

/** Writes ticks whole and all of them, fenced by epoch, lease and seq inside the transaction that writes it. */
export const committing =
  (connection: Connection, leasing: Leasing): Store["commit"] =>
  async (epoch, ...ticks) => {
    if (!leasing.holds(epoch)) return "fenced";
    connection.guard(connection.mustBeThere);
    return connection.writing(() => {
      const last = lastOf(connection);
      if (last.epoch !== epoch) {
        leasing.lose();
        return "fenced";
      }
      if (ticks[0]?.seq !== last.seq + 1 || !isSequence(ticks)) return "fenced";
      for (const tick of together(ticks)) write(connection, epoch, tick);
      return "ok";
    });
  };

const lastOf = (connection: Connection): { epoch: number; seq: number } =>
  connection
    .sql("SELECT (SELECT max(epoch) FROM holders) AS epoch, coalesce((SELECT max(seq) FROM ticks), 0) AS seq")
    .get() as { epoch: number; seq: number };

function write({ sql }: Connection, epoch: number, tick: Tick): void {
  sql("INSERT INTO ticks VALUES (?, ?, ?, ?, ?, ?)").run(
    tick.seq,
    tick.now,
    epoch,
    tick.build,
    toLog(tick.inputs),
    toLog(tick.facts),
  );
  for (const [hash, bytes] of tick.blobs) sql("INSERT OR IGNORE INTO blobs VALUES (?, ?)").run(hash, bytes);
  for (const map of tick.maps) sql("INSERT OR IGNORE INTO maps VALUES (?, ?)").run(map.hash, JSON.stringify(map));
  for (const seed of tick.seeds) sql(SEED).run(seed.id, JSON.stringify(seed), idKey(seed.id));
  for (const task of tick.rows) writeRow(sql, task);
  if (tick.backlog) sql("INSERT OR REPLACE INTO backlog VALUES (1, ?)").run(JSON.stringify(tick.backlog));
  for (const fact of tick.facts) if (isAnswer(fact)) sql(ANSWER).run(Number(fact.accepted), fact.reply, fact.id);
}

// A picked-up row is never overwritten by what the task was before.
const SEED = `INSERT INTO tasks VALUES (?, 0, 0, 'not-started', 0, NULL, ?, ?)
  ON CONFLICT (id) DO UPDATE SET json = excluded.json WHERE picked = 0`;
// An answer is given once: the first one stays.
const ANSWER = "UPDATE requests SET accepted = ?, reply = ? WHERE id = ? AND accepted IS NULL";

function writeRow(sql: Connection["sql"], task: Task): void {
  const json = rowJson(task);
  const place = [Number(isBusy(task)), task.status, Number(task.synced), task.merged] as const;
  // Most rows stay in their place: then no page of the index is touched, and the commit writes one page less.
  if (sql(SAME_PLACE).run(json, task.id, ...place).changes) return;
  sql(ROW).run(task.id, ...place, json, idKey(task.id));
}
const SAME_PLACE = `UPDATE tasks SET json = ?
  WHERE id = ? AND picked = 1 AND busy = ? AND status = ? AND synced = ? AND merged IS ?`;
const ROW = `INSERT INTO tasks VALUES (?, 1, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
  picked = 1, busy = excluded.busy, status = excluded.status, synced = excluded.synced,
  merged = excluded.merged, json = excluded.json`;

const isAnswer = (fact: Fact): fact is Extract<Fact, { kind: "command-answered" }> => fact.kind === "command-answered";
