import type { Fact } from "../../../domain/fact.ts";
import type { Store, Tick } from "../../../ports/store.ts";
import { isBusy } from "../place.ts";
import { rowJson } from "../row-json.ts";
import { isSequence, newest, together } from "../together.ts";
import type { Leasing } from "./lease.ts";
import type { Link } from "./link.ts";
import { inDoubt, isLost } from "./server-error.ts";

/** What the server says to a tick. `again`: a tick of that number and epoch is in the store. */
type Said = "ok" | "again" | "lost" | "gap";

/**
 * Writes ticks whole, fenced by epoch, lease and seq in the one statement that writes them: one transaction, one journey.
 * A commit whose answer was lost is asked again on a new connection while the lease lasts; it is known by its number and
 * epoch, so it is never written twice. Throws STORE_DOUBT where that time is over first.
 */
export const committing =
  (link: Link, leasing: Leasing): Store["commit"] =>
  async (epoch, ...ticks) => {
    const lost = leasing.lost(epoch);
    if (lost === null || !leasing.holds(epoch) || !isSequence(ticks)) return "fenced";
    let tries = 0;
    const trying = (n: number): void => {
      tries = n;
    };
    const patience = { ms: Number.POSITIVE_INFINITY, until: lost, trying };
    try {
      const values = together(ticks).flatMap((tick) => valuesOf(epoch, tick));
      const [row] = await link.ask<{ readonly said: Said }>(commitText(link.schema, ticks.length), values, patience);
      const { said } = row!;
      if (said === "ok" || (said === "again" && tries > 1)) return "ok";
      if (said === "lost") leasing.lose();
      if (tries > 1) throw inDoubt(link.shown, ticks[0]!.seq, new Error(`the second answer was "${said}"`));
      return "fenced";
    } catch (error) {
      if (isTorn(error)) {
        leasing.lose();
        return "fenced";
      }
      throw isLost(error) ? inDoubt(link.shown, ticks[0]!.seq, error) : error;
    }
  };

/**
 * One tick, or several of which none is written without the others: each is written when the one before it was. `again`
 * of several: the last one is in the store, by this epoch. The first two parameters of each are its epoch and its number.
 */
function commitText(schema: string, ticks: number): string {
  const call = (n: number) =>
    `${schema}.commit_tick(${Array.from({ length: WIDTH }, (_, i) => `$${n * WIDTH + i + 1}`)})`;
  if (ticks === 1) return `SELECT ${call(0)} AS said`;
  const rest = Array.from({ length: ticks - 1 }, (_, n) => call(n + 1));
  const all = rest.reduceRight((then, each) => `CASE ${each} WHEN 'ok' THEN ${then} ELSE ${TORN} END`, "'ok'");
  const last = (ticks - 1) * WIDTH;
  const newest = `(SELECT t.seq = $${last + 2} AND t.epoch = $${last + 1} FROM ${schema}.ticks t ORDER BY t.seq DESC LIMIT 1)`;
  return `SELECT CASE ${call(0)} WHEN 'ok' THEN ${all} WHEN 'lost' THEN 'lost'
    ELSE CASE WHEN ${newest} THEN 'again' ELSE 'gap' END END AS said`;
}
const WIDTH = 21;

/** Takes back the whole statement: the lease ended between one tick and the next. */
const TORN = "CAST('the lease ended' || clock_timestamp() AS int)::text";
const isTorn = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "22P02" && error.message.includes("the lease ended");

/** In the order of the function's parameters (see schema.ts): a list for each column of each kind of row. */
function valuesOf(epoch: number, tick: Tick): readonly unknown[] {
  const seeds = newest(tick.seeds); // one statement may touch a row once
  const rows = newest(tick.rows);
  const answers = firstAnswers(tick.facts);
  return [
    ...[epoch, tick.seq, tick.now, tick.build, JSON.stringify(tick.inputs), JSON.stringify(tick.facts)],
    tick.backlog && JSON.stringify(tick.backlog),
    ...[[...tick.blobs.keys()], [...tick.blobs.values()]],
    ...[tick.maps.map(({ hash }) => hash), tick.maps.map((map) => JSON.stringify(map))],
    ...[seeds.map(({ id }) => id), seeds.map((seed) => JSON.stringify(seed))],
    ...[rows.map(({ id }) => id), rows.map(isBusy), rows.map(({ status }) => status), rows.map(({ synced }) => synced)],
    ...[rows.map(({ merged }) => merged), rows.map(rowJson)],
    ...[answers.map(({ id }) => id), answers.map(({ accepted, reply }) => JSON.stringify({ accepted, reply }))],
  ];
}

type Answer = Extract<Fact, { kind: "command-answered" }>;

/** Of two answers to one request the first counts. */
function firstAnswers(facts: readonly Fact[]): readonly Answer[] {
  const answers = facts.filter((fact): fact is Answer => fact.kind === "command-answered");
  return newest([...answers].reverse());
}
