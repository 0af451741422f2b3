import { expect, test } from "vitest";
import { long } from "../support/long.ts";
import { TINY } from "./backlog.ts";
import type { FarKind } from "./far/forge.ts";
import type { HttpMoment } from "./far/gate.ts";
import type { Listing, Point } from "./point.ts";
import { repeatOf } from "./summary.ts";
import { sweep } from "./sweep.ts";

const SEED = Number(process.env.PAWL_SEED ?? 1);
/** In the order of its writes: the push, the pull request, ready, the merge onto a tip that has moved, and what is said of it. */
const MOMENTS: readonly HttpMoment[] = ["late", "after", "cut", "after", "before"];

const atEachWrite = ({ requests }: Listing): readonly Point[] =>
  requests
    .filter(({ isWrite }) => isWrite)
    .map(({ key }, at) => ({ kind: "http", key, moment: MOMENTS[at % MOMENTS.length]! }));

async function sweepAt(forge: FarKind): Promise<void> {
  const did: string[] = [];
  const trials = await sweep({
    backlog: TINY,
    forge,
    seed: SEED,
    atOnce: 2,
    chain: 3,
    deadlineMs: 60_000,
    choose: atEachWrite,
    began: (clean) => void did.push(...clean.end.far!.did),
  });
  const branch = "pawl/task-9";
  expect(did).toEqual(["opened", "ready", "merged", "commented"].map((what) => `${what} ${branch}`));
  expect(trials.flatMap(({ points }) => points)).toHaveLength(MOMENTS.length);
  expect(trials.map(({ met }) => [...met].sort())).toEqual(trials.map(({ points }) => [...points].sort()));
  const which = { seed: SEED, backlog: TINY.name, forge };
  const faults = trials.flatMap(({ points, comparison, folder }) =>
    comparison.faults.map(({ kind, text }) => `${kind}: ${text} (${folder}; ${repeatOf(points, which)})`),
  );
  expect(faults).toEqual([]);
}

/** `npm run crash-sweep -- --forge github` has every point, on the demo's backlog. */
test(
  `killed, or cut off, at each write to GitHub, nothing is lost and nothing done twice (seed ${SEED})`,
  () => sweepAt("github"),
  600_000,
);

long(
  `killed, or cut off, at each write to GitLab, nothing is lost and nothing done twice (seed ${SEED})`,
  () => sweepAt("gitlab"),
  600_000,
);
