import type { Input } from "../domain/input.ts";
import { type BlobHash, idKey, type Ms } from "../domain/names.ts";

export interface Arrived {
  readonly input: Input;
  /** texts that the input names by hash: stored in the tick that takes it */
  readonly blobs?: ReadonlyMap<BlobHash, Uint8Array>;
}

/** Everything that came in since the last tick. Arrival decides the tick, never the place in it. */
export class Intake {
  #arrived: Arrived[] = [];
  #ring: (() => void) | null = null;

  push(arrived: Arrived): void {
    this.#arrived.push(arrived);
    this.#ring?.();
  }
  /** what everything else of the next tick is judged by: it is taken first, however much waits */
  pushFirst(arrived: Arrived): void {
    this.#arrived.unshift(arrived);
    this.#ring?.();
  }
  /** wakes a waiting engine without an input: something may be due */
  nudge(): void {
    this.#ring?.();
  }
  get size(): number {
    return this.#arrived.length;
  }
  /** the oldest, at most `max`, in the order in which they are settled */
  drain(max: number): readonly Arrived[] {
    const taken = this.#arrived.slice(0, max);
    this.#arrived = this.#arrived.slice(max);
    if (taken.length < 2) return taken;
    return taken
      .map((arrived) => ({ arrived, task: idKey(taskOf(arrived.input)) }))
      .sort((a, b) => compare(a.task, b.task) || inOneTask(a.arrived.input, b.arrived.input))
      .map(({ arrived }) => arrived);
  }
  /** resolves when something came in or somebody nudged, at once if something is there, and after `ms` */
  async stirred(ms: Ms): Promise<void> {
    if (this.#arrived.length > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#ring = null;
  }
}

/** setTimeout fires at once beyond 2^31 - 1 ms */
const MAX_TIMER_MS = 2 ** 31 - 1;
const taskOf = (input: Input): string => ("task" in input ? (input.task ?? "") : "");
/** By kind, then by what it says; ids that differ in leading zeros alone have one key, and their own order. */
const inOneTask = (a: Input, b: Input): number =>
  compare(taskOf(a), taskOf(b)) ||
  rank(a) - rank(b) ||
  compare(a.kind, b.kind) ||
  compare(JSON.stringify(a), JSON.stringify(b));
/** A start ends what was asked of the processor before: what comes with it, a stop too, was asked of this one. */
const rank = ({ kind }: Input): number => (kind === "clock-gap" ? 0 : kind === "processor-started" ? 1 : 2);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
