import type { Backlog } from "../domain/backlog.ts";
import { evolve } from "../domain/evolve.ts";
import { evolveBacklog, strandings } from "../domain/evolve-backlog.ts";
import { type Fact, isTaskFact, type TaskFact } from "../domain/fact.ts";
import {
  type Commit,
  compareIds,
  type EffectKey,
  type Instant,
  idKey,
  type MapHash,
  type TaskId,
} from "../domain/names.ts";
import type { PhaseMap } from "../domain/phase.ts";
import { pristine, seedOf } from "../domain/pristine.ts";
import { Seeds } from "../domain/seeds.ts";
import type { Seed, Task, Terms } from "../domain/task.ts";
import { isTerminal } from "../domain/task.ts";
import type { Pool, World } from "../domain/world.ts";
import type { Ended, Snapshot } from "../ports/store.ts";
import { Dependencies } from "./dependencies.ts";
import { restOf } from "./end.ts";
import { Indexes } from "./indexes.ts";

/** As much of a seed as says where it belongs. */
interface Placed {
  readonly id: TaskId;
  readonly terms: Omit<Terms, "title" | "branch">;
}

export interface Changes {
  readonly rows: readonly Task[];
  readonly seeds: readonly Seed[];
  readonly backlog: Backlog | null;
}

/**
 * The rows in memory and what is computed from them: seeds for what has not started, rows for what is in progress,
 * hardly anything for the terminal. Facts are its only change. When a commit fails it is thrown away and loaded again,
 * never repaired.
 */
export class Board implements World {
  now: Instant;
  backlog: Backlog;
  readonly maps = new Map<MapHash, PhaseMap>();
  readonly seeds: Seeds;
  readonly rows = new Map<TaskId, Task>();
  readonly ended = new Map<TaskId, Ended>();
  readonly #indexes: Indexes;
  /** rows whose place in the indexes is to be found again: once per look, not once per fact */
  readonly #dirty = new Set<TaskId>();
  readonly #dependencies: Dependencies;
  readonly #reads = new Map<TaskId, EffectKey>();
  /** failed tasks whose dependants are to be looked for */
  readonly #newlyFailed = new Set<TaskId>();
  /** rows of terminal tasks, read again for this tick */
  readonly #hydrated = new Set<TaskId>();
  /** how many tasks are failed: with none, nobody hangs on one */
  #failed = 0;
  #isLoaded = false;
  #changedRows = new Set<TaskId>();
  #changedSeeds = new Set<TaskId>();
  #backlogChanged = false;

  /** `only`: no other task is picked up (what is in progress goes on); null: all */
  constructor(snapshot: Snapshot, only: ReadonlySet<TaskId> | null = null) {
    this.now = snapshot.now;
    this.backlog = snapshot.backlog;
    this.seeds = Seeds.of(snapshot.seeds);
    this.#dependencies = new Dependencies((id) => this.isMet(id));
    this.#indexes = new Indexes(this.#dependencies, (id) => this.#reads.has(id), only);
    for (const [hash, map] of snapshot.maps) this.maps.set(hash, map);
    for (const ended of snapshot.ended) this.ended.set(ended.id, ended);
    for (const row of snapshot.live) this.#setRow(row);
    // in the order in which the queues have them, each goes behind the last: a hundred thousand in any other order are
    // as many moves within a long list
    for (const id of inOrder(this.seeds.keys())) this.#placeSeed({ id, terms: this.seeds.commonOf(id)! });
    this.#isLoaded = true;
    for (const { id, status } of snapshot.ended)
      if (status === "failed") {
        this.#failed++;
        this.#newlyFailed.add(id);
      }
  }

  // ── what decide() and explain() see
  task(id: TaskId): Task {
    const task = this.find(id);
    if (task === null) throw new RangeError(`no row of ${id} is loaded`);
    return task;
  }
  map(hash: MapHash): PhaseMap {
    const map = this.maps.get(hash);
    if (map === undefined) throw new RangeError(`no map ${hash} is loaded`);
    return map;
  }
  newest(name: string): PhaseMap | null {
    const hash = Object.hasOwn(this.backlog.maps, name) ? this.backlog.maps[name] : undefined;
    return hash === undefined ? null : (this.maps.get(hash) ?? null);
  }
  acting(): readonly TaskId[] {
    return this.backlog.stopping ? [] : this.indexes.acting();
  }
  broke(): readonly TaskId[] {
    return [...this.indexes.broke];
  }
  due(): readonly TaskId[] {
    return this.indexes.due(this.now);
  }
  eligible(pool: Pool, barred?: ReadonlySet<string>): Iterable<TaskId> {
    return this.backlog.stopping ? [] : this.indexes.queues[pool].walk(barred);
  }
  kin(pool: Pool, id: TaskId): string {
    return this.indexes.queues[pool].kin(id);
  }
  holders(pool: Pool): readonly Task[] {
    return [...this.indexes.holders[pool]].map((id) => this.rows.get(id)!);
  }
  reading(id: TaskId): boolean {
    return this.#reads.has(id);
  }
  unmet(id: TaskId): readonly TaskId[] {
    return this.#dependencies.unmet(id);
  }
  statusOf(id: TaskId): Task["status"] | null {
    return this.rows.get(id)?.status ?? this.ended.get(id)?.status ?? (this.seeds.has(id) ? "not-started" : null);
  }
  mergedOf(id: TaskId): Commit | null {
    return this.rows.get(id)?.merged ?? this.ended.get(id)?.merged ?? null;
  }
  ahead(id: TaskId): readonly TaskId[] {
    return this.indexes.ahead(id);
  }
  stranded(): readonly (readonly TaskId[])[] {
    const known = new Set(this.backlog.deadlocks);
    const roots = [...this.#newlyFailed].filter((id) => this.rows.get(id)?.status === "failed");
    return roots
      .flatMap((root) => this.#dependencies.chains(root))
      .filter((chain) => strandings(chain).some((pair) => !known.has(pair)));
  }

  standstill(): readonly (readonly TaskId[])[] {
    if (this.#failed === 0 || this.backlog.standstill || restOf(this, 0 as Instant) === "moving") return [];
    return [...this.rows.values()]
      .filter(({ status }) => status === "failed")
      .flatMap(({ id }) => this.#dependencies.chains(id));
  }

  // ── what the engine does with it
  get indexes(): Indexes {
    for (const id of this.#dirty) this.#index(this.rows.get(id)!);
    this.#dirty.clear();
    return this.#indexes;
  }
  find(id: TaskId): Task | null {
    const row = this.rows.get(id);
    if (row !== undefined) return row;
    const seed = this.seeds.get(id);
    return seed === undefined ? null : pristine(seed);
  }
  /** rows of terminal tasks that have to be read from the store before they can be told anything */
  missing(ids: Iterable<TaskId>): readonly TaskId[] {
    return [...ids].filter((id) => this.ended.has(id) && !this.rows.has(id));
  }
  /** failed tasks that others hang on */
  failedRoots(): readonly TaskId[] {
    return [...this.#newlyFailed].filter((id) => this.#dependencies.hasDependants(id));
  }
  hydrate(row: Task): void {
    this.rows.set(row.id, row);
    this.#hydrated.add(row.id);
  }
  addMap(map: PhaseMap): void {
    this.maps.set(map.hash, map);
  }
  /** the read of each task that is under way */
  get reads(): ReadonlyMap<TaskId, EffectKey> {
    return this.#reads;
  }
  startRead(id: TaskId, key: EffectKey): void {
    this.#reads.set(id, key);
  }
  /** only the read that is under way is over: an effect beside it may have ended */
  endRead(id: TaskId, key: EffectKey): void {
    if (this.#reads.get(id) === key) this.#reads.delete(id);
  }
  apply(fact: Fact): void {
    const backlog = evolveBacklog(this.backlog, fact);
    if (backlog !== this.backlog) this.#backlogChanged = true;
    const sorted = backlog.limits !== this.backlog.limits;
    this.backlog = backlog;
    if (sorted) for (const id of this.rows.keys()) this.#dirty.add(id);
    if (fact.kind === "deadlock-found") this.#newlyFailed.delete(fact.chain[0]!);
    if (isTaskFact(fact)) this.#applyTo(fact);
  }
  changes(): Changes {
    const rows = [...this.#changedRows].map((id) => this.rows.get(id)!);
    const seeds = [...this.#changedSeeds].filter((id) => !this.#changedRows.has(id)).map((id) => this.seeds.get(id)!);
    return { rows, seeds, backlog: this.#backlogChanged ? this.backlog : null };
  }
  /** the changes are durable: what is terminal and has nothing open is let go */
  kept(): void {
    // looked at in this tick, or nothing hangs on it: a task that comes to hang on it brings it back
    for (const id of this.#newlyFailed)
      if (this.rows.has(id) || !this.#dependencies.hasDependants(id)) this.#newlyFailed.delete(id);
    for (const id of new Set([...this.#changedRows, ...this.#hydrated])) this.#letGo(this.rows.get(id)!);
    this.#hydrated.clear();
    this.#changedRows = new Set();
    this.#changedSeeds = new Set();
    this.#backlogChanged = false;
  }

  #applyTo(fact: TaskFact): void {
    if (fact.kind === "task-added") {
      this.#changedSeeds.add(fact.task);
      return this.#setSeed({ id: fact.task, spec: fact.spec, terms: fact.terms, gone: false });
    }
    const task = evolve(this.task(fact.task), fact);
    if (task.status === "not-started") {
      this.#changedSeeds.add(task.id);
      return this.#setSeed(seedOf(task));
    }
    this.#changedRows.add(task.id);
    this.#setRow(task);
  }
  #setSeed(seed: Seed): void {
    this.seeds.set(seed.id, seed);
    this.#placeSeed(seed);
  }
  #placeSeed(seed: Placed): void {
    this.#dependencies.put(seed);
    this.#indexes.seed(seed);
    if (this.#isLoaded) for (const root of this.#failedAbove(seed)) this.#newlyFailed.add(root);
    for (const id of this.#dependencies.recount(seed.id)) this.#reseed(id);
  }
  /** failed tasks that this one hangs on, through others that have not started */
  #failedAbove(seed: Placed): ReadonlySet<TaskId> {
    const failed = new Set<TaskId>();
    if (this.#failed === 0) return failed;
    const seen = new Set<TaskId>();
    for (const open = [...seed.terms.deps]; open.length > 0; ) {
      const id = open.pop()!;
      if (seen.has(id)) continue;
      seen.add(id);
      if (this.statusOf(id) === "failed") failed.add(id);
      else open.push(...(this.seeds.get(id)?.terms.deps ?? []));
    }
    return failed;
  }
  #reseed(id: TaskId): void {
    const seed = this.seeds.get(id);
    if (seed) this.#indexes.seed(seed);
  }
  #setRow(task: Task): void {
    if (this.seeds.delete(task.id)) this.#dependencies.drop(task.id);
    const before = this.isMet(task.id);
    const failedBefore = this.rows.get(task.id)?.status === "failed";
    this.rows.set(task.id, task);
    this.ended.delete(task.id);
    this.#dirty.add(task.id);
    if (task.status === "failed" && !failedBefore) this.#newlyFailed.add(task.id);
    if ((task.status === "failed") !== failedBefore) this.#failed += failedBefore ? -1 : 1;
    if (before !== this.isMet(task.id)) for (const id of this.#dependencies.recount(task.id)) this.#reseed(id);
  }
  #index(task: Task): void {
    this.#indexes.row(task, task.map === null ? null : (this.maps.get(task.map) ?? null), this.backlog.limits);
  }
  #letGo(task: Task): void {
    if (!isTerminal(task) || task.chores.length > 0) return;
    if (task.status === "completed" && !task.synced) return;
    // what hangs on it is told of again
    if (task.status === "failed" && this.#dependencies.hasDependants(task.id)) return;
    this.indexes.drop(task.id);
    this.rows.delete(task.id);
    this.ended.set(task.id, { id: task.id, status: task.status, synced: task.synced, merged: task.merged });
  }
  /** completed, and its work in the base: what hangs on it may start */
  isMet(id: TaskId): boolean {
    const task = this.rows.get(id) ?? this.ended.get(id);
    return task !== undefined && task.status === "completed" && task.synced;
  }
}

/** They mostly come in that order. */
function inOrder(some: Iterable<TaskId>): readonly TaskId[] {
  const ids = [...some];
  let last = "";
  for (const id of ids) {
    const key = idKey(id);
    if (key < last) return ids.sort(compareIds);
    last = key;
  }
  return ids;
}
