import type { Command } from "../../domain/input.ts";
import type { Instant } from "../../domain/names.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import { settle } from "../../domain/settle.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import { notedOf } from "./views/noted.ts";
import type { Scene } from "./views/scene.ts";

/**
 * What the next processor would refuse a decision with, as the store is now; null: it would take it, or that cannot be
 * told (somebody ticks, another decision comes first, or it is about a phase that a file may have got since).
 */
export function refusalOf(task: Task, command: Command, scene: Scene): string | null {
  if (scene.holder?.alive || notedOf(task.id, scene).length > 0) return null;
  if (command.do === "retry" && command.from !== null && task.status !== "completed") return null;
  const map = needsNoMap(task, command) ? scene.world.newest(task.terms.phases) : mapOf(task, scene);
  if (map === "unknown") return null;
  const { world } = scene;
  const facts = settle(
    task,
    { kind: "command-received", id: "preview", by: "preview", task: task.id, command },
    {
      now: Date.now() as Instant,
      backlog: world.backlog,
      map,
      newest: world.newest(task.terms.phases),
      massEnd: false,
      unmet: task.map === null ? world.unmet(task.id) : [],
    },
  );
  const answer = facts.find((fact) => fact.kind === "command-answered");
  return answer === undefined || answer.accepted ? null : answer.reply;
}

/** What has ended is on no map any more, and most decisions of it are refused whatever its map says. */
const needsNoMap = (task: Task, command: Command): boolean =>
  isTerminal(task) && (command.do !== "retry" || task.status === "completed");

function mapOf({ map }: Task, { world }: Scene): PhaseMap | null | "unknown" {
  try {
    return map === null ? null : world.map(map);
  } catch {
    return "unknown";
  }
}
