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
import type { Tick } from "../ports/store.ts";
import type { Board } from "./board.ts";
import type { Arrived } from "./intake.ts";
import { dress, type Undressed, type Wardrobe } from "./orders.ts";

export interface Turned {
  /** what is to be committed; null: nothing came in and nothing was due, no transaction */
  readonly tick: Tick | null;
  readonly facts: readonly Fact[];
  /** to be started once the tick is durable */
  readonly started: readonly Intent[];
}
export interface DecideParts {
  readonly board: Board;
  /** the row of a terminal task, as the last turn left it; null: none of that id */
  readonly stored: (id: TaskId) => Promise<Task | null>;
  readonly wardrobe: Wardrobe;
  readonly build: string;
}

/**
 * One turn: settles what came in, and decides. Never waits for an effect. Nothing is durable: its tick is to be committed
 * whole and after those before it, and where that fails the board is not to be used any more.
 */
export async function decideTick(
  seq: number,
  now: Instant,
  arrived: readonly Arrived[],
  parts: DecideParts,
): Promise<Turned> {
  const { board } = parts;
  board.now = now;
  const draft: Draft = { facts: [], maps: [], blobs: new Map(), started: [] };
  await hydrate(parts, arrived);
  const massEnd = isMassEnd(arrived, board);
  for (const one of arrived) settleOne(one, draft, board, massEnd);
  await decideAll(draft, parts);
  startReaps(draft, board);
  const { facts, started } = draft;
  const isSaying = arrived.length + facts.length > 0;
  return { tick: isSaying ? tickOf({ seq, now, arrived, build: parts.build }, draft, board) : null, facts, started };
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

async function decideAll(draft: Draft, parts: DecideParts): Promise<void> {
  const { board } = parts;
  for (const pass of PASSES) {
    const decision = pass(board);
    for (const fact of decision.facts) note(fact, draft, board);
    await startAll(decision.intents, draft, parts);
  }
}

async function startAll(
  intents: readonly WantedIntent[],
  draft: Draft,
  { board, wardrobe }: DecideParts,
): Promise<void> {
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

/** What the store is to write; the board takes it as written. */
function tickOf(
  of: { seq: number; now: Instant; arrived: readonly Arrived[]; build: string },
  { facts, maps, blobs }: Draft,
  board: Board,
): Tick {
  const { arrived, ...rest } = of;
  const tick = { ...rest, inputs: arrived.map((one) => one.input), facts, maps, blobs, ...board.changes() };
  board.kept();
  return tick;
}

/** A command about a task that ended long ago needs its row; so do a deadlock that names one, and a file of one that was read just before. */
const FILED: ReadonlySet<Input["kind"]> = new Set(["command-received", "spec-read", "spec-gone"]);
async function hydrate({ board, stored }: DecideParts, arrived: readonly Arrived[]): Promise<void> {
  const named = arrived.flatMap(({ input }) =>
    FILED.has(input.kind) && "task" in input && input.task !== null ? [input.task] : [],
  );
  for (const id of board.missing([...named, ...board.failedRoots()])) {
    const row = await stored(id);
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
