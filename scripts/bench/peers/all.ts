import { bullmqJobs, bullmqSteps } from "./bullmq.ts";
import { dbos } from "./dbos.ts";
import { graphileWorker } from "./graphile-worker.ts";
import { pawlOnPostgres, pawlOnSqlite } from "./pawl.ts";
import type { Peer } from "./peer.ts";
import { pgBoss, pgBossBatches } from "./pg-boss.ts";

/** Who is measured, Pawl first: the others are compared with that one. */
export const SIDES: readonly Peer[] = [
  pawlOnSqlite,
  pawlOnPostgres,
  bullmqJobs,
  bullmqSteps,
  pgBoss,
  pgBossBatches,
  graphileWorker,
  dbos,
];
