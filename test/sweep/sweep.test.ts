import { expect, test } from "vitest";
import { EACH } from "./backlog.ts";
import { type Listing, somePoints } from "./point.ts";
import { repeatOf } from "./summary.ts";
import { sweep } from "./sweep.ts";

const SEED = Number(process.env.PAWL_SEED ?? 1);
const POINTS = 30;
const KINDS = [
  "clean-up",
  "deliver",
  "land",
  "mark-ready",
  "notify",
  "open-pr",
  "prepare-merge",
  "publish",
  "reap",
  "spawn",
  "stop",
];

/** `npm run crash-sweep` has every point, on the demo's backlog. */
test(`killed at ${POINTS} points and started again, nothing is lost and nothing done twice (seed ${SEED})`, async () => {
  let listing: Listing = { effects: [], commits: 0, written: 0, requests: [] };
  const trials = await sweep({
    backlog: EACH,
    seed: SEED,
    atOnce: 4,
    chain: 4,
    deadlineMs: 60_000,
    choose: (found) => somePoints(found, { count: POINTS, seed: SEED }),
    began: (_, found) => {
      listing = found;
    },
  });
  expect(trials.flatMap(({ points }) => points)).toHaveLength(POINTS);
  expect([...new Set(listing.effects.map(({ kind }) => kind))].sort()).toEqual(KINDS);
  const killed = new Set(trials.flatMap(({ met }) => met).map((point) => point.replace(/@.*/, "")));
  const met = new Set(listing.effects.filter(({ key }) => killed.has(key)).map(({ kind }) => kind));
  expect([...met].sort()).toEqual(KINDS);
  const faults = trials.flatMap(({ points, comparison, folder }) =>
    comparison.faults.map(
      ({ kind, text }) => `${kind}: ${text} (${folder}; ${repeatOf(points, { seed: SEED, backlog: EACH.name })})`,
    ),
  );
  expect(faults).toEqual([]);
}, 600_000);
