// npm run bench:processor: what a step costs. 2,000 tasks x 4 phases through the shipped engine on SQLite with
// synchronous=FULL, workers in memory, 16 in flight; beside it what one stream of 4 KiB appends with fsync makes here.
// -- --store postgres: the same on a server of its own (fsync on, on the same disk, over its socket), or on the one of
// PAWL_TEST_DATABASE_URL.
// -- --peers [--rounds 5] [--tasks 2000] [--peer-tasks 500]: in turns with BullMQ, pg-boss, graphile-worker and DBOS,
// which it installs into a cache folder of the user; needs Debian's postgresql and redis-server.
// -- --size [--tasks 100000]: what a large backlog costs at a start, in a tick, in memory, and in `pawl status`.
import { parseArgs } from "node:util";
import { benchPeers } from "./peers/main.ts";
import { benchSize } from "./size/main.ts";
import { benchStep } from "./step.ts";

const { values: flags } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    peers: { type: "boolean", default: false },
    size: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    tasks: { type: "string" },
    "peer-tasks": { type: "string", default: "500" },
  },
});
if (flags.store !== "sqlite" && flags.store !== "postgres")
  throw new Error(`no store is called ${flags.store}: sqlite, postgres`);

const tasks = Number(flags.tasks ?? process.env.PAWL_BENCH_TASKS ?? 2_000);
const inFlight = 16;
if (flags.peers)
  await benchPeers({ rounds: Number(flags.rounds), tasks, peerTasks: Number(flags["peer-tasks"]), inFlight });
else if (flags.size) await benchSize(Number(flags.tasks ?? 100_000));
else await benchStep({ store: flags.store, tasks, inFlight });
