import type { Fact, TaskFact } from "../../../domain/fact.ts";
import { isTaskFact } from "../../../domain/fact.ts";
import type { Instant, TaskId } from "../../../domain/names.ts";
import type { LoggedTick } from "../../../ports/store.ts";
import { oneLine } from "../printable.ts";
import type { Ink } from "./scene.ts";
import { exact, type Face, time } from "./times.ts";

/** One visit of a phase, as the log tells it. */
export interface Visit {
  readonly visit: number;
  readonly phase: string;
  readonly round: number;
  /** what brought the task here */
  readonly cause: string;
  readonly entered: Instant;
  /** null: it is there still */
  readonly left: Instant | null;
  /** PASS, FAIL, approved … or the outcome; null: none yet */
  readonly result: string | null;
  readonly detail: string | null;
  readonly attempts: number;
}

/** The visits of one task, folded from the log, oldest first. Pure: the ticks may come in parts, see `visitsFold`. */
export function historyOf(task: TaskId, ticks: Iterable<LoggedTick>): readonly Visit[] {
  const fold = visitsFold(task);
  for (const tick of ticks) fold.take(tick);
  return fold.visits();
}

export function visitsFold(task: TaskId): { take(tick: LoggedTick): void; visits(): readonly Visit[] } {
  const visits: Visit[] = [];
  const change = (with_: Partial<Visit>): void => {
    const last = visits.pop();
    if (last) visits.push({ ...last, ...with_ });
  };
  const enter = (fact: Extract<TaskFact, { kind: "phase-entered" }>): void => {
    const last = visits.at(-1);
    if (last && last.left === null) change({ left: fact.at, result: last.result ?? fact.cause });
    visits.push({
      visit: fact.visit,
      phase: fact.phase,
      round: fact.round,
      cause: fact.cause,
      entered: fact.at,
      left: null,
      result: null,
      detail: null,
      attempts: 0,
    });
  };
  const take = (fact: Fact): void => {
    if (!isTaskFact(fact) || fact.task !== task) return;
    if (fact.kind === "phase-entered") enter(fact);
    if (fact.kind === "worker-spawned") change({ attempts: (visits.at(-1)?.attempts ?? 0) + 1 });
    if (fact.kind === "worker-ended") change(endOf(fact));
    if (fact.kind === "worker-crashed") change({ result: "crashed", detail: fact.detail });
    if (fact.kind === "signal-answered" && fact.answer.status !== "pending")
      change({
        result: fact.answer.status,
        detail: `${fact.answer.by}${fact.answer.message ? `: ${fact.answer.message}` : ""}`,
      });
    if (fact.kind === "merge-landed")
      change({ result: fact.byHand ? "merged by hand" : "merged", detail: fact.commit });
    if (fact.kind === "task-completed" || fact.kind === "task-failed") {
      const last = visits.at(-1);
      if (last && last.left === null)
        change({ left: fact.at, result: last.result ?? (fact.kind === "task-failed" ? "failed" : "ADVANCE") });
    }
  };
  return { take: (tick) => tick.facts.forEach(take), visits: () => visits };
}

/** A verdict in its own word; what was no verdict in ours. */
function endOf({ end }: Extract<TaskFact, { kind: "worker-ended" }>): Pick<Visit, "result" | "detail"> {
  if (end.how === "verdict") return { result: end.verdict, detail: end.detail || null };
  if (end.how === "exit")
    return { result: end.code === null ? "end unknown" : `exit ${end.code}`, detail: end.detail || null };
  return { result: end.how, detail: end.detail || null };
}

/** One entry of the line `history`: `09:02 implement PASS 4m02s` */
export function visitText(
  visit: Visit,
  { face, ink, running }: { face: Face; ink: Ink; running: string | null },
): string {
  const tries = visit.attempts > 1 ? ` (${visit.attempts} attempts)` : "";
  const start = `${time(visit.entered, face)} ${visit.phase}${tries}`;
  if (visit.left === null) return `${start} ${running ?? "waiting"}`;
  const result = visit.result === null ? "" : ` ${oneLine(visit.result)}`;
  return `${start}${paintResult(result, ink)} ${exact(visit.left - visit.entered)}`;
}

function paintResult(result: string, { paint }: Ink): string {
  if (/^ (PASS|approved|merged|ADVANCE)/.test(result)) return paint.green(result);
  return /^ (FAIL|rejected|crashed|failed|BLOCKED)/.test(result) ? paint.red(result) : result;
}
