import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readRecord } from "../../adapters/agents/files.ts";
import type { Claim } from "../../adapters/agents/leg.ts";
import { systemProcesses } from "../../adapters/system/processes.ts";
import type { LegKey } from "../../domain/names.ts";
import type { Identity } from "../../ports/system.ts";
import type { Progress } from "../../protocol/progress.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import type { Stage } from "./stage.ts";

/** A worker whose process lives. */
export interface LiveWorker {
  readonly leg: LegKey;
  readonly pid: number;
  readonly driver: Identity;
  readonly progress: Progress | null;
  /** its run folder */
  readonly folder: string;
}

const processes = systemProcesses();

/** The workers of this stage that live now, found by what their drivers claimed. */
export async function liveWorkers({ shop }: Stage): Promise<readonly LiveWorker[]> {
  const found: LiveWorker[] = [];
  for (const leg of legFolders(join(shop, ".pawl", "runs"))) {
    const claim = readRecord<Claim>(join(leg, LEG_FILES.claim));
    if (claim === null || existsSync(join(leg, LEG_FILES.ended))) continue;
    if ((await processes.lives(claim.driver)) !== "alive") continue;
    const folder = dirname(leg);
    const progress = readRecord<Progress>(join(folder, RUN_FILES.progress));
    found.push({ leg: claim.leg, pid: claim.agent?.pid ?? claim.driver.pid, driver: claim.driver, progress, folder });
  }
  return found;
}

function legFolders(runs: string): readonly string[] {
  if (!existsSync(runs)) return [];
  return readdirSync(runs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^leg-\d+$/.test(basename(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Ends what still works here, as it would be ended by Pawl: its driver is asked, and takes the whole group along. */
export async function endWorkers(stage: Stage): Promise<void> {
  for (const { driver } of await liveWorkers(stage)) await processes.signal(driver, "SIGTERM", "process");
  if ((await leftIn(stage, 8_000)).length === 0) return;
  for (const who of await processes.within(stage.root)) await processes.signal(who, "SIGKILL", "process");
}

/** Processes that still work in the folder of this demo after `patienceMs` (Linux only; elsewhere the drivers that live). */
export async function leftIn(stage: Stage, patienceMs: number): Promise<readonly number[]> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const left = [...(await processes.within(stage.root)), ...(await liveWorkers(stage)).map(({ driver }) => driver)];
    if (left.length === 0 || performance.now() > end) return left.map(({ pid }) => pid);
    await pause(50);
  }
}
