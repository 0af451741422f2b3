import type { Instant, TaskId } from "../domain/names.ts";

interface Wake {
  readonly at: Instant;
  readonly id: TaskId;
}

/** When each task falls due: a heap with one live entry per task; older entries of a task are dropped when met. */
export class Wakes {
  readonly #heap: Wake[] = [];
  readonly #live = new Map<TaskId, Instant>();

  set(id: TaskId, at: Instant | null): void {
    if (at === null) {
      this.#live.delete(id);
      return;
    }
    if (this.#live.get(id) === at) return;
    this.#live.set(id, at);
    this.#push({ at, id });
  }
  next(): Instant | null {
    while (this.#heap.length > 0 && !this.#isLive(this.#heap[0]!)) this.#pop();
    return this.#heap[0]?.at ?? null;
  }
  /** tasks whose time has come, in no order; they stay until their time is set anew */
  due(now: Instant): TaskId[] {
    const due: Wake[] = [];
    for (let at = this.next(); at !== null && at <= now; at = this.next()) {
      const wake = this.#pop()!;
      if (!due.some((other) => other.id === wake.id)) due.push(wake);
    }
    for (const wake of due) this.#push(wake);
    return due.map((wake) => wake.id);
  }

  #isLive = (wake: Wake): boolean => this.#live.get(wake.id) === wake.at;

  #push(wake: Wake): void {
    const heap = this.#heap;
    heap.push(wake);
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (heap[parent]!.at <= heap[i]!.at) return;
      [heap[parent], heap[i]] = [heap[i]!, heap[parent]!];
      i = parent;
    }
  }
  #pop(): Wake | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return top;
    heap[0] = last;
    for (let i = 0; ; ) {
      const left = 2 * i + 1;
      if (left >= heap.length) return top;
      const least = left + 1 < heap.length && heap[left + 1]!.at < heap[left]!.at ? left + 1 : left;
      if (heap[i]!.at <= heap[least]!.at) return top;
      [heap[i], heap[least]] = [heap[least]!, heap[i]!];
      i = least;
    }
  }
}
