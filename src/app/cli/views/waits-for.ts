import type { Task } from "../../../domain/task.ts";
import { oneLine } from "../printable.ts";
import { counted } from "./amounts.ts";
import { asksPerson, taskIn } from "./scene.ts";
import { ahead, past, rough } from "./times.ts";
import type { Case } from "./why.ts";

/** The line `waits for`: who has the next move, for what, since when. */
export function waitsFor(one: Case): string {
  const { task, said, since, scene } = one;
  const whole = `${who(one)}: ${what(one)}`;
  const gone = task.gone ? "; its file is gone" : "";
  if (
    since === null ||
    said.code === "running" ||
    said.code === "question" ||
    said.code === "acting" ||
    task.doing.kind === "nothing"
  )
    return whole + gone;
  return `${whole}, since ${past(since, scene.face)}${gone}`;
}

function who({ task, said, scene }: Case): string {
  if (said.code === "gate" && said.owner !== "human") return "the rules";
  if (said.code === "asking") return asksPerson(task, scene.world) ? "you" : "its command";
  if (said.code === "running")
    return task.doing.kind === "running" && task.doing.purpose === "agent" ? "its worker" : "its command";
  if (said.code === "draft") return "nobody";
  if (said.owner === "human") return "you";
  return (
    {
      slot: "a free slot",
      touches: said.tasks[0] ?? "another task",
      queue: "the merge queue",
      deps: "its dependencies",
      effect: "an effect",
      acting: "the next tick",
      "backlog-budget": "the budget",
    }[said.code as string] ?? `the ${said.owner}`
  );
}

function what(one: Case): string {
  const { task, said, scene } = one;
  switch (said.code) {
    case "gate":
      return gateText(one);
    case "asking":
      return `${said.reason}${changeText(task)}`;
    case "question":
      return `its worker asks: ${oneLine(said.reason)}`;
    case "running":
      return atWork(one);
    case "draft":
      return "a draft is listed, and never started";
    case "stranded":
      return chainText(one);
    case "slot":
      return `${said.reason.replace(/^no free slot: /, "")}${placeText(one)}`;
    case "queue":
      return said.reason.replace(/^merge queue: /, "");
    case "rate-limited":
    case "provider-down":
      return `${oneLine(said.reason)}${said.until === null ? "" : `, until ${ahead(said.until, scene.face)}`}; no round, no crash counted`;
    case "budget":
    case "backlog-budget":
      return oneLine(said.reason).replace(/; pawl extend .*$|; raise it in .*$/, "");
    default:
      return oneLine(said.reason);
  }
}

/** `GO, its plan (001), about 9be21f0; it is parked and holds no slot` */
function gateText({ task: { doing }, said }: Case): string {
  if (doing.kind !== "at-gate") return said.reason;
  const about = doing.head === null ? "" : ` about ${doing.head.slice(0, 7)}`;
  return `${said.reason}${about}; its worker ${doing.alive ? "waits there" : "is parked, and holds no slot"}`;
}

function changeText({ change }: Task): string {
  if (change === null) return "";
  return ` (${counted(change.commits, "commit")}, ${counted(change.files, "file")}, +${change.added} -${change.deleted})`;
}

function atWork({ task, said, scene }: Case): string {
  const sight = scene.sights.get(task.id);
  if (sight?.ended) return "it has ended; how is read at the next tick";
  const progress = sight?.progress;
  const says = progress
    ? `${progress.status} ${Math.round(progress.percent)} %`
    : said.reason.replace(/^its (worker|command) (is )?/, "");
  const pid = sight?.pid ? [`pid ${sight.pid}`] : [];
  const sign = sight?.lastSign ? [`last sign of life ${rough(scene.face.now - sight.lastSign)} ago`] : [];
  const activity = progress?.activity ? ` (${oneLine(progress.activity)})` : "";
  const started = task.doing.kind === "running" ? [`started ${past(task.doing.since, scene.face)}`] : [];
  return `${[says, ...pid, ...(sign.length > 0 ? sign : started)].join(", ")}${activity}`;
}

/** `task-001 (failed: why) -> task-002 (not-started) -> task-003` */
function chainText({ task, said, scene }: Case): string {
  const chain = said.tasks.at(-1) === task.id ? said.tasks : [...said.tasks.slice(0, 1), task.id];
  const others = said.tasks.at(-1) === task.id ? [] : said.tasks.slice(1);
  const text = (id: string): string => {
    if (id === task.id) return id;
    const row = taskIn(scene, id);
    return `${id} (${row?.status ?? "unknown"}${row?.status === "failed" ? `: ${oneLine(row.why ?? "no reason is known")}` : ""})`;
  };
  return `${chain.map(text).join(" -> ")}${others.length === 0 ? "" : `; also ${others.map(text).join(", ")}`}`;
}

function placeText({ task, scene }: Case): string {
  const pool = task.status === "not-started" ? "worker" : poolOf(task);
  let place = 0;
  for (const id of scene.world.eligible(pool)) {
    place++;
    if (id === task.id) return place > 1 ? `; place ${place}` : "";
    if (place >= MOST_PLACES) return `; place ${MOST_PLACES} or later`;
  }
  return "";
}
/** The queue may be the whole backlog, and each of its tasks asks. */
const MOST_PLACES = 100;
const poolOf = (task: Task): "worker" | "run" => (task.candidate === null ? "worker" : "run");
