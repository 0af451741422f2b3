import type { Instant } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import { oneLine } from "../printable.ts";
import { counted, money } from "./amounts.ts";
import { type Cell, inColumns } from "./columns.ts";
import { costOf, countsText, evidenceOf, type Ink, type Scene, spentOf } from "./scene.ts";
import { dollars } from "./status.ts";
import { exact } from "./times.ts";
import { whyOf } from "./why.ts";

/** The table at the end of `pawl run`. `since`: when this processor began. */
export function endLines(scene: Scene, since: Instant, ink: Ink): readonly string[] {
  const { tasks, world, face } = scene;
  const spent = spentOf(scene);
  const spawns = counted(world.backlog.spent.spawns, "spawn");
  const all = tasks.length === 0 ? "there were no tasks" : countsText(tasks);
  return [
    `Ended after ${exact(face.now - since)}: ${all}. ${spent === null ? "" : `${money(spent, ink.marks)}, `}${spawns}.`,
    ...(tasks.length === 0
      ? []
      : inColumns([HEAD, ...tasks.map((task) => cells(task, scene, ink))], {
          right: [3, 4, 5, 6],
          flex: [
            { column: 1, least: 12 },
            { column: 7, least: 20 },
          ],
          width: ink.width,
          more: ink.marks.more,
        })),
    ...adviceLines(scene).map((line) => line.replaceAll("…", ink.marks.more)),
  ];
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
    money(costOf(task), marks),
    evidence(task, scene),
  ];
}

/** How often its workers crashed, as far as its findings tell: the row counts those in a row only. */
export const crashesOf = (task: Task): number =>
  Math.max(
    task.counts.crashes,
    task.findings.filter((f) => f.key === "crash").reduce((sum, f) => sum + f.seen + f.reopened, 0),
  );

function evidence(task: Task, scene: Scene): string {
  if (task.status === "completed") return oneLine(evidenceOf(task, scene));
  const why = whyOf(task, scene);
  return task.status === "not-started" && why.code === "stranded" ? `cannot start: ${why.tasks[0]} failed` : why.brief;
}

/** What to do about what failed and what waits: one line, each command whole. */
function adviceLines(scene: Scene): readonly string[] {
  const whys = scene.tasks.map((task) => whyOf(task, scene));
  const failed = whys.filter((why) => why.status === "failed").slice(0, 3);
  const yours = whys
    .filter((why) => why.owner === "human" && why.status !== "failed" && why.code !== "stranded")
    .slice(0, 3);
  return [...failed, ...yours].map((why, i) => `${i === 0 ? "next: " : "      "}${why.next}`);
}

/** What goes on when the processor was stopped, and how to end that too. */
export function goingOnLines(scene: Scene, by = ""): readonly string[] {
  const running = scene.tasks.filter(({ id, doing }) => doing.kind === "running" && !scene.sights.get(id)?.ended);
  if (running.length === 0) return [`Stopped${by}; all state is saved. No worker is at work.`, "next: pawl run"];
  const named = running.map((task) => {
    const pid = scene.sights.get(task.id)?.pid;
    return pid ? `${task.id} (pid ${pid})` : task.id;
  });
  const verb = running.length === 1 ? "goes" : "go";
  return [
    `Stopped${by}; all state is saved. ${counted(running.length, "worker")} ${verb} on: ${named.join(", ")}.`,
    "next: pawl run (adopts them)   |   pawl stop --workers (ends them, keeps their worktrees)",
  ];
}

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
