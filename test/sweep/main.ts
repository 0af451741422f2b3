import { parseArgs } from "node:util";
import { startCluster } from "../support/cluster.ts";
import { BACKLOGS, type Backlog, type ForgeKind } from "./backlog.ts";
import { allPoints, insidePoints, type Listing, nameOf, type Point, somePoints } from "./point.ts";
import { newStores } from "./server.ts";
import { repeatOf, summaryOf } from "./summary.ts";
import { sweep } from "./sweep.ts";

// npm run crash-sweep -- [--shard I/N] [--seed S] [--only POINT,…] [--points N] [--backlog full|conflict|gates|small|each|tiny] [--inside] [--chain N] [--at-once N] [--store sqlite|postgres] [--forge local|github|gitlab] [--kinds http,effect,…]
const { values } = parseArgs({
  options: {
    shard: { type: "string", default: "1/1" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    points: { type: "string" },
    backlog: { type: "string", default: "full" },
    chain: { type: "string", default: "1" },
    inside: { type: "boolean", default: false },
    "at-once": { type: "string", default: "2" },
    store: { type: "string", default: "sqlite" },
    forge: { type: "string", default: "local" },
    kinds: { type: "string" },
    deadline: { type: "string", default: "90" },
  },
});
const backlog = BACKLOGS[values.backlog as Backlog["name"]];
if (backlog === undefined)
  throw new Error(`no backlog is called ${values.backlog}: ${Object.keys(BACKLOGS).join(", ")}`);
const seed = Number(values.seed);
const [shard = 1, shards = 1] = values.shard.split("/").map(Number);

/** `--only task-3/1/spawn` names every point that begins so; a whole name is that point alone. */
const isNamed = (point: Point, names: readonly string[]): boolean =>
  names.some((name) => nameOf(point) === name || (!name.includes("@") && nameOf(point).startsWith(`${name}@`)));

function choose(listing: Listing): readonly Point[] {
  if (values.only)
    return [...allPoints(listing), ...insidePoints(listing)].filter((point) => isNamed(point, values.only!.split(",")));
  const all = values.points
    ? somePoints(listing, { count: Number(values.points), seed })
    : values.inside
      ? insidePoints(listing)
      : allPoints(listing);
  const kinds = values.kinds?.split(",");
  return all.filter(({ kind }) => kinds?.includes(kind) ?? true).filter((_, at) => at % shards === shard - 1);
}

const { store } = values;
const forge = values.forge as ForgeKind;
if (!["local", "github", "gitlab"].includes(forge))
  throw new Error(`no forge is called ${forge}: local, github, gitlab`);
const which = { seed, backlog: backlog.name, store, forge };
if (store !== "sqlite" && store !== "postgres") throw new Error(`no store is called ${store}: sqlite, postgres`);
const cluster = store === "postgres" ? await startCluster() : null;
const start = performance.now();
let done = 0;
let total = 0;
const trials = await sweep({
  backlog,
  forge,
  ...(cluster ? { newStore: newStores(cluster) } : {}),
  seed,
  atOnce: Number(values["at-once"]),
  chain: Number(values.chain),
  deadlineMs: Number(values.deadline) * 1_000,
  choose,
  began(clean, { effects, commits, written, requests }, points) {
    total = points.length;
    const what = `${effects.length} effects, ${commits} commits, ${written} writes of git, ${requests.length} requests`;
    console.log(`clean run: ${what}, ${clean.ms} ms; ${total} points, seed ${seed}`);
  },
  told(trial) {
    done += trial.points.length;
    const { faults } = trial.comparison;
    const missed = trial.points.length - trial.met.length;
    const what = faults.length > 0 ? "FAULT" : missed === 0 ? "ok" : `${missed} not met`;
    console.log(`${done}/${total} ${trial.points.join(" ")} ${what} ${trial.ms} ms`);
    for (const { kind, text } of faults) console.log(`   ${kind}: ${text}`);
    if (faults.length > 0) console.log(`   its folder: ${trial.folder}\n   again: ${repeatOf(trial.points, which)}`);
  },
}).finally(() => cluster?.remove());
console.log(summaryOf(trials, { ...which, ms: performance.now() - start }));
process.exitCode = trials.some(({ comparison }) => comparison.faults.length > 0) ? 1 : 0;
