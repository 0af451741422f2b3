import type { Instant } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import type { Ended } from "../../../ports/store.ts";
import { width as columnsOf, cut, oneLine, padEnd } from "../printable.ts";
import { bounded, counted, money, short, spent } from "./amounts.ts";
import { type Cell, inColumns } from "./columns.ts";
import { type Ink, isLive, type Scene, spentBy, spentInAll } from "./scene.ts";
import { exact, rough } from "./times.ts";
import { type Why, whyOf } from "./why.ts";

/** What the first line says of this run. */
export interface Heading {
  /** name of the repository */
  readonly repo: string;
  readonly base: string;
  readonly map: string;
  readonly epoch: number;
  readonly since: Instant;
}

/** The state of a run as its processor has it in memory. `scene.tasks`: those to be shown, natural order. */
export interface LiveState {
  readonly scene: Scene;
  readonly heading: Heading;
  readonly ended: readonly Ended[];
  readonly seeds: number;
  readonly workers: number;
}

/** The block below the events: two lines about all, one for each task that moves or waits, at most `rows` lines. */
export function liveBlock(state: LiveState, rows: number, ink: Ink): readonly string[] {
  const room = Math.max(1, rows - OTHERS);
  const all = order(state.scene);
  const shown = all.slice(0, room);
  const hidden = all.length - shown.length;
  return [
    headLine(state, ink),
    countLine(state, ink),
    "",
    ...inColumns(
      shown.map((row) => cells(row, state.scene, ink)),
      {
        right: [5, 6],
        flex: [
          { column: 1, least: 28 },
          { column: 4, least: 16 },
          { column: 1, least: 12 },
          { column: 4, least: 8 },
        ],
        drop: [6, 5, 2, 1],
        width: ink.width,
        more: ink.marks.more,
      },
    ),
    ...(hidden > 0 ? [ink.paint.dim(`${counted(hidden, "more task")}: pawl status`)] : []),
    ...endedLines(state, ink),
  ];
}

/** lines that are not tasks, and one for the cursor */
const OTHERS = 7;

interface Row {
  readonly task: Task;
  readonly why: Why;
  readonly kind: "running" | "waiting" | "idle";
}

function order(scene: Scene): readonly Row[] {
  const rows = scene.tasks.filter(isLive).map((task): Row => ({ task, why: whyOf(task, scene), kind: kindOf(task) }));
  return (["running", "waiting", "idle"] as const).flatMap((kind) => rows.filter((row) => row.kind === kind));
}
const kindOf = ({ status, doing }: Task): Row["kind"] =>
  status === "not-started" ? "idle" : doing.kind === "running" || doing.kind === "effect" ? "running" : "waiting";

function headLine({ heading, scene }: LiveState, { marks, width, paint }: Ink): string {
  const { repo, base, map, epoch, since } = heading;
  const left = [`pawl run`, `${repo} on ${base}`, `map ${map}`, `epoch ${epoch}`].join(` ${marks.dot} `);
  const right = exact(scene.face.now - since);
  return `${paint.bold(padEnd(left, width - columnsOf(right) - 1))} ${right}`;
}

function countLine({ scene, ended, seeds, workers }: LiveState, { marks }: Ink): string {
  const { limits } = scene.world.backlog;
  const live = scene.tasks.filter((task) => task.status === "in-progress").length;
  const of = (status: Ended["status"]): number => ended.filter((one) => one.status === status).length;
  const groups = [
    [of("completed"), "completed"],
    [of("failed"), "failed"],
    [live, "in-progress"],
    [seeds, "not-started"],
  ] as const;
  const counts = groups.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  const total = groups.reduce((sum, [n]) => sum + n, 0);
  const bound = limits.budget.microUsd;
  return [
    `workers ${workers} of ${limits.maxWorkers}`,
    `${counted(total, "task")}${counts.length > 0 ? `: ${counts.join(", ")}` : ""}`,
    bounded(spent(spentInAll(scene), marks), bound === null ? null : money(bound, marks)),
  ].join(` ${marks.dot} `);
}

function cells({ task, why, kind }: Row, scene: Scene, { paint, marks }: Ink): readonly Cell[] {
  const paintOf =
    kind === "running" ? paint.green : why.owner === "human" && kind === "waiting" ? paint.yellow : paint.dim;
  const symbol = { running: marks.running, waiting: marks.waiting, idle: marks.idle }[kind];
  const name: Cell = { text: `${symbol} ${task.id}`, paint: () => `${paintOf(symbol)} ${task.id}` };
  const place = task.phase === null ? task.status : `${task.phase}${task.round > 0 ? ` r${task.round}` : ""}`;
  const since =
    why.since === null
      ? ""
      : kind === "running"
        ? exact(scene.face.now - why.since)
        : rough(scene.face.now - why.since);
  const cost = task.status === "not-started" ? "" : spent(spentBy(task), marks);
  return [name, why.title, place, ...stateOf(task, why, scene, { paint, marks }), since, cost];
}

/** Two columns: how far, or whose move; and what is done, or what to type. */
function stateOf(
  task: Task,
  why: Why,
  scene: Scene,
  { paint, marks }: Pick<Ink, "paint" | "marks">,
): readonly [Cell, Cell] {
  if (why.code === "question")
    return [
      { text: "you", paint: paint.yellow },
      { text: `pawl answer ${task.id} "…"`, paint: paint.cyan, whole: true },
    ];
  const progress = task.doing.kind === "running" ? scene.sights.get(task.id)?.progress : null;
  if (progress)
    return [
      `${marks.bar(progress.percent, 10)} ${String(Math.round(progress.percent)).padStart(2)} %`,
      oneLine(progress.activity),
    ];
  if (why.code === "running") return ["running", why.brief === "its worker" ? "" : why.brief];
  if (why.code === "asking" && why.owner === "human")
    return [
      { text: "you", paint: paint.yellow },
      { text: `pawl approve ${task.id}`, paint: paint.cyan, whole: true },
    ];
  if (why.owner === "human" && task.status !== "not-started")
    return [
      { text: why.brief, paint: paint.yellow },
      { text: `pawl why ${task.id}`, paint: paint.cyan, whole: true },
    ];
  return [cut(why.brief, MOST_BRIEF, marks.more), ""];
}
const MOST_BRIEF = 40;

function endedLines({ ended }: LiveState, { paint, marks }: Ink): readonly string[] {
  const line = (status: Ended["status"], text: (one: Ended) => string): readonly string[] => {
    const all = ended.filter((one) => one.status === status);
    const last = all.slice(-SHOWN).map(text).join(", ");
    return all.length === 0 ? [] : [`${all.length} ${status}: ${all.length > SHOWN ? `${marks.more} ` : ""}${last}`];
  };
  return [
    ...line("completed", ({ id, merged }) => (merged === null ? id : `${id} ${short(merged)}`)).map(paint.green),
    ...line("failed", ({ id }) => id).map(paint.red),
  ];
}
/** the newest that are named */
const SHOWN = 4;
