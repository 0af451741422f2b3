import { compareIds, type Instant, idKey, type Ms, type TaskId } from "../../../domain/names.ts";
import { isJudged, merges, phaseOf } from "../../../domain/phase.ts";
import { isTerminal, type Task } from "../../../domain/task.ts";
import type { World } from "../../../domain/world.ts";
import type { Posted } from "../../../ports/inbox.ts";
import type { Holder } from "../../../ports/store.ts";
import type { Palette } from "../palette.ts";
import { oneLine } from "../printable.ts";
import { type Marks, marksOf } from "./marks.ts";
import type { Face } from "./times.ts";

/** What the run folder of a live leg says of it. */
export interface Sight {
  /** of the worker; null: not known */
  readonly pid: number | null;
  /** newest of output and progress; null: none yet */
  readonly lastSign: Instant | null;
  /** what it said of itself; null: nothing (that could be read) */
  readonly progress: { readonly status: string; readonly percent: number; readonly activity: string } | null;
  /** its driver says that it is over: the next tick reads how */
  readonly ended: boolean;
  /** silence after which it counts as stalled; null: it may be silent as long as it likes */
  readonly stallMs?: Ms | null;
}

/** All that a view may see: a state of the store, who ticks, what workers say, and a clock. Views do no I/O. */
export interface Scene {
  readonly face: Face;
  readonly world: World;
  /** every task, natural order; of a large backlog those that `part` names, and what they hang on */
  readonly tasks: readonly Task[];
  /** missing: `tasks` is every task */
  readonly part?: Part;
  readonly sights: ReadonlyMap<TaskId, Sight>;
  /** null: there was none yet */
  readonly holder: Holder | null;
  /** decisions that no tick has taken yet, oldest first; default: none */
  readonly requests?: readonly Posted[];
  /** of the newest tick; null: there was none yet */
  readonly ticked: Instant | null;
}

/** What is seen of a large backlog. */
export interface Part {
  /** of every task */
  readonly counts: Readonly<Record<Task["status"], number>>;
  /** to be shown */
  readonly shown: ReadonlySet<TaskId>;
}

/** How a view is drawn: colours, characters, and how many columns there are. */
export interface Ink {
  readonly paint: Palette;
  readonly marks: Marks;
  /** where sentences are wrapped */
  readonly width: number;
  /** cells of a table are cut so that its rows fit: on a terminal; what a program or a file gets is whole */
  readonly cuts: boolean;
}
export const inkOf = (paint: Palette, width: number, { cuts } = { cuts: true }): Ink => ({
  paint,
  marks: marksOf(paint.unicode),
  width,
  cuts,
});

/** Columns that the rows of a table have. */
export const tableWidth = ({ width, cuts }: Ink): number => (cuts ? width : Number.POSITIVE_INFINITY);

/** Natural order, as work goes; each id is read once: a backlog may have a hundred thousand. */
export function inOrder(tasks: Iterable<Task>): readonly Task[] {
  const keyed = Array.from(tasks, (task) => ({ task, key: idKey(task.id) }));
  return keyed
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : compareIds(a.task.id, b.task.id)))
    .map(({ task }) => task);
}

/** The task of that id in a scene. */
export function taskIn(scene: Pick<Scene, "tasks">, id: string): Task | undefined {
  const known = byId.get(scene.tasks) ?? new Map(scene.tasks.map((task) => [task.id, task]));
  byId.set(scene.tasks, known);
  return known.get(id as TaskId);
}
const byId = new WeakMap<readonly Task[], ReadonlyMap<TaskId, Task>>();

/** A task in progress asks for a person: what `pawl approve` answers. */
export const asksPerson = (task: Task, world: World): boolean => {
  if (task.doing.kind !== "asking" || task.map === null) return false;
  const step = phaseOf(world.map(task.map), task.phase)?.step;
  return step?.run === "signal" && step.answeredBy === "human";
};

/** When the time in WAIT of its phase is over, and what then; null: it has no bound. */
export function patience(
  task: Task,
  world: World,
): { readonly timeoutMs: Ms; readonly escalate: string | null } | null {
  const phase = task.map === null ? null : phaseOf(world.map(task.map), task.phase);
  return phase === null || phase.timeoutMs === null ? null : { timeoutMs: phase.timeoutMs, escalate: phase.escalate };
}

/** Money that a task has spent, in millionths of a dollar; null: nobody reported any. */
export const costOf = ({ ledger }: Task): number | null =>
  ledger.moneyKnown && (ledger.spent.microUsd > 0 || !ledger.unpriced) ? ledger.spent.microUsd : null;

/** Tokens that a task has spent; null: nobody reported any. */
export const tokensOf = ({ ledger }: Task): number | null => (ledger.moneyKnown ? ledger.spent.tokens : null);

/** What is done on a screen, and judged by nobody on its map: the model's own word completes it. */
export const onWord = ({ terms, map }: Task, world: World): boolean =>
  terms.environment === "device" && map !== null && !isJudged(world.map(map));

/** What proves that a task is completed, as a short text. */
export function evidenceOf(task: Task, { world }: Pick<Scene, "world">): string {
  if (task.noChange !== null)
    return task.trajectory === undefined
      ? `no change: ${oneLine(task.noChange)}`
      : `${onWord(task, world) ? "on the model's word alone: " : ""}${oneLine(task.noChange)}: ${task.trajectory}`;
  const commit = task.merged ?? task.head;
  const pr = task.pr === null ? [] : [prText(task.pr)];
  const met = task.criteria?.head === task.head ? [`${task.criteria.met} of ${task.criteria.of} criteria`] : [];
  const merge = task.map !== null && merges(world.map(task.map)) && !task.synced ? ["its base is not seen yet"] : [];
  return (
    [...(commit === null ? [] : [commit.slice(0, 7)]), ...pr, ...met, ...merge].join(", ") || oneLine(task.why ?? "")
  );
}

/** `pr 3` of the local forge; of others the address. */
export const prText = (url: string): string => {
  const local = /^pawl:\/\/pr\/(\d+)$/.exec(url);
  return local ? `pr ${local[1]}` : url;
};

/** `2 completed, 5 in-progress, 1 not-started`, in words of the specification. */
export const countsText = (tasks: readonly { readonly status: Task["status"] }[]): string => inWords(countsOf(tasks));

export function countsOf(tasks: readonly { readonly status: Task["status"] }[]): Part["counts"] {
  const counts = { "not-started": 0, "in-progress": 0, completed: 0, failed: 0 };
  for (const { status } of tasks) counts[status]++;
  return counts;
}

export const inWords = (counts: Part["counts"]): string =>
  (["completed", "failed", "in-progress", "not-started"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`)
    .join(", ");

/** Money of the backlog so far, with its bound; null where nobody reported any. */
export const spentOf = ({ world, tasks }: Pick<Scene, "world" | "tasks">): number | null =>
  world.backlog.spent.microUsd > 0 || tasks.some((task) => costOf(task) !== null) ? world.backlog.spent.microUsd : null;

/** Both, as they are shown in one place. */
export const spentBy = (task: Task) => ({ microUsd: costOf(task), tokens: tokensOf(task) });
export const spentInAll = (scene: Pick<Scene, "world" | "tasks">) => ({
  microUsd: spentOf(scene),
  tokens: tokensSpent(scene),
});

/** Tokens of the backlog so far; null where nobody reported any. */
export const tokensSpent = ({ world, tasks }: Pick<Scene, "world" | "tasks">): number | null =>
  world.backlog.spent.tokens > 0 || tasks.some((task) => tokensOf(task) !== null) ? world.backlog.spent.tokens : null;

export const isLive = (task: Task): boolean => !isTerminal(task);

/** ` 9be21f0`, or nothing */
export const headLabel = ({ head }: Task): string => (head === null ? "" : ` ${head.slice(0, 7)}`);
