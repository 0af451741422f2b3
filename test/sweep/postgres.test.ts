import { expect, it } from "vitest";
import { onPostgres } from "../support/postgres.ts";
import { TINY } from "./backlog.ts";
import { type Listing, type Point, somePoints } from "./point.ts";
import { newStores } from "./server.ts";
import { repeatOf } from "./summary.ts";
import { sweep } from "./sweep.ts";

const SEED = Number(process.env.PAWL_SEED ?? 1);
const POINTS = 2;

/** `npm run crash-sweep -- --store postgres` has every point. Here: at a commit, and inside an effect. */
function few(listing: Listing): readonly Point[] {
  const points = somePoints(listing, { count: 60, seed: SEED });
  const commits = points.filter(({ kind }) => kind === "commit");
  const effects = points.filter((point) => point.kind === "effect" && point.moment === "during");
  return [...commits.slice(0, 1), ...effects.slice(0, POINTS - 1)];
}

onPostgres("the crash sweep with its store on a server", { own: true }, (server) => {
  it(`killed at ${POINTS} points and started again, nothing is lost and nothing done twice (seed ${SEED})`, async () => {
    const which = { seed: SEED, backlog: TINY.name, store: "postgres" };
    const trials = await sweep({
      backlog: TINY,
      newStore: newStores(server.cluster),
      seed: SEED,
      atOnce: POINTS,
      chain: 1,
      deadlineMs: 60_000,
      choose: few,
    });
    expect(trials.map(({ met }) => met)).toEqual(trials.map(({ points }) => points));
    expect(trials).toHaveLength(POINTS);
    const faults = trials.flatMap(({ points, comparison, folder }) =>
      comparison.faults.map(({ kind, text }) => `${kind}: ${text} (${folder}; ${repeatOf(points, which)})`),
    );
    expect(faults).toEqual([]);
  }, 600_000);
});
