import type { Instant } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import { oneLine } from "../printable.ts";
import { counted, spent } from "./amounts.ts";
import { type Cell, inColumns } from "./columns.ts";
import {
  costOf,
  countsText,
  evidenceOf,
  type Ink,
  type Scene,
  spentBy,
  spentInAll,
  spentOf,
  tableWidth,
} from "./scene.ts";
import { dollars } from "./status.ts";
import { exact } from "./times.ts";
import { waitsForYou, whyOf } from "./why.ts";

/** The table at the end of `pawl run`. `since`: when this processor began. */
export function endLines(scene: Scene, since: Instant, ink: Ink): readonly string[] {
  const { tasks, world, face } = scene;
  const spawns = counted(world.backlog.spent.spawns, "spawn");
  const all = tasks.length === 0 ? "there were no tasks" : countsText(tasks);
  return [
    `Ended after ${exact(face.now - since)}: ${all}. ${spentText(scene, ink)}${spawns}.`,
    ...(tasks.length === 0
      ? []
      : inColumns([HEAD, ...tasks.map((task) => cells(task, scene, ink))], {
          right: [3, 4, 5, 6],
          flex: [
            { column: 1, least: 12 },
            { column: 7, least: 20 },
          ],
          drop: [4, 5, 3, 6, 1],
          width: tableWidth(ink),
          more: ink.marks.more,
        })),
    ...atWorkLines(scene),
    ...adviceLines(scene).map((line) => line.replaceAll("…", ink.marks.more)),
  ];
}
function spentText(scene: Scene, { marks }: Ink): string {
  const text = spent(spentInAll(scene), marks);
  return text === marks.unknown ? "" : `${text}, `;
}

const HEAD = ["task", "title", "result", "rounds", "crashes", "time", "cost", "evidence"];

function cells(task: Task, scene: Scene, { paint, marks }: Ink): readonly Cell[] {
  const { wallMs } = task.ledger.spent;
  const paintOf =
    task.status === "completed" ? paint.green : task.status === "failed" ? paint.red : (text: string) => text;
  return [
    task.id,
    oneLine(task.terms.title),
    { text: task.status, paint: paintOf },
    String(task.round),
    String(crashesOf(task)),
    wallMs > 0 ? exact(wallMs) : marks.unknown,
    spent(spentBy(task), marks),
    evidence(task, scene),
  ];
}

/** How often its workers crashed; of runs of earlier releases, which were not counted, as far as its findings tell. */
export const crashesOf = (task: Task): number =>
  Math.max(
    task.counts.crashes,
    (task.endings?.crash ?? 0) + (task.endings?.stall ?? 0),
    task.findings.filter((f) => f.key === "crash").reduce((sum, f) => sum + f.seen + f.reopened, 0),
  );

function evidence(task: Task, scene: Scene): string {
  if (task.status === "completed") return oneLine(evidenceOf(task, scene));
  const why = whyOf(task, scene);
  return task.status === "not-started" && why.code === "stranded" ? `cannot start: ${why.tasks[0]} failed` : why.brief;
}

/** What to do about what failed (first where others hang on it) and what waits: a line each, said once, commands whole. */
function adviceLines(scene: Scene): readonly string[] {
  const whys = scene.tasks.filter((task) => task.status !== "completed").map((task) => whyOf(task, scene));
  const failed = whys
    .filter(({ status }) => status === "failed")
    .map((why) => ({ why, hanging: hangingOn(why.task, scene) }))
    .sort((a, b) => Number(b.hanging.length > 0) - Number(a.hanging.length > 0))
    .map(({ why, hanging }) => why.next + (hanging.length === 0 ? "" : `, or edit deps of ${some(hanging)}`));
  const yours = whys.filter((why) => why.status !== "failed" && why.code !== "stranded" && waitsForYou(why));
  const lines = [
    ...few(failed, (more) => `${more} more failed: pawl status --failed`),
    ...few([...new Set(yours.map(({ next }) => next))], (more) => `${more} more wait for you: pawl status --waiting`),
  ];
  return lines.map((line, i) => `${i === 0 ? "next: " : "      "}${line}`);
}

const MOST = 3;
const few = (lines: readonly string[], rest: (more: number) => string): readonly string[] =>
  lines.length <= MOST ? lines : [...lines.slice(0, MOST), rest(lines.length - MOST)];

/** What cannot start because it has that dependency. */
const hangingOn = (id: string, { tasks }: Scene): readonly string[] =>
  tasks.flatMap((task) =>
    task.status === "not-started" && !task.terms.draft && task.terms.deps.some((dep) => dep === id) ? [task.id] : [],
  );
const some = (ids: readonly string[]): string =>
  ids.length <= MOST ? ids.join(", ") : `${ids.slice(0, MOST).join(", ")} and ${ids.length - MOST} more`;

/** What goes on when the processor was stopped, and how to end that too. */
export function goingOnLines(scene: Scene, by = ""): readonly string[] {
  const running = atWork(scene);
  if (running.length === 0) return [`Stopped${by}; all state is saved. No worker is at work.`, "next: pawl run"];
  return [
    `Stopped${by}; all state is saved. ${goOn(running)}`,
    "next: pawl run (adopts them)   |   pawl stop --workers (ends them, keeps their worktrees)",
  ];
}

/** After --once workers may be at work: they go on. */
function atWorkLines(scene: Scene): readonly string[] {
  const running = atWork(scene);
  return running.length === 0 ? [] : [`${goOn(running)} pawl run adopts ${running.length === 1 ? "it" : "them"}.`];
}

const atWork = (scene: Scene): readonly string[] =>
  scene.tasks.flatMap(({ id, doing }) => {
    const sight = scene.sights.get(id);
    if (doing.kind !== "running" || sight?.ended) return [];
    return [sight?.pid ? `${id} (pid ${sight.pid})` : id];
  });

const goOn = (running: readonly string[]): string =>
  `${counted(running.length, "worker")} ${running.length === 1 ? "goes" : "go"} on: ${running.join(", ")}.`;

/** The last document of `pawl run --json`. */
export const endJson = (scene: Scene, of: { readonly ending: string; readonly since: Instant }) => ({
  ended: of.ending,
  wall_ms: scene.face.now - of.since,
  cost_usd: dollars(spentOf(scene)),
  spawns: scene.world.backlog.spent.spawns,
  tasks: scene.tasks.map((task) => {
    const { code, owner, brief } = whyOf(task, scene);
    return {
      task: task.id,
      status: task.status,
      rounds: task.round,
      crashes: crashesOf(task),
      cost_usd: dollars(costOf(task)),
      code,
      owner,
      evidence: evidence(task, scene) || brief,
    };
  }),
});
