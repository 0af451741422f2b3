import { circling } from "../../../domain/findings.ts";
import { oneLine } from "../printable.ts";
import { asksPerson, headLabel } from "./scene.ts";
import { time } from "./times.ts";
import type { Case } from "./why.ts";

/** The same in a few words, for the column of a table; ids and commands whole. */
export function briefOf(one: Case): string {
  const text = few(one);
  return one.task.gone ? `${text}, file gone` : text;
}

function few(one: Case): string {
  const { task, said, scene } = one;
  switch (said.code) {
    case "asking":
      return asksPerson(task, scene.world) ? `you: approve${headLabel(task)}` : `${said.reason.split(" ")[0]}`;
    case "question":
      return `you: pawl answer ${task.id} "…"`;
    case "running":
      return atWork(one);
    case "deps":
      return said.owner === "human" ? `you: no task ${some(said.tasks)}` : some(said.tasks);
    case "stranded":
      return `you: ${said.tasks[0]} failed`;
    case "slot":
      return said.reason.startsWith("no free slot") ? "a free slot" : "the next tick";
    case "touches":
      return `${said.tasks[0]}: same files`;
    case "queue":
      return `merge queue, after ${said.tasks[0]}`;
    case "effect":
      return task.doing.kind === "effect" ? task.doing.intent.kind : oneLine(said.reason);
    case "acting":
      return said.owner === "human" ? "you: pawl run" : "the next tick";
    case "gate":
      return `${said.owner === "human" ? "you" : "the rules"}: ${said.reason}`;
    case "findings":
      return `you: finding ${circling(task)[0]?.label ?? ""}`.trimEnd();
    default:
      return held(one);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  "no-map": "its map is not there",
  "backlog-budget": "budget of the backlog",
  blocked: "BLOCKED",
  "pr-closed": "pull request closed",
  "base-dirty": "changes in its base",
  "base-gone": "its base is gone",
  "action-unknown": "did its command happen?",
  "action-wait": "its command",
  "mass-end": "many runs ended at once",
  "no-phase": "its phase is gone",
  denied: "refused",
  auth: "credential",
  quota: "quota",
  "provider-down": "provider away",
  "rate-limited": "rate limit",
};

function held({ said, scene }: Case): string {
  if (said.code === "draft") return "a draft";
  const owner = said.owner === "human" ? "you" : said.owner;
  const until = said.until === null ? "" : ` until ${time(said.until, scene.face)}`;
  return `${owner}: ${WORDS[said.code] ?? said.code}${said.owner === "human" ? "" : until}`;
}

function atWork({ task, scene }: Case): string {
  if (task.doing.kind === "running" && task.doing.purpose !== "agent") return "its command";
  const sight = scene.sights.get(task.id);
  if (sight?.ended) return "its worker, ended";
  const progress = sight?.progress;
  return progress ? `its worker, ${Math.round(progress.percent)} %` : "its worker";
}

const some = (ids: readonly string[]): string =>
  ids.length <= 2 ? ids.join(", ") : `${ids[0]} and ${ids.length - 1} more`;
