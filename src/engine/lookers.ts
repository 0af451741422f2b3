import type { BranchState, Input, SignalAnswer } from "../domain/input.ts";
import { type BlobHash, type Instant, type LegKey, type Ms, parseLeg, type TaskId } from "../domain/names.ts";
import { isCounted } from "../domain/settle-branch.ts";
import type { Task } from "../domain/task.ts";
import type { Forge } from "../ports/forge.ts";
import type { Inbox } from "../ports/inbox.ts";
import type { Runtime, Seen } from "../ports/runtime.ts";
import type { Question, Signals } from "../ports/signals.ts";
import type { Board } from "./board.ts";
import type { Looker } from "./look.ts";

type Push = (input: Input) => void;
/** An input with the texts that it names by hash. */
type PushWith = (input: Input, blobs?: ReadonlyMap<BlobHash, Uint8Array>) => void;
const RUNS_MS: Ms = 500;
const IDLE_MS: Ms = 1_000;
const SYNC_MS: Ms = 2_000;

const rows = (board: Board, ids: Iterable<TaskId>): readonly Task[] => [...ids].map((id) => board.rows.get(id)!);

/** Runs: only what changed since the last look is an input (processor.md: poll). */
export function lookAtRuns(
  board: Board,
  runtime: Runtime,
  {
    push,
    ended,
    hash,
  }: { push: PushWith; ended: (task: TaskId, leg: LegKey) => void; hash: (bytes: Uint8Array) => BlobHash },
): Looker {
  const last = new Map<LegKey, string>();
  const pushSeen = (leg: LegKey, seen: Seen) => {
    const { task } = parseLeg(leg);
    if (seen.kind !== "gate") return push({ kind: "run-seen", task, leg, sighting: seen });
    const { message, ...rest } = seen;
    const bytes = new TextEncoder().encode(message);
    const submission = hash(bytes);
    push({ kind: "run-seen", task, leg, sighting: { ...rest, submission } }, new Map([[submission, bytes]]));
  };
  return {
    name: "runs",
    onlyReads: true,
    rung: (signal) => runtime.stirred(signal),
    async once(permit) {
      const live = rows(board, board.indexes.running).flatMap(({ id, doing }) =>
        (doing.kind === "running" && !doing.ended) || doing.kind === "at-gate" ? [[doing.leg, id] as const] : [],
      );
      const legs = new Map(live);
      for (const leg of last.keys()) if (!legs.has(leg)) last.delete(leg);
      if (legs.size === 0) return RUNS_MS;
      for (const [leg, sighting] of await runtime.look([...legs.keys()], permit)) {
        const said = JSON.stringify(sighting);
        const before = last.get(leg) ?? JSON.stringify(usual(board.rows.get(legs.get(leg)!)));
        last.set(leg, said);
        if (said === before) continue;
        // its driver saw the end: it is read at once, without a turn to say so first; where nobody saw it, that is an input
        if (sighting.kind === "ended" && sighting.driver === "ended") ended(legs.get(leg)!, leg);
        else pushSeen(leg, sighting);
      }
      return RUNS_MS;
    },
  };
}

/** A worker at work, with the question that its row has: also after a restart only what is other is news. */
function usual(task: Task | undefined): Seen {
  const asks = task?.doing.kind === "running" ? task.doing.asks : null;
  return { kind: "alive", verdictWritten: false, overBudget: false, ...(asks ? { question: asks } : {}) };
}

/** One signal: all tasks that wait for it in one question (architecture 7.1). */
export function lookForSignal(name: string, board: Board, signals: Signals, push: Push): Looker {
  const last = new Map<string, string>();
  return {
    name: `signal ${name}`,
    ...(signals.rung ? { rung: (signal: AbortSignal) => signals.rung!(signal) } : {}),
    async once(permit) {
      const asking = rows(board, board.indexes.asking).filter(
        (task) => task.doing.kind === "asking" && task.doing.signal === name,
      );
      if (asking.length === 0) return IDLE_MS;
      const { seen, againAfterMs } = await signals.ask(asking.map(questionOf), permit);
      const answers = new Map(seen.map(({ task, answer }) => [task, answer] as const));
      for (const task of asking) {
        const answer = answers.get(task.id) ?? pending(name, task);
        const key = `${task.id}/${task.visit}`;
        // an answer about a commit that is not the task's yet is news again when it is
        const said = JSON.stringify([task.head, answer]);
        if (!isAsking(board, task) || last.get(key) === said) continue;
        last.set(key, said);
        push({ kind: "signal-seen", task: task.id, signal: name, answer });
      }
      prune(last, asking);
      return againAfterMs;
    },
  };
}

const isAsking = (board: Board, task: Task): boolean => {
  const now = board.rows.get(task.id);
  return now?.doing.kind === "asking" && now.visit === task.visit && now.head === task.head;
};
const pending = (signal: string, task: Task): SignalAnswer => ({
  id: `${signal}:${task.id}:${task.visit}:pending`,
  status: "pending",
  head: null,
  by: signal,
  message: null,
  findings: [],
});

const questionOf = (task: Task): Question => ({
  task: task.id,
  signal: (task.doing as { signal: string }).signal,
  title: task.terms.title,
  head: task.head,
  branch: task.terms.branch,
  base: task.terms.base,
  pr: task.pr,
  since: (task.doing as { since: Instant }).since,
});

function prune(last: Map<string, string>, asking: readonly Task[]): void {
  const open = new Set(asking.map((task) => `${task.id}/${task.visit}`));
  for (const key of last.keys()) if (!open.has(key)) last.delete(key);
}

/** Branches and pull requests that others may have moved, closed or merged. */
export function lookAtBranches(board: Board, forge: Forge, push: Push): Looker {
  const last = new Map<TaskId, string>();
  return {
    name: "branches",
    ...hintsOf(forge),
    async once(permit) {
      const watched = rows(board, board.indexes.watched);
      if (watched.length === 0) return IDLE_MS;
      const questions = watched.map(({ id, terms, pr }) => ({ task: id, branch: terms.branch, base: terms.base, pr }));
      const asked = new Map(watched.map((task) => [task.id, task] as const));
      const { seen, againAfterMs } = await forge.branches(questions, permit);
      for (const { task, branch } of seen) {
        const row = asked.get(task)!;
        // what could not be taken in one state of the row (a worker at work) is news again in the next
        const said = JSON.stringify([row.visit, row.doing.kind, row.head, row.published, row.pr, branch]);
        if (!isUntouched(board.rows.get(task), row) || last.get(task) === said) continue;
        last.set(task, said);
        if (isNews(row, branch)) push({ kind: "branch-seen", task, branch });
      }
      for (const id of last.keys()) if (!asked.has(id)) last.delete(id);
      return againAfterMs;
    },
  };
}

const hintsOf = (forge: Forge): Pick<Looker, "rung"> =>
  forge.rung ? { rung: (signal: AbortSignal) => forge.rung!(signal) } : {};

/** An answer that our own hands may have overtaken says nothing: the branch is looked at again. */
const isUntouched = (now: Task | undefined, asked: Task): boolean =>
  now !== undefined &&
  now.visit === asked.visit &&
  now.head === asked.head &&
  now.published === asked.published &&
  now.pr === asked.pr &&
  now.doing.kind === asked.doing.kind;

/** What we know already is no input. */
const isNews = (task: Task, seen: BranchState): boolean =>
  seen.head !== task.published ||
  seen.merged !== null ||
  seen.pr === "closed" ||
  (seen.pr === "open" && !task.ready) ||
  isCounted(task, seen);

/** Merges that are not on their base yet: looked at again until they are (architecture 6.3). */
export function lookAtBase(board: Board, forge: Forge, push: Push): Looker {
  return {
    name: "base",
    ...hintsOf(forge),
    async once(permit) {
      const unsynced = rows(board, board.indexes.unsynced);
      for (const base of new Set(unsynced.map((task) => task.terms.base))) {
        const tasks = unsynced.filter((task) => task.terms.base === base);
        const held = await forge.contains(
          base,
          tasks.map((task) => task.merged!),
          permit,
        );
        for (const task of tasks)
          if (held.has(task.merged!)) push({ kind: "base-seen", task: task.id, contains: true });
      }
      return SYNC_MS;
    },
  };
}

/** Requests of other processes. */
export function lookIntoInbox(inbox: Inbox, push: Push): Looker {
  const pushed = new Set<string>();
  return {
    name: "inbox",
    async *rung(signal) {
      while (!signal.aborted) {
        await inbox.rung(signal);
        yield;
      }
    },
    async once() {
      const unread = await inbox.unread(512);
      const open = new Set(unread.map((request) => request.id));
      for (const id of pushed) if (!open.has(id)) pushed.delete(id);
      for (const request of unread) {
        if (pushed.has(request.id)) continue; // it is on its way through a tick
        pushed.add(request.id);
        push(request);
      }
      return IDLE_MS;
    },
  };
}
