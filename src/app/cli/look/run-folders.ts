import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { livesNow } from "../../../adapters/system/processes.ts";
import { compareIds, type Instant, type LegKey, parseLeg } from "../../../domain/names.ts";
import type { Identity } from "../../../ports/system.ts";
import { findRunFolder, LEG_FILES, RUN_FILES } from "../../../protocol/run-folder.ts";
import type { Sight } from "../views/scene.ts";
import { smallRecord } from "./small-file.ts";

/** Names in a folder, natural order; none where there is no such folder. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort(compareIds);
  } catch {
    return [];
  }
}

/** What the run folder of a live leg says of it. Never throws: what cannot be read is not known. */
export function signOf(state: string, leg: LegKey): Sight {
  const { task, leg: n } = parseLeg(leg);
  const name = findRunFolder(namesIn(join(state, "runs", task)), leg);
  if (name === null) return { pid: null, lastSign: null, progress: null, ended: false };
  const run = join(state, "runs", task, name);
  const folder = join(run, `leg-${n}`);
  const progress = join(run, RUN_FILES.progress);
  const lastSign = newest([join(folder, LEG_FILES.log), progress]);
  if (existsSync(join(folder, LEG_FILES.ended)) || isDead(folder))
    return { pid: null, lastSign, progress: null, ended: true };
  return { pid: pidOf(folder), lastSign, progress: progressOf(progress), ended: false, stallMs: stallOf(folder) };
}

/** Killed together with its driver: nobody wrote its end. */
function isDead(folder: string): boolean {
  const claim = smallRecord(join(folder, LEG_FILES.claim));
  const driver = identityOf(claim?.driver);
  const agent = identityOf(claim?.agent);
  return driver !== null && livesNow(driver) === "gone" && (agent === null || livesNow(agent) === "gone");
}

function identityOf(said: unknown): Identity | null {
  const { pid, startedAt, bootId } = (said ?? {}) as Partial<Identity>;
  if (typeof pid !== "number" || typeof startedAt !== "string" || typeof bootId !== "string") return null;
  return { pid, startedAt, bootId };
}

function stallOf(folder: string): number | null {
  const program = smallRecord(join(folder, LEG_FILES.drive))?.program as { stallMs?: unknown } | undefined;
  return typeof program?.stallMs === "number" ? program.stallMs : null;
}

/** progress.json as far as it makes sense: this reader is tolerant, the protocol's own schema is not. */
export function progressOf(path: string): Sight["progress"] {
  const said = smallRecord(path);
  if (said === null || typeof said.percent !== "number" || !Number.isFinite(said.percent)) return null;
  const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 500) : "");
  return {
    status: text(said.status) || "at work",
    percent: Math.min(100, Math.max(0, said.percent)),
    activity: text(said.activity),
  };
}

function pidOf(folder: string): number | null {
  const agent = smallRecord(join(folder, LEG_FILES.claim))?.agent;
  const pid = typeof agent === "object" && agent !== null ? (agent as { pid?: unknown }).pid : null;
  return typeof pid === "number" && Number.isSafeInteger(pid) ? pid : null;
}

function newest(paths: readonly string[]): Instant | null {
  const times = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const most = Math.floor(Math.max(...times));
  return most > 0 ? (most as Instant) : null;
}
