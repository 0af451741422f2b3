import { compareIds, type TaskId } from "../domain/names.ts";
import { SortedIds } from "./sorted-ids.ts";

interface Bucket {
  readonly kin: string;
  readonly ids: SortedIds;
}

/**
 * Ids in natural order, in buckets of kin: tasks that get the same answer when they ask for a slot. Who walks may bar a
 * kin on the way, and pays for it once, not once per task: of 100,000 that touch what is at work, one is looked at.
 */
export class Queue {
  readonly #of = new Map<TaskId, Bucket>();
  readonly #buckets = new Map<string, Bucket>();
  /** the lowest of each bucket */
  readonly #heads = new SortedIds();

  get size(): number {
    return this.#of.size;
  }
  kin(id: TaskId): string {
    return this.#of.get(id)?.kin ?? "";
  }
  put(id: TaskId, kin: string): void {
    if (this.#of.get(id)?.kin === kin) return;
    this.delete(id);
    const bucket = this.#buckets.get(kin) ?? { kin, ids: new SortedIds() };
    this.#buckets.set(kin, bucket);
    this.#of.set(id, bucket);
    this.#change(bucket, () => bucket.ids.add(id));
  }
  delete(id: TaskId): void {
    const bucket = this.#of.get(id);
    if (bucket === undefined) return;
    this.#of.delete(id);
    this.#change(bucket, () => bucket.ids.delete(id));
    if (bucket.ids.size === 0) this.#buckets.delete(bucket.kin);
  }
  /** Lowest first, lazily; kin that is in `barred` by then is passed over. The queue must not change meanwhile. */
  *walk(barred: ReadonlySet<string> = new Set()): Generator<TaskId> {
    const heads = this.#heads[Symbol.iterator]();
    let head = heads.next();
    let open: { readonly bucket: Bucket; next: number }[] = [];
    for (;;) {
      open = open.filter(({ bucket, next }) => next < bucket.ids.size && !barred.has(bucket.kin));
      const ahead = open.reduce<(typeof open)[number] | null>(
        (a, b) => (a && compareIds(idOf(a), idOf(b)) < 0 ? a : b),
        null,
      );
      if (ahead && (head.done || compareIds(idOf(ahead), head.value) < 0)) {
        yield ahead.bucket.ids.at(ahead.next++)!;
        continue;
      }
      if (head.done) return;
      const id = head.value;
      head = heads.next();
      const bucket = this.#of.get(id)!;
      if (barred.has(bucket.kin)) continue;
      open.push({ bucket, next: 1 });
      yield id;
    }
  }
  [Symbol.iterator](): Iterator<TaskId> {
    return this.walk();
  }

  #change(bucket: Bucket, change: () => void): void {
    const before = bucket.ids.at(0);
    change();
    const after = bucket.ids.at(0);
    if (before === after) return;
    if (before !== undefined) this.#heads.delete(before);
    if (after !== undefined) this.#heads.add(after);
  }
}

const idOf = ({ bucket, next }: { readonly bucket: Bucket; readonly next: number }): TaskId => bucket.ids.at(next)!;
