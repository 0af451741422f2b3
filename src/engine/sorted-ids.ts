import { idKey, type TaskId } from "../domain/names.ts";

/** A set of ids in natural order. Adding behind the last costs nothing; elsewhere it is a binary search and a move. */
export class SortedIds {
  readonly #keys: string[] = [];
  readonly #ids: TaskId[] = [];

  get size(): number {
    return this.#ids.length;
  }
  at(place: number): TaskId | undefined {
    return this.#ids[place];
  }
  has(id: TaskId): boolean {
    const at = this.#find(idKey(id), id);
    return this.#ids[at] === id;
  }
  add(id: TaskId): void {
    const key = idKey(id);
    const last = this.#keys.at(-1);
    const at = last === undefined || last < key ? this.#ids.length : this.#find(key, id);
    if (this.#ids[at] === id) return;
    this.#keys.splice(at, 0, key);
    this.#ids.splice(at, 0, id);
  }
  delete(id: TaskId): void {
    const at = this.#find(idKey(id), id);
    if (this.#ids[at] !== id) return;
    this.#keys.splice(at, 1);
    this.#ids.splice(at, 1);
  }
  /** Walked lazily; the set must not change while it is walked. */
  [Symbol.iterator](): IterableIterator<TaskId> {
    return this.#ids[Symbol.iterator]();
  }

  /** where it is, or would be */
  #find(key: string, id: TaskId): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const k = this.#keys[middle]!;
      if (k < key || (k === key && this.#ids[middle]! < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
