import { type Explanation, explain } from "../../../domain/explain.ts";
import type { Instant, TaskId } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import { oneLine } from "../printable.ts";
import { adviceFor, findingsOf } from "./advice.ts";
import { briefOf } from "./brief.ts";
import { together, wrapped } from "./columns.ts";
import { lookedAt } from "./looked-at.ts";
import { type Noted, notedOf, notedText } from "./noted.ts";
import { evidenceOf, type Ink, type Scene } from "./scene.ts";
import { chainToFailed } from "./stranded.ts";
import { waitsFor } from "./waits-for.ts";

/** Whose move it is with one task, when it is looked at again, and what to do: also what `pawl why --json` prints. */
export interface Why {
  readonly task: TaskId;
  readonly title: string;
  readonly status: Task["status"];
  readonly phase: string | null;
  readonly round: number;
  /** what it is at, in words: `await-review, round 1` */
  readonly at: string;
  readonly code: Explanation["code"] | "completed" | "failed";
  /** who has the next move; nobody: it is completed, or was cancelled */
  readonly owner: Explanation["owner"] | "nobody";
  /** a few words, for a table */
  readonly brief: string;
  readonly waits_for: string;
  /** ms since 1970; null: not known */
  readonly since: Instant | null;
  readonly looked_at: string;
  /** ms since 1970; null: when its owner moves */
  readonly until: Instant | null;
  readonly next: string;
  /** the tasks it is about */
  readonly tasks: readonly string[];
  /** decisions about it that no tick has taken yet */
  readonly noted: readonly Noted[];
}

/** A person has the next move. Of a draft nobody wants one: it is listed, and that is all. */
export const waitsForYou = ({ owner, code }: Pick<Why, "owner" | "code">): boolean =>
  owner === "human" && code !== "draft";

/** What there is to know before it is put into words. */
export interface Case {
  readonly task: Task;
  readonly scene: Scene;
  readonly said: Explanation;
  readonly since: Instant | null;
}

/** Total: every task has an answer. Where a decision is on its way, the next move is the processor's. */
export function whyOf(task: Task, scene: Scene): Why {
  const why = withoutNoted(task, scene);
  const noted = notedOf(task.id, scene);
  if (noted.length === 0) return { ...why, noted };
  const is = `noted: ${noted.map((one) => one.do).join(", ")}`;
  const next = scene.holder?.alive ? "nothing to do" : "pawl run";
  return { ...why, noted, next, brief: scene.holder?.alive ? is : `you: pawl run (${is})` };
}

function withoutNoted(task: Task, scene: Scene): Omit<Why, "noted"> {
  const said = explained(task, scene);
  if (said === null) return ended(task, scene);
  const one: Case = { task, scene, said, since: sinceOf(task) };
  const words = {
    at: placeOf(one),
    brief: briefOf(one),
    waits_for: waitsFor(one),
    looked_at: lookedAt(one),
    next: adviceFor(one),
  };
  return {
    ...head(task),
    code: said.code,
    owner: said.owner,
    since: one.since,
    until: said.until,
    tasks: said.tasks,
    ...words,
  };
}

/** explain(), and beyond it: a task that waits for one that waits for a failed one is stranded too. */
function explained(task: Task, scene: Scene): Explanation | null {
  const said = explain(task, scene.world);
  if (said === null || said.code !== "deps" || said.owner === "human") return said;
  const chain = chainToFailed(task.id, scene);
  return chain === null ? said : { ...said, code: "stranded", owner: "human", reason: "cannot start", tasks: chain };
}

const head = ({ id, terms, status, phase, round }: Task) => ({
  task: id,
  title: oneLine(terms.title),
  status,
  phase,
  round,
});

function placeOf({ task, said }: Case): string {
  if (said.code === "draft") return "not-started, a draft";
  if (task.status === "not-started")
    return said.code === "stranded" || said.owner === "human" ? "not-started, cannot start" : "not-started";
  const attempt = task.doing.kind === "running" && task.attempt > 1 ? `, attempt ${task.attempt}` : "";
  return `${task.phase}, round ${task.round}${attempt}`;
}

const AGAIN: ReadonlySet<string> = new Set([
  ...["base-dirty", "effect", "rate-limited", "provider-down", "auth", "quota", "setup", "host", "infra"],
]);

function sinceOf({ doing, status, entered, infraSince }: Task): Instant | null {
  // each try that fails is a wait of its own: it began with the first
  if (doing.kind === "waiting")
    return AGAIN.has(doing.on.code) && infraSince !== null && infraSince < doing.on.since ? infraSince : doing.on.since;
  if (doing.kind !== "nothing") return doing.since;
  return status === "in-progress" ? entered : null;
}

function ended(task: Task, scene: Scene): Omit<Why, "noted"> {
  const { id, why, finished } = task;
  const common = { ...head(task), since: finished, until: null, tasks: [] };
  if (task.status === "completed") {
    const nothing = `nobody: completed, ${evidenceOf(task, scene)}`;
    return {
      ...common,
      at: "completed",
      code: "completed",
      owner: "nobody",
      brief: evidenceOf(task, scene),
      waits_for: nothing,
      looked_at: "never again",
      next: `nothing to do; pawl show ${id}`,
    };
  }
  const reason = oneLine(why ?? "no reason is known");
  const isCancelled = reason.startsWith("cancelled by ");
  const next = isCancelled ? `nothing to do; pawl retry ${id} opens it again` : `${findingsOf(task)}; pawl retry ${id}`;
  return {
    ...common,
    at: "failed",
    code: "failed",
    owner: isCancelled ? "nobody" : "human",
    brief: reason,
    waits_for: isCancelled ? `nobody: ${reason}` : `you: failed: ${reason}`,
    looked_at: "when you retry it",
    next,
  };
}

/** `pawl why TASK`: always these labels, and one for decisions on their way. Sentences are wrapped, never cut. */
export function whyLines(why: Why, scene: Pick<Scene, "holder">, ink: Ink): readonly string[] {
  const { paint, marks, width } = ink;
  const label = (name: string, text: string): readonly string[] =>
    wrapped(text.replaceAll("…", marks.more), { columns: width - LABEL - 2, indent: 0 }).map((line, i) =>
      i === 0 ? `  ${paint.dim(name.padEnd(LABEL))}${line}` : `  ${" ".repeat(LABEL)}${line}`,
    );
  return [
    `${paint.bold(why.task)}  ${why.at}`,
    ...label("waits for", why.waits_for),
    ...label("looked at", why.looked_at),
    ...(why.noted.length === 0 ? [] : label("noted", notedText(why.noted, scene))),
    ...label("next", commandsOf(why.next)),
  ];
}
const LABEL = 11;

/** A line breaks between two commands, never within one. */
const commandsOf = (next: string): string =>
  next
    .split(/(?<=[;|]) /)
    .map(together)
    .join(" ");

/** `pawl why`: one line for each task that is not terminal. */
export const whyLine = (why: Why, scene: Pick<Scene, "holder">): string =>
  `${why.task}  ${why.at}: ${why.waits_for}${why.noted.length === 0 ? "" : ` (noted: ${notedText(why.noted, scene)})`}`;
