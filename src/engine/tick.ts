import { PASSES } from "../domain/decide.ts";
import { PawlError } from "../domain/errors.ts";
import type { Fact } from "../domain/fact.ts";
import type { Input } from "../domain/input.ts";
import { type Intent, isTrace, type WantedIntent } from "../domain/intent.ts";
import { type BlobHash, type EffectKey, type Instant, type LegKey, parseLeg, type TaskId } from "../domain/names.ts";
import type { PhaseMap } from "../domain/phase.ts";
import { settle } from "../domain/settle.ts";
import { undressed } from "../domain/slots.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports/store.ts";
import type { Board } from "./board.ts";
import type { Arrived } from "./intake.ts";
import { dress, type Undressed, type Wardrobe } from "./orders.ts";

export interface Turned {
  /** false: nothing came in and nothing was due, no transaction */
  readonly committed: boolean;
  readonly facts: readonly Fact[];
  /** to be started now, after the commit */
  readonly started: readonly Intent[];
}
export interface TickParts {
  readonly board: Board;
  readonly store: Store;
  readonly wardrobe: Wardrobe;
  readonly epoch: number;
  readonly build: string;
}

/**
 * One turn: settle what came in, decide, commit both in one transaction. Never waits for an effect. Durable when it
 * resolves with `committed`; throws LEASE_LOST when the store fences it, and whatever the store throws: then the board
 * is not to be used any more.
 */
export async function tick(seq: number, now: Instant, arrived: readonly Arrived[], parts: TickParts): Promise<Turned> {
  const { board } = parts;
  board.now = now;
  const draft: Draft = { facts: [], maps: [], blobs: new Map(), started: [] };
  await hydrate(parts, arrived);
  const massEnd = isMassEnd(arrived, board);
  for (const one of arrived) settleOne(one, draft, board, massEnd);
  await decideAll(draft, parts);
  startReaps(draft, board);
  if (arrived.length + draft.facts.length > 0) await commit(seq, now, arrived, draft, parts);
  return { committed: arrived.length + draft.facts.length > 0, facts: draft.facts, started: draft.started };
}

interface Draft {
  readonly facts: Fact[];
  readonly maps: PhaseMap[];
  readonly blobs: Map<BlobHash, Uint8Array>;
  readonly started: Intent[];
}

function note(fact: Fact, draft: Draft, board: Board): void {
  draft.facts.push(fact);
  board.apply(fact);
  if (fact.kind === "effect-intended") draft.started.push(fact.intent);
}

function settleOne({ input, blobs }: Arrived, draft: Draft, board: Board, massEnd: boolean): void {
  for (const [hash, bytes] of blobs ?? []) draft.blobs.set(hash, bytes);
  if (input.kind === "map-read") {
    board.addMap(input.map);
    draft.maps.push(input.map);
  }
  if (input.kind === "effect-ended") board.endRead(input.task, input.key);
  if (input.kind === "run-ended") board.endRead(input.task, reapKey(input.leg));
  const tasks =
    input.kind === "clock-gap" ? [...board.indexes.running].map((id) => board.find(id)) : [taskOf(input, board)];
  for (const task of tasks)
    for (const fact of settle(task, input, settingOf(task, board, massEnd))) note(fact, draft, board);
}

const taskOf = (input: Input, board: Board): Task | null =>
  "task" in input && input.task !== null ? board.find(input.task) : null;

function settingOf(task: Task | null, board: Board, massEnd: boolean) {
  const map = task === null || task.map === null ? null : board.map(task.map);
  return {
    now: board.now,
    backlog: board.backlog,
    map,
    newest: task === null ? null : board.newest(task.terms.phases),
    massEnd,
    unmet: task === null || task.map !== null ? [] : task.terms.deps.filter((dep) => !board.isMet(dep)),
  };
}

async function decideAll(draft: Draft, parts: TickParts): Promise<void> {
  const { board } = parts;
  for (const pass of PASSES) {
    const decision = pass(board);
    for (const fact of decision.facts) note(fact, draft, board);
    await startAll(decision.intents, draft, parts);
  }
}

async function startAll(intents: readonly WantedIntent[], draft: Draft, { board, wardrobe }: TickParts): Promise<void> {
  for (const wanted of intents) {
    const dressed =
      wardrobe.logged?.(wanted) ??
      (await dress(wanted, wardrobe, draft.blobs).catch((error: unknown) => cannotStart(wanted, error)));
    if ("why" in dressed) {
      for (const fact of undressed(board.task(wanted.task), wanted, dressed.why, board.now)) note(fact, draft, board);
      continue;
    }
    const { intent, blob } = dressed;
    if (blob) draft.blobs.set(blob.hash, blob.bytes);
    if (isTrace(intent)) note({ kind: "effect-intended", task: intent.task, intent, at: board.now }, draft, board);
    else {
      board.startRead(intent.task, intent.key);
      draft.started.push(intent);
    }
  }
}

/** Configuration that a task on an older map still needs is gone: that task is held, and all others go on. */
function cannotStart(wanted: WantedIntent, error: unknown): Undressed {
  if (!(error instanceof PawlError) || !MISSING.has(error.code)) throw error;
  return { why: `${error.message}; ${error.next ?? ""}, then pawl retry ${wanted.task}` };
}
const MISSING: ReadonlySet<string> = new Set(["AGENT_MISSING", "ACTION_MISSING", "CHECK_MISSING"]);

/** A run that ended is read, once; a crash before its end is recorded only means that it is read again. */
function startReaps(draft: Draft, board: Board): void {
  for (const id of board.indexes.over) {
    const { doing } = board.task(id);
    if (doing.kind !== "running" || board.reading(id)) continue;
    draft.started.push(reapOf(id, doing.leg, board));
  }
}

/** The reading of a run that ended; the board knows from now on that it is under way. */
export function reapOf(task: TaskId, leg: LegKey, board: Board): Intent {
  const key = reapKey(leg);
  board.startRead(task, key);
  return { kind: "reap", key, task, leg };
}

function reapKey(leg: LegKey): EffectKey {
  const { task, visit } = parseLeg(leg);
  return `${task}/${visit}/reap/${leg}` as EffectKey;
}

async function commit(
  seq: number,
  now: Instant,
  arrived: readonly Arrived[],
  draft: Draft,
  { board, store, epoch, build }: TickParts,
): Promise<void> {
  const inputs = arrived.map((one) => one.input);
  const done = await store.commit(epoch, {
    seq,
    now,
    build,
    inputs,
    facts: draft.facts,
    maps: draft.maps,
    blobs: draft.blobs,
    ...board.changes(),
  });
  if (done === "fenced")
    throw new PawlError(
      "LEASE_LOST",
      "another processor holds the store now; this one stops, and nothing of this turn was done",
      { next: "pawl status shows the other one" },
    );
  board.kept();
}

/** A command about a task that ended long ago needs its row; so do a deadlock that names one, and a file of one that was read just before. */
const FILED: ReadonlySet<Input["kind"]> = new Set(["command-received", "spec-read", "spec-gone"]);
async function hydrate({ board, store }: TickParts, arrived: readonly Arrived[]): Promise<void> {
  const named = arrived.flatMap(({ input }) =>
    FILED.has(input.kind) && "task" in input && input.task !== null ? [input.task] : [],
  );
  for (const id of board.missing([...named, ...board.failedRoots()])) {
    const row = await store.task(id);
    if (row) board.hydrate(row);
  }
}

/** Five or more workers, and half of all, ended with nobody seeing how: the machine's doing, not theirs (architecture 5.2). */
function isMassEnd(arrived: readonly Arrived[], board: Board): boolean {
  const gone = arrived.filter(
    ({ input }) => input.kind === "run-seen" && input.sighting.kind === "ended" && input.sighting.driver === "gone",
  );
  return gone.length >= 5 && gone.length * 2 >= board.indexes.running.size;
}
