import type { Limits } from "../domain/backlog.ts";
import { compareIds, type Instant, type TaskId } from "../domain/names.ts";
import type { PhaseMap } from "../domain/phase.ts";
import type { Task, Terms } from "../domain/task.ts";
import type { Pool } from "../domain/world.ts";
import type { Dependencies } from "./dependencies.ts";
import { placeOf, type RowPlace } from "./place.ts";
import { Queue } from "./queue.ts";
import { SortedIds } from "./sorted-ids.ts";
import { Wakes } from "./wakes.ts";

interface Queued {
  readonly id: TaskId;
  readonly entered: Instant;
}

/** Queues, slots, lanes and wakes over the rows: changed row by row, equal to ones built from nothing. */
export class Indexes {
  readonly queues: Record<Pool, Queue> = { worker: new Queue(), run: new Queue() };
  readonly holders: Record<Pool, SortedIds> = { worker: new SortedIds(), run: new SortedIds() };
  readonly running = new SortedIds();
  /** runs that ended and are to be read */
  readonly over = new SortedIds();
  readonly asking = new SortedIds();
  readonly gated = new SortedIds();
  readonly watched = new SortedIds();
  readonly unsynced = new SortedIds();
  readonly broke = new SortedIds();
  readonly #acting = new SortedIds();
  readonly #lanes = new Map<string, Queued[]>();
  readonly #wakes = new Wakes();
  readonly #places = new Map<TaskId, RowPlace>();
  readonly #dependencies: Dependencies;
  readonly #isReading: (id: TaskId) => boolean;
  readonly #only: ReadonlySet<TaskId> | null;
  #kin: { readonly phases: string; readonly touches: readonly string[]; readonly text: string } | null = null;

  constructor(dependencies: Dependencies, isReading: (id: TaskId) => boolean, only: ReadonlySet<TaskId> | null) {
    this.#dependencies = dependencies;
    this.#isReading = isReading;
    this.#only = only;
  }

  seed({ id, terms }: { readonly id: TaskId; readonly terms: Pick<Terms, "draft" | "phases" | "touches"> }): void {
    const wanted = this.#only === null || this.#only.has(id);
    const ready = wanted && !terms.draft && this.#dependencies.isReady(id);
    // kin: not started, the same map, the same places to touch
    if (ready) this.queues.worker.put(id, this.#kinOf(terms));
    else this.queues.worker.delete(id);
  }
  /** Most have the same as the one before. */
  #kinOf({ phases, touches }: Pick<Terms, "phases" | "touches">): string {
    if (this.#kin?.phases !== phases || this.#kin.touches !== touches)
      this.#kin = { phases, touches, text: JSON.stringify([phases, ...touches]) };
    return this.#kin.text;
  }
  row(task: Task, map: PhaseMap | null, limits: Limits): void {
    const { id } = task;
    const before = this.#places.get(id);
    const place = placeOf(task, map, limits);
    if (before === undefined) this.queues.worker.delete(id); // it was a seed
    this.#places.set(id, place);
    for (const pool of ["worker", "run"] as const) {
      if (place.queue === pool) this.queues[pool].put(id, JSON.stringify([null, ...task.terms.touches]));
      else if (before?.queue === pool) this.queues[pool].delete(id);
      member(this.holders[pool], id, before?.holds === pool, place.holds === pool);
    }
    for (const [set, key] of this.#sets()) member(set, id, before?.[key] ?? false, place[key]);
    this.#lane(task, before?.lane ?? null, place.lane);
    this.#wakes.set(id, place.wake);
  }
  drop(id: TaskId): void {
    this.#places.delete(id);
    this.#wakes.set(id, null);
  }
  /** those that can be acted on; of each merge lane the first alone, and only while nothing of that lane is at work */
  acting(): readonly TaskId[] {
    const first = new Map<string, TaskId | null>();
    return [...this.#acting].filter((id) => {
      if (this.#isReading(id)) return false;
      const lane = this.#places.get(id)!.lane;
      if (lane === null) return true;
      if (!first.has(lane)) first.set(lane, this.#firstOf(lane));
      return first.get(lane) === id;
    });
  }
  /** who is before it in its merge lane: those at work, then those that came earlier */
  ahead(id: TaskId): readonly TaskId[] {
    const place = this.#places.get(id);
    if (place === undefined || place.lane === null || this.#isBusy(id)) return [];
    const queue = this.#lanes.get(place.lane)!.map((queued) => queued.id);
    const busy = queue.filter((other) => this.#isBusy(other));
    return [...new Set([...busy, ...queue.slice(0, queue.indexOf(id))])];
  }
  due(now: Instant): readonly TaskId[] {
    return this.#wakes.due(now).sort(compareIds);
  }
  nextWake(): Instant | null {
    return this.#wakes.next();
  }
  /** everything as plain data, to be held against one built from nothing */
  picture(): unknown {
    const lanes = [...this.#lanes].filter(([, queue]) => queue.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
    const sets = [...this.#sets()].map(([set, key]) => [key, [...set]]);
    return {
      queues: { worker: [...this.queues.worker], run: [...this.queues.run] },
      holders: { worker: [...this.holders.worker], run: [...this.holders.run] },
      sets,
      lanes: lanes.map(([base, queue]) => [base, queue.map((queued) => queued.id)]),
      wake: this.nextWake(),
    };
  }

  #isBusy = (id: TaskId): boolean => this.#places.get(id)!.atWork || this.#isReading(id);

  #firstOf(lane: string): TaskId | null {
    const queue = this.#lanes.get(lane)!;
    return queue.some(({ id }) => this.#isBusy(id)) ? null : queue[0]!.id;
  }
  #sets() {
    return [
      [this.#acting, "acting"],
      [this.running, "running"],
      [this.over, "over"],
      [this.asking, "asking"],
      [this.gated, "gated"],
      [this.watched, "watched"],
      [this.unsynced, "unsynced"],
      [this.broke, "broke"],
    ] as const;
  }
  #lane(task: Task, before: string | null, after: string | null): void {
    if (before !== null) {
      const old = this.#lanes.get(before)!;
      old.splice(
        old.findIndex((queued) => queued.id === task.id),
        1,
      );
    }
    if (after === null) return;
    const queue = this.#lanes.get(after) ?? [];
    this.#lanes.set(after, queue);
    const at = queue.findIndex(
      (queued) =>
        queued.entered > task.entered || (queued.entered === task.entered && compareIds(queued.id, task.id) > 0),
    );
    queue.splice(at < 0 ? queue.length : at, 0, { id: task.id, entered: task.entered });
  }
}

function member(set: SortedIds, id: TaskId, was: boolean, is: boolean): void {
  if (was === is) return;
  if (is) set.add(id);
  else set.delete(id);
}
