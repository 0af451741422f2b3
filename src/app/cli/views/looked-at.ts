import { asksPerson, patience } from "./scene.ts";
import { ahead, rough } from "./times.ts";
import type { Case } from "./why.ts";

/** The line `looked at`: when the task is looked at again, and by whom it is if nobody ticks. */
export function lookedAt(one: Case): string {
  const nobody = one.scene.holder?.alive ? "" : "; nobody ticks just now";
  return when(one) + nobody;
}

function when(one: Case): string {
  const { task, said, scene } = one;
  const { face } = scene;
  switch (said.code) {
    case "asking":
      return `${asksPerson(task, scene.world) ? "when you answer" : "each time its command has run"}${patienceText(one)}`;
    case "running":
      return scene.sights.get(task.id)?.ended ? "at the next tick" : runText(one);
    case "host":
      return runText(one);
    case "question":
      return said.until === null ? "when you answer" : `when you answer, until ${ahead(said.until, face)}`;
    case "stranded":
      return `when ${said.tasks[0]} moves`;
    case "deps":
      return said.owner === "human"
        ? "when that task is there"
        : `when ${said.tasks[0]} moves, or its merge is seen in the base`;
    case "slot":
      return said.reason.startsWith("no free slot") ? "when a worker ends" : "at the next tick";
    case "touches":
    case "queue":
      return `when ${said.tasks[0]} has ended its work there`;
    case "draft":
    case "no-map":
      return "when the file changes";
    case "effect":
      return said.until === null ? "when it ends, within a minute or two" : ahead(said.until, face);
    case "backlog-budget":
      return said.owner === "human" ? "when pawl.yaml changes" : "when one of those runs ends";
    case "acting":
      return said.owner === "human" ? "at the next pawl run" : "at the next tick";
    default:
      return said.until === null ? "when you act" : `${ahead(said.until, face)}${patienceText(one)}`;
  }
}

function runText({ task, said, scene }: Case): string {
  if (task.doing.kind !== "running") return said.until === null ? "when you act" : ahead(said.until, scene.face);
  const { stallMs } = scene.sights.get(task.id) ?? {};
  const stall = stallMs ? `stalls after ${rough(stallMs)} of silence; ` : "";
  const end = `the attempt ends at ${ahead(task.doing.deadline, scene.face)}`;
  return said.code === "host" ? `as often as its host can be asked; ${end}` : `when it reports; ${stall}${end}`;
}

/** `; escalates to ask-owner in 2d23h` */
function patienceText({ task, scene }: Case): string {
  const bound = patience(task, scene.world);
  if (bound === null || task.waitingSince === null) return "";
  const left = task.waitingSince + bound.timeoutMs - scene.face.now;
  const soon = left <= 0 ? "now" : `in ${rough(left)}`;
  if (bound.escalate !== null) return `; escalates to ${bound.escalate} ${soon}`;
  return task.overdue ? "; it is overdue, and goes on waiting" : `; you are told again ${soon}`;
}
