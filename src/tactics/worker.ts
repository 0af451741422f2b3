import { PawlError } from "../domain/errors.ts";
import type { Instant } from "../domain/names.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { Model } from "../ports/model.ts";
import type { RunFolder } from "../ports/run-folder.ts";
import type { Tool } from "../ports/tool.ts";
import type { Assignment } from "../protocol/assignment.ts";
import { missingFields } from "../protocol/completeness.ts";
import type { Look, WorkerLimits } from "./action.ts";
import { type Desk, openDesk } from "./desk.ts";
import type { Materials } from "./materials.ts";
import { next } from "./next.ts";
import { takeOrders } from "./orders.ts";
import { perform } from "./perform.ts";
import { type Projector, projector } from "./project.ts";
import type { Asked } from "./record.ts";
import type { Owner, Tree, WorkerHands } from "./worker-hands.ts";
import type { WorkerState } from "./worker-state.ts";

export interface WorkerParts {
  readonly models: Readonly<Record<Asked, Model>>;
  /** by the specification's names */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly hands: WorkerHands;
  readonly owner: Owner;
  readonly tree: Tree;
  readonly journal: Journal;
  /** the run folder, and the folder of run logs */
  readonly folder: RunFolder;
  readonly logs: RunFolder;
  readonly clock: Clock;
  readonly materials: Materials;
  readonly limits: WorkerLimits;
  /** a new run's number: "r-" and a uuid */
  readonly runId: string;
  readonly leg: string;
  /** told of the desk before anything is done: for parts that look at the state */
  readonly atDesk?: (desk: Desk) => void;
  /** one line for a person: how it goes */
  readonly say: (line: string) => void;
}

/** How a worker's process ends. parked: the owner has not answered. waiting: a provider is to be asked again later. */
export type WorkerEnd =
  | { readonly how: "finished"; readonly verdict: "PASS" | "FAIL" | "BLOCKED" | "NO_CHANGE"; readonly detail: string }
  | { readonly how: "parked"; readonly seq: number }
  | {
      readonly how: "waiting";
      /** of the error that says so */
      readonly code: string;
      readonly until: Instant | null;
      readonly why: string;
    }
  | { readonly how: "stopped" };

/**
 * Carries out an assignment from wherever its journal is, to its end or to a gate (agent-runner.md). Killed at any
 * instant and called again, it goes on: what came next is computed from the journal, and nothing else is remembered.
 * Throws ASSIGNMENT_INCOMPLETE with every field in `data.missing` before any work; what models cannot pass over.
 */
export async function work(assignment: Assignment, parts: WorkerParts, signal: AbortSignal): Promise<WorkerEnd> {
  refuseIncomplete(assignment);
  const desk = openDesk(parts.journal, parts.clock);
  parts.atDesk?.(desk);
  const { torn } = parts.journal;
  if (torn > 0) parts.say(`note: the journal's last line was cut off (${torn} bytes); it is kept beside it`);
  if (desk.unread > 0) parts.say(`note: ${desk.unread} lines of the journal cannot be read, and count for nothing`);
  await begin(assignment, desk, parts);
  const projected = projector(desk, parts);
  try {
    return await loop(desk, parts, projected, signal);
  } finally {
    projected.close();
  }
}

async function loop(desk: Desk, parts: WorkerParts, projected: Projector, signal: AbortSignal): Promise<WorkerEnd> {
  const look = (): Look => ({ now: desk.now, limits: parts.limits, tools: toolNames });
  const toolNames = new Set(parts.tools.keys());
  for (;;) {
    projected.update();
    if (signal.aborted) return { how: "stopped" };
    await takeOrders(desk, parts.folder);
    const action = next(desk.state!, look());
    if (action.do === "stop") return { how: "finished", ...pick(desk) };
    const end = await perform(action, { desk, parts, signal, heard: projected.heard });
    if (end) return end;
  }
}

const pick = ({ state }: Desk) => ({ verdict: state!.finished!.verdict, detail: state!.finished!.detail });

async function begin(assignment: Assignment, desk: Desk, parts: WorkerParts): Promise<void> {
  const { hands, models, runId } = parts;
  if (desk.state) return resume(desk.state, desk, parts);
  const ids = { planner: models.planner.id, executor: models.executor.id, compaction: models.compaction.id };
  const run_log = runLogName(desk.now, assignment.task_id, runId);
  await desk.note({ r: "began", assignment, head: await hands.head(), models: ids, run_id: runId, run_log });
}

/** A worktree may have been put back, or deleted and made anew, while nobody worked: what it loses by that has to be known. */
async function resume(state: WorkerState, desk: Desk, { hands, leg, say }: WorkerParts): Promise<void> {
  const { uncommitted, head } = state;
  // where a crash hid a commit, HEAD has moved, and they are in it
  const isHeadOurs = uncommitted.length > 0 && (await hands.head()) === head;
  const lost = isHeadOurs ? await hands.asCommitted(uncommitted) : [];
  if (lost.length > 0) say(`lost      ${lost.join(", ")}: edited since the last commit, and not there any more`);
  await desk.note({ r: "resumed", leg, ...(lost.length > 0 ? { lost } : {}) });
}

/** Throws ASSIGNMENT_INCOMPLETE where one of the required fields is missing, empty or of another form. */
export function refuseIncomplete(assignment: Assignment): void {
  const missing = missingFields(assignment);
  if (missing.length === 0) return;
  throw new PawlError("ASSIGNMENT_INCOMPLETE", `the assignment lacks ${missing.join(", ")}`, {
    next: "give each of them in the task file; nothing was started.",
    data: { missing },
  });
}

/** `{HHMMSS-YYYYMMDD-task_id-uuid}.json` (executive-worker.md 4.1), in UTC. */
function runLogName(now: Instant, task: string, runId: string): string {
  const [, y, mo, d, h, mi, s] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)/.exec(new Date(now).toISOString())!;
  return `${h}${mi}${s}-${y}${mo}${d}-${task}-${runId.replace(/^r-/, "")}.json`;
}
