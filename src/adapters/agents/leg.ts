import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SpawnWish } from "../../domain/intent.ts";
import { type LegKey, legKey, type Ms, parseLeg } from "../../domain/names.ts";
import type { StopWhy } from "../../domain/task.ts";
import type { Brief, CommandLine } from "../../ports/runtime.ts";
import type { Identity } from "../../ports/system.ts";
import type { OutputRead } from "../../protocol/output-format.ts";
import { findRunFolder, LEG_FILES, RUN_FILES, runFolderName } from "../../protocol/run-folder.ts";
import { readRecord } from "./files.ts";

/** drive.json: what the driver is to do and what the end is read by. Written before the driver starts, then never again. */
export interface Drive {
  readonly wish: SpawnWish;
  readonly title: string;
  readonly worktree: string;
  /** git's own folder of that worktree */
  readonly gitDir: string;
  readonly program: Brief["program"];
  readonly setup: CommandLine | null;
  /** names of environment variables that are passed on */
  readonly env: readonly string[];
  /** folder that holds `pawl`, put first in PATH */
  readonly bin: string;
  readonly authorized: readonly string[];
  readonly protect: readonly string[];
  /** paths whose change a person waived, or made on this branch */
  readonly waived: readonly string[];
  /** the base as git names it in the worktree: origin's where origin is on this machine */
  readonly baseRef: string;
  readonly logBytes: number;
}

/** claim.json: who drives this leg, and whom. */
export interface Claim {
  readonly leg: LegKey;
  readonly driver: Identity;
  /** the program (or the setup before it); null: not started yet */
  readonly agent: Identity | null;
  /** ms since 1970 */
  readonly at: number;
  /** files that an earlier leg left in the run folder: who finds the same one has not heard from this leg */
  readonly before: {
    readonly verdict: string | null;
    readonly usage: string | null;
    /** submissions that the run had made when this leg began; absent: none */
    readonly submitted?: number;
  };
}

/** ended.json: written when nothing of the leg lives any more. */
export interface Ended {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly ending: "exit" | "timeout" | "stalled" | "stopped" | "spawn-failed" | "setup-failed";
  /** why it was ended, in words; a StopWhy where it was stopped */
  readonly why: string | null;
  /** the end of its output */
  readonly tail: string;
  /** what was read of its output, where its format is declared */
  readonly said?: OutputRead;
  readonly started_at: string;
  readonly ended_at: string;
  readonly wall_ms: Ms;
  /** of it, what it waited for answers; absent: nothing */
  readonly gate_ms?: Ms;
  readonly log_bytes: number;
  /** bytes of output that were not kept in the log */
  readonly log_cut: number;
  /** the disk of the run folder was full when it ended: a verdict may not have found room either; absent: it was not */
  readonly disk_full?: true;
}

/** stop.json */
export interface StopRequest {
  readonly why: StopWhy;
}

/** The environment variable that marks a driver, as PAWL_LEG_DIR marks what it drives. */
export const DRIVER_ENV = "PAWL_DRIVER";
/** Its value: another project on this machine has the same keys, and its processes are not ours. */
export const driverMark = (state: string, leg: LegKey): string => `${state} ${leg}`;

/** Where a leg's files lie. */
export interface LegPlace {
  readonly leg: LegKey;
  readonly run: string;
  readonly folder: string;
}

/** The place of a leg whose phase is known. */
export function legPlace(state: string, leg: LegKey, phase: string): LegPlace {
  return place(join(state, "runs", parseLeg(leg).task), runFolderName(leg, phase), leg);
}

/** The place of a leg that was spawned once; null: there is no run folder of it here. */
export function findLeg(state: string, leg: LegKey): LegPlace | null {
  const task = join(state, "runs", parseLeg(leg).task);
  const name = findRunFolder(names(task), leg);
  return name === null ? null : place(task, name, leg);
}

const place = (task: string, name: string, leg: LegKey): LegPlace => {
  const run = join(task, name);
  return { leg, run, folder: join(run, `leg-${parseLeg(leg).leg}`) };
};

export function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export const readDrive = (at: LegPlace): Drive | null => readRecord<Drive>(join(at.folder, LEG_FILES.drive));
export const readClaim = (at: LegPlace): Claim | null => readRecord<Claim>(join(at.folder, LEG_FILES.claim));
export const readEnded = (at: LegPlace): Ended | null => readRecord<Ended>(join(at.folder, LEG_FILES.ended));
export const readStop = (at: LegPlace): StopRequest | null => readRecord<StopRequest>(join(at.folder, LEG_FILES.stop));

/** The legs of the same run up to this one, the first first. */
export const legsUpTo = (at: LegPlace): readonly LegPlace[] => {
  const { run, leg } = parseLeg(at.leg);
  return Array.from({ length: leg }, (_, i) => ({
    leg: legKey(run, i + 1),
    run: at.run,
    folder: join(at.run, `leg-${i + 1}`),
  }));
};

/** Tells one content of a file from the next, without reading it; null: no file. Replaced files differ in their inode. */
export function fileMark(path: string): string | null {
  try {
    const stat = statSync(path, { bigint: true });
    return `${stat.ino}:${stat.mtimeNs}:${stat.size}`;
  } catch {
    return null;
  }
}

/** Path of a file in the run folder if this leg wrote it, and not one before it; null: it did not. */
export function writtenBy(at: LegPlace, claim: Claim | null, file: "verdict" | "usage"): string | null {
  const path = join(at.run, RUN_FILES[file]);
  const mark = fileMark(path);
  return mark === null || mark === (claim?.before[file] ?? null) ? null : path;
}
