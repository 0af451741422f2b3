import type { Fact } from "../../../domain/fact.ts";
import type { Store, Tick } from "../../../ports/store.ts";
import { isBusy } from "../place.ts";
import { rowJson } from "../row-json.ts";
import type { Leasing } from "./lease.ts";
import type { Link } from "./link.ts";
import { inDoubt, isLost } from "./server-error.ts";

/** What the server says to a tick. `again`: a tick of that number and epoch is in the store. */
type Said = "ok" | "again" | "lost" | "gap";

/**
 * Writes a tick whole, fenced by epoch, lease and seq in the one statement that writes it: one transaction, one journey.
 * A commit whose answer was lost is asked again on a new connection while the lease lasts; it is known by its number and
 * epoch, so it is never written twice. Throws STORE_DOUBT where that time is over first.
 */
export const committing =
  (link: Link, leasing: Leasing): Store["commit"] =>
  async (epoch, tick) => {
    const lost = leasing.lost(epoch);
    if (lost === null || !leasing.holds(epoch)) return "fenced";
    let tries = 0;
    const trying = (n: number): void => {
      tries = n;
    };
    const patience = { ms: Number.POSITIVE_INFINITY, until: lost, trying };
    try {
      const [row] = await link.ask<{ readonly said: Said }>(commitText(link.schema), valuesOf(epoch, tick), patience);
      const { said } = row!;
      if (said === "ok" || (said === "again" && tries > 1)) return "ok";
      if (said === "lost") leasing.lose();
      if (tries > 1) throw inDoubt(link.shown, tick.seq, new Error(`the second answer was "${said}"`));
      return "fenced";
    } catch (error) {
      throw isLost(error) ? inDoubt(link.shown, tick.seq, error) : error;
    }
  };

const commitText = (schema: string): string =>
  `SELECT ${schema}.commit_tick(${Array.from({ length: 21 }, (_, i) => `$${i + 1}`).join(", ")}) AS said`;

/** In the order of the function's parameters (see schema.ts): a list for each column of each kind of row. */
function valuesOf(epoch: number, tick: Tick): readonly unknown[] {
  const seeds = newest(tick.seeds);
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

/** One statement may touch a row once. */
const newest = <T extends { readonly id: string }>(rows: readonly T[]): readonly T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

type Answer = Extract<Fact, { kind: "command-answered" }>;

/** Of two answers to one request the first counts. */
function firstAnswers(facts: readonly Fact[]): readonly Answer[] {
  const answers = facts.filter((fact): fact is Answer => fact.kind === "command-answered");
  return newest([...answers].reverse());
}
