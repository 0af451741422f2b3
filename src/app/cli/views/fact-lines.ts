import { type Fact, isTaskFact, type TaskFact } from "../../../domain/fact.ts";
import { type Instant, type PhaseName, parseLeg, type TaskId } from "../../../domain/names.ts";
import { phaseOf } from "../../../domain/phase.ts";
import type { Task } from "../../../domain/task.ts";
import { width as columnsOf, cut, oneLine, padEnd } from "../printable.ts";
import { counted, short } from "./amounts.ts";
import { findingText, moveText } from "./outcome-text.ts";
import type { Ink } from "./scene.ts";
import { ahead, type Face, timeWithSeconds } from "./times.ts";

/** One thing that happened, for a person: the line `09:31:04 task-005 verify        ADVANCE  PASS, 2 of 2 checks`. */
export interface Line {
  readonly task: TaskId | null;
  readonly phase: string | null;
  readonly word: string;
  readonly text: string;
  readonly tone: "good" | "bad" | "yours" | "plain";
  /** what is waited for: said again only when it is another thing, or something else was told in between */
  readonly waits?: string;
}

/** What the teller may ask of the state after the tick. */
export interface After {
  find(id: TaskId): Task | null;
  map(hash: NonNullable<Task["map"]>): Parameters<typeof phaseOf>[0];
}

/** Facts of one task in one tick, and where it was before them. */
export interface Chapter {
  readonly facts: readonly TaskFact[];
  readonly phase: string | null;
  readonly round: number;
  readonly after: Task | null;
  readonly world: After;
  readonly face: Face;
}

/**
 * Turns the facts of each tick into lines, one for each thing of interest. It remembers the phase of every task that it
 * heard of, since an outcome belongs to the phase that it left; `rows` are those in progress when it begins.
 */
export function factTeller(rows: Iterable<Task>): {
  tell(facts: readonly Fact[], world: After, face: Face): readonly Line[];
} {
  const phases = new Map<TaskId, PhaseName>();
  const news = newsOnly();
  for (const { id, phase } of rows) if (phase !== null) phases.set(id, phase);
  return {
    tell(facts, world, face) {
      const about = facts.flatMap((fact) => (isTaskFact(fact) ? [] : backlogLine(fact)));
      // a deadlock is the end of what the tasks of this tick are told of
      const lines = about.filter(({ word }) => word !== DEADLOCK);
      for (const [task, own] of byTask(facts)) {
        const after = world.find(task);
        const isNew = own.some((fact) => fact.kind === "phase-entered" && fact.cause === "PICKUP");
        const known = phases.get(task) ?? (isNew ? null : (after?.phase ?? null));
        const chapter = { facts: own, phase: known, round: after?.round ?? 0, after, world, face };
        const { told, phase } = linesOf(task, chapter);
        lines.push(...told.filter(news));
        if (phase === null || own.some((fact) => fact.kind === "task-completed")) phases.delete(task);
        else phases.set(task, phase as PhaseName);
      }
      return [...lines, ...about.filter(({ word }) => word === DEADLOCK)];
    },
  };
}
const DEADLOCK = "deadlock";

/** A wait is looked at again and again, and begins anew in the log each time: a person hears of it once. */
function newsOnly(): (line: Line) => boolean {
  const last = new Map<TaskId | null, string | undefined>();
  return ({ task, waits }) => {
    const isOld = waits !== undefined && last.get(task) === waits;
    last.set(task, waits);
    return !isOld;
  };
}

function byTask(facts: readonly Fact[]): ReadonlyMap<TaskId, readonly TaskFact[]> {
  const found = new Map<TaskId, TaskFact[]>();
  for (const fact of facts) {
    if (!isTaskFact(fact)) continue;
    const own = found.get(fact.task);
    if (own) own.push(fact);
    else found.set(fact.task, [fact]);
  }
  return found;
}

function linesOf(task: TaskId, chapter: Chapter): { told: readonly Line[]; phase: string | null } {
  const told: Line[] = [];
  let { phase } = chapter;
  let since = 0;
  chapter.facts.forEach((fact, i) => {
    const said = lineOf(fact, { ...chapter, phase, facts: chapter.facts.slice(since, i) });
    if (said) told.push({ task, phase, ...said });
    if (fact.kind === "phase-entered") {
      phase = fact.phase;
      since = i + 1;
    }
  });
  return { told, phase };
}

type Said = Pick<Line, "word" | "text" | "tone" | "waits"> & { readonly phase?: string | null };

/** What one fact says; null: nothing of interest by itself. `facts`: those before it, since the phase was entered. */
function lineOf(fact: TaskFact, chapter: Chapter): Said | null {
  const { face } = chapter;
  switch (fact.kind) {
    case "phase-entered":
      return moveText(fact, chapter);
    case "worker-spawned":
      return plain(
        "spawned",
        `${whoOf(fact, chapter)}, run ${runText(fact.leg)}; ends by ${ahead(fact.deadline, face)}`,
      );
    case "worker-crashed":
      return { word: "crashed", text: `${fact.role}: ${oneLine(fact.detail)}`, tone: "bad" };
    case "worker-seen":
      return fact.unseen === null ? null : plain("unseen", oneLine(fact.unseen));
    case "worker-asked":
      return fact.question === null
        ? null
        : { word: "asks", text: `${oneLine(fact.question.text)}: pawl answer ${fact.task} "…"`, tone: "yours" };
    case "worker-stopping":
      return plain("stopping", `run ${runText(fact.leg)} (${fact.why})`);
    case "asking-started":
      return askedText(fact, chapter);
    case "task-waiting":
      return waitingText(fact, face);
    case "task-overdue":
      return { word: "overdue", text: "it has waited longer than its timeout, and goes on waiting", tone: "yours" };
    case "finding-waived":
    case "finding-fixed":
      return plain(fact.kind === "finding-waived" ? "waived" : "fixed", findingText(fact.finding));
    case "pr-opened":
      return plain("opened", `${fact.url}, a draft`);
    case "pr-readied":
      return plain("ready", fact.url);
    case "pr-lost":
      return plain("lost", `${fact.url}: ${oneLine(fact.why)}`);
    case "merge-landed":
      return { word: "merged", text: `${short(fact.commit)}${fact.byHand ? ", by hand" : ""}`, tone: "good" };
    case "task-completed":
      return {
        word: "completed",
        text: /^[0-9a-f]{40,64}$/.test(fact.evidence) ? short(fact.evidence) : oneLine(fact.evidence),
        tone: "good",
      };
    case "task-failed":
      return { word: "failed", text: oneLine(fact.why), tone: "bad" };
    case "task-added":
      return plain("added", oneLine(fact.terms.title));
    case "task-respecified":
      return plain("changed", "its file was edited; that counts from the next prompt on");
    case "task-file-gone":
      return plain("file gone", "its file is not there any more; that cancels nothing");
    case "cancel-asked":
      return plain("cancel", oneLine(fact.why));
    case "budget-extended":
      return plain("extended", amountText(fact.amount));
    default:
      return null;
  }
}

const plain = (word: string, text: string): Said => ({ word, text, tone: "plain" });

/** `03-a1`, as `pawl logs --attempt` takes it */
export function runText(leg: string): string {
  const { visit, attempt } = parseLeg(leg);
  return `${String(visit).padStart(2, "0")}-a${attempt}`;
}

function whoOf({ purpose }: Extract<TaskFact, { kind: "worker-spawned" }>, { after, phase, world }: Chapter): string {
  const step = after?.map ? phaseOf(world.map(after.map), phase as PhaseName)?.step : null;
  const name = step?.run === "agent" ? step.role : (step?.name ?? "its command");
  return { agent: name, action: name, ask: `the check of ${name}`, check: "the merge check" }[purpose];
}

function askedText({ signal }: Extract<TaskFact, { kind: "asking-started" }>, { after, phase, world }: Chapter): Said {
  const step = after?.map ? phaseOf(world.map(after.map), phase as PhaseName)?.step : null;
  const what = `${signal}${after?.head ? ` of ${short(after.head)}` : ""}`;
  if (step?.run === "signal" && step.answeredBy === "command") return plain("WAIT", what);
  return { word: "WAIT", text: `${what}: pawl approve ${after?.id ?? "TASK"}`, tone: "yours" };
}

function waitingText({ on }: Extract<TaskFact, { kind: "task-waiting" }>, face: Face): Said {
  const until = on.until === null || on.owner === "human" ? "" : `, until ${ahead(on.until, face)}`;
  // a provider says anew until when; a time of our own is only the next look
  const waits = [
    on.code,
    on.owner,
    on.reason,
    on.code === "rate-limited" || on.code === "provider-down" ? on.until : "",
  ].join(" ");
  return { word: "WAIT", text: oneLine(on.reason) + until, tone: on.owner === "human" ? "yours" : "plain", waits };
}

function amountText({
  microUsd,
  tokens,
  wallMs,
  spawns,
}: {
  microUsd: number;
  tokens: number;
  wallMs: number;
  spawns: number;
}): string {
  const parts = [
    microUsd > 0 ? `$${(microUsd / 1e6).toFixed(2)}` : "",
    tokens > 0 ? `${tokens} tokens` : "",
    wallMs > 0 ? `${Math.round(wallMs / 60_000)}m` : "",
    spawns > 0 ? `${spawns} spawns` : "",
  ];
  return `by ${parts.filter(Boolean).join(", ") || "nothing"}`;
}

function backlogLine(fact: Fact): readonly Line[] {
  const line = (word: string, text: string, tone: Line["tone"] = "plain"): readonly Line[] => [
    { task: null, phase: null, word, text, tone },
  ];
  switch (fact.kind) {
    case "deadlock-found":
      return line(DEADLOCK, `${fact.chain[0]} failed, so ${fact.chain.slice(1).join(" and ")} cannot start`, "bad");
    case "standstill-found":
      return line(DEADLOCK, `nothing goes on by itself: ${counted(fact.stranded.length, "task")} cannot start`, "bad");
    case "stop-asked":
      return line(
        "stopping",
        `asked by ${oneLine(fact.by)}${fact.workers ? "; the workers are ended too" : "; workers go on"}`,
      );
    case "command-answered":
      return fact.accepted ? [] : line("refused", oneLine(fact.reply));
    default:
      return [];
  }
}

/** A line as it is printed. Texts of agents are long: what does not fit is cut with `width`, null leaves it whole. */
export function lineText(
  line: Line,
  at: { readonly now: Instant; readonly face: Face; readonly idWidth: number; readonly width: number | null },
  { paint, marks }: Ink,
): string {
  const time = timeWithSeconds(at.now, at.face);
  const place = `${padEnd(line.task ?? "pawl", at.idWidth)} ${padEnd(line.phase ?? "", 13)}`;
  const word = padEnd(line.word, 8);
  const room = (at.width ?? 0) - columnsOf(`${time} ${place} ${word} `);
  // what you are to do stands at the end, and no command is cut
  const most = line.tone === "yours" ? Math.max(MOST_YOURS, room) : Math.max(12, room);
  const text = at.width === null ? line.text : cut(line.text, most, marks.more);
  const tone = { good: paint.green, bad: paint.red, yours: paint.yellow, plain: (one: string) => one }[line.tone];
  return `${paint.dim(time)} ${place} ${tone(word)} ${text}`;
}
const MOST_YOURS = 500;
