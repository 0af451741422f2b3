import type { EndingCounts } from "../../../domain/ending.ts";
import type { Instant } from "../../../domain/names.ts";
import { isTerminal, type Task } from "../../../domain/task.ts";
import { cut, oneLine } from "../printable.ts";
import { bounded, counted, money, spent } from "./amounts.ts";
import { type Cell, inColumns } from "./columns.ts";
import { endingLines, endingsOf } from "./endings.ts";
import { notedOf, notedText } from "./noted.ts";
import {
  costOf,
  countsOf,
  type Ink,
  inWords,
  type Scene,
  spentBy,
  spentInAll,
  spentOf,
  tableWidth,
  tokensOf,
  tokensSpent,
} from "./scene.ts";
import { dayOrTime, rough } from "./times.ts";
import { type Why, waitsForYou, whyOf } from "./why.ts";

/** What is shown of all tasks; neither: every task. */
export interface Filter {
  readonly waiting?: boolean;
  readonly failed?: boolean;
}

interface Row {
  readonly task: Task;
  readonly why: Why;
}

function rowsOf(scene: Scene, { waiting = false, failed = false }: Filter): readonly Row[] {
  const { part, tasks } = scene;
  const shown = part === undefined ? tasks : tasks.filter(({ id }) => part.shown.has(id));
  const rows = shown.map((task) => ({ task, why: whyOf(task, scene) }));
  if (!waiting && !failed) return rows;
  return rows.filter(({ task, why }) => (waiting && isYours(why)) || (failed && task.status === "failed"));
}

const isYours = (why: Why): boolean => waitsForYou(why) && why.status !== "failed";

/** `pawl status`: a line about all of it, a table, and what waits for you. */
export function statusLines(scene: Scene, filter: Filter, ink: Ink): readonly string[] {
  const rows = rowsOf(scene, filter);
  const yours = rows.filter(({ why }) => isYours(why)).map(({ task }) => task.id);
  return [
    headline(scene, ink),
    ...(rows.length === 0
      ? []
      : inColumns([HEAD, ...rows.map((row) => cells(row, scene, ink))], {
          right: [4, 6, 7],
          flex: [{ column: 1, least: 8 }],
          drop: [7, 6, 4, 2, 1],
          width: tableWidth(ink),
          more: ink.marks.more,
        })),
    ...restLines(scene, rows.length),
    ...(scene.tasks.length === 0 ? ['next: pawl add "TITLE", then pawl run'] : []),
    ...requestLines(scene),
    // of a part nobody knows them all
    ...(scene.part === undefined ? endingLines(scene.tasks) : []),
    ...(yours.length === 0 ? [] : [ink.paint.yellow(`waiting for you: ${yours.join(", ")}`)]),
  ];
}

/** What is not shown of a large backlog, and what shows it. */
function restLines({ part }: Scene, shown: number): readonly string[] {
  if (part === undefined) return [];
  const rest = Object.values(part.counts).reduce((sum, n) => sum + n, 0) - shown;
  return [`(${counted(rest, "more task")}; pawl status --all shows every task, --waiting and --failed those)`];
}

/** What was decided and nobody has taken yet. */
const requestLines = (scene: Scene): readonly string[] =>
  [...new Set((scene.requests ?? []).map(({ task }) => task))].map(
    (task) => `noted: ${task === null ? "" : `${task} `}${notedText(notedOf(task, scene), scene)}`,
  );

const HEAD = ["task", "title", "status", "phase", "round", "waits for", "since", "cost"];

/** `8 tasks: 2 completed, 6 in-progress · $1.84 of $50.00 · pid 4121 ticked 1s ago` */
export function headline(scene: Scene, { marks }: Pick<Ink, "marks">): string {
  const { tasks, world } = scene;
  const bound = world.backlog.limits.budget.microUsd;
  const by = scene.part?.counts ?? countsOf(tasks);
  const all = Object.values(by).reduce((sum, n) => sum + n, 0);
  const counts = all === 0 ? "0 tasks" : `${counted(all, "task")}: ${inWords(by)}`;
  return [
    counts,
    bounded(spent(spentInAll(scene), marks), bound === null ? null : money(bound, marks)),
    tickerText(scene),
  ].join(` ${marks.dot} `);
}

function tickerText({ holder, ticked, face, world }: Scene): string {
  if (!holder?.alive) return "nobody ticks; pawl run";
  const stopping = world.backlog.stopping === null ? "" : ", and is stopping";
  return ticked === null
    ? `pid ${holder.pid} has just begun`
    : `pid ${holder.pid} ticked ${rough(face.now - ticked)} ago${stopping}`;
}

function cells(row: Row, { face }: Scene, { paint, marks, cuts }: Ink): readonly Cell[] {
  const { task, why } = row;
  const none = marks.unknown;
  const picked = task.status !== "not-started";
  return [
    task.id,
    why.title,
    { text: task.status, paint: colourOf(task, paint) },
    task.phase ?? none,
    picked ? String(task.round) : none,
    {
      text: briefText(row, cuts ? marks.more : null) || none,
      paint: isYours(why) ? paint.yellow : (text) => text,
      ...(isLong(row) ? { loose: LONG } : {}),
    },
    why.since === null ? none : dayOrTime(why.since, face),
    spent(spentBy(task), marks),
  ];
}

/** What waits holds ids and commands, and stays whole; the reason of what has ended, or of what fails outside, may be long. */
const briefText = (row: Row, more: string | null): string =>
  more !== null && isLong(row)
    ? cut(oneLine(row.why.brief), isTerminal(row.task) ? 24 : LONG, more)
    : oneLine(row.why.brief);
const isLong = ({ task, why }: Row): boolean => isTerminal(task) || why.code === "effect";
const LONG = 28;

const colourOf = ({ status }: Task, paint: Ink["paint"]): ((text: string) => string) =>
  status === "completed"
    ? paint.green
    : status === "failed"
      ? paint.red
      : status === "not-started"
        ? paint.dim
        : (text) => text;

/** `pawl status --json`. Times in ms since 1970, money in US dollars; null: not known. */
export interface StatusJson {
  readonly ok: true;
  readonly processor: {
    readonly pid: number;
    readonly host: string;
    readonly since: Instant;
    readonly epoch: number;
  } | null;
  readonly ticked: Instant | null;
  readonly stopping: boolean;
  readonly counts: Readonly<Record<Task["status"], number>>;
  readonly cost_usd: number | null;
  readonly budget_usd: number | null;
  readonly tokens: number | null;
  readonly spawns: number;
  /** how often each kind of end came to a worker */
  readonly endings: EndingCounts;
  readonly tasks: readonly StatusTaskJson[];
}
export interface StatusTaskJson extends Omit<Why, "at" | "looked_at" | "next"> {
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly endings: EndingCounts;
  readonly percent: number | null;
  readonly branch: string;
  readonly head: string | null;
  readonly pr: string | null;
  readonly merged: string | null;
  readonly deps: readonly string[];
  readonly file_gone: boolean;
  readonly finished: boolean;
}

export function statusJson(scene: Scene, filter: Filter): StatusJson {
  const { holder, world, tasks, ticked } = scene;
  const { backlog } = world;
  return {
    ok: true,
    processor: holder?.alive ? { pid: holder.pid, host: holder.host, since: holder.since, epoch: holder.epoch } : null,
    ticked,
    stopping: backlog.stopping !== null,
    counts: countsOf(tasks),
    cost_usd: dollars(spentOf(scene)),
    budget_usd: dollars(backlog.limits.budget.microUsd),
    tokens: tokensSpent(scene),
    spawns: backlog.spent.spawns,
    endings: endingsOf(tasks),
    tasks: rowsOf(scene, filter).map((row) => taskJson(row, scene)),
  };
}

export const dollars = (microUsd: number | null): number | null => (microUsd === null ? null : microUsd / 1e6);

function taskJson({ task, why }: Row, { sights }: Scene): StatusTaskJson {
  const { at: _at, looked_at: _looked, next: _next, ...said } = why;
  return {
    ...said,
    cost_usd: dollars(costOf(task)),
    tokens: tokensOf(task),
    endings: task.endings ?? {},
    percent: sights.get(task.id)?.progress?.percent ?? null,
    branch: task.terms.branch,
    head: task.head,
    pr: task.pr,
    merged: task.merged,
    deps: task.terms.deps,
    file_gone: task.gone,
    finished: isTerminal(task),
  };
}
