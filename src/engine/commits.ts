import { PawlError } from "../domain/errors.ts";
import type { BlobHash, Instant, Ms } from "../domain/names.ts";
import type { Store, Tick } from "../ports/store.ts";
import type { Arrived } from "./intake.ts";
import { type DecideParts, decideTick, type Turned } from "./tick.ts";

/** So long a turn that nothing waits for is kept for the next one, to be written with it. */
const QUIET_MS: Ms = 5;
/** So many decided turns may wait; beyond that what comes in gathers for one. */
const AHEAD = 4;

interface Decided {
  readonly tick: Tick;
  /** what waited for it to be durable */
  readonly kept: () => void | Promise<void>;
}

/**
 * Turns that are decided and on their way into the store, in their order. What a turn starts is started once it is
 * durable, by `kept`; deciding goes on meanwhile. What gathers while one transaction is written goes into the next one
 * together, and so does a turn that starts nothing. The first that fails, or is fenced, is the end of all: those behind it
 * are not kept, nothing of them is started, and every later call throws what it threw.
 */
export class Commits {
  readonly #store: Pick<Store, "commit">;
  readonly #epoch: number;
  readonly #changed: () => void;
  #waiting: Decided[] = [];
  #writing: readonly Decided[] = [];
  #isWriting = false;
  #isUrgent = false;
  #timer: NodeJS.Timeout | null = null;
  #failure: { readonly error: unknown } | null = null;
  #watching: (() => void)[] = [];

  /** `changed`: one became durable, or failed */
  constructor(store: Pick<Store, "commit">, epoch: number, changed: () => void) {
    this.#store = store;
    this.#epoch = epoch;
    this.#changed = changed;
  }
  /** turns that are not durable yet, or whose `kept` is not through */
  get size(): number {
    return this.#waiting.length + this.#writing.length;
  }
  /** `isQuiet`: nothing waits for it to be durable, so it may wait for the next one */
  add(tick: Tick, { kept, isQuiet }: { readonly kept: Decided["kept"]; readonly isQuiet: boolean }): void {
    this.#waiting.push({ tick, kept });
    if (isQuiet) this.#timer ??= setTimeout(() => this.#hurry(), QUIET_MS);
    else this.#hurry();
  }
  /** a text of a turn that the store may not have yet */
  blob(hash: BlobHash): Uint8Array | undefined {
    return [...this.#writing, ...this.#waiting].find(({ tick }) => tick.blobs.has(hash))?.tick.blobs.get(hash);
  }
  /** resolves when another turn may be decided; throws what a commit threw, LEASE_LOST where the store fenced one */
  async room(): Promise<void> {
    while (this.#waiting.length >= AHEAD && !this.#failure) await this.#oneMore();
    this.#mustGoOn();
  }
  /** resolves when everything decided by now is durable; throws like `room` */
  async durable(): Promise<void> {
    while (this.size > 0 && !this.#failure) await this.#oneMore();
    this.#mustGoOn();
  }

  #hurry(): void {
    this.#isUrgent = true;
    if (!this.#isWriting && !this.#failure) void this.#write();
  }
  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#isUrgent) await this.#writeAll();
    } catch (error) {
      this.#failure = { error };
      this.#ring();
    } finally {
      this.#isWriting = false;
    }
  }
  async #writeAll(): Promise<void> {
    this.#isUrgent = false;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    this.#writing = this.#waiting;
    this.#waiting = [];
    this.#wake(); // there is room again
    const written = await this.#store.commit(this.#epoch, ...this.#writing.map(({ tick }) => tick));
    if (written === "fenced") throw fenced();
    for (const { kept } of this.#writing) await kept();
    this.#writing = [];
    this.#ring();
  }
  #ring(): void {
    this.#wake();
    this.#changed();
  }
  #wake(): void {
    for (const go of this.#watching.splice(0)) go();
  }
  #oneMore(): Promise<void> {
    this.#hurry();
    return new Promise((resolve) => this.#watching.push(resolve));
  }
  #mustGoOn(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

const fenced = (): PawlError =>
  new PawlError(
    "LEASE_LOST",
    "another processor holds the store now; this one stops, and nothing of this turn was done",
    { next: "pawl status shows the other one" },
  );

export interface TickParts extends Omit<DecideParts, "stored"> {
  readonly store: Store;
  readonly epoch: number;
}

/** A turn and its commit. Durable when it resolves; throws LEASE_LOST when the store fences it, and whatever the store throws. */
export async function tick(
  seq: number,
  now: Instant,
  arrived: readonly Arrived[],
  { store, epoch, ...parts }: TickParts,
): Promise<Turned> {
  const turned = await decideTick(seq, now, arrived, { ...parts, stored: (id) => store.task(id) });
  if (turned.tick && (await store.commit(epoch, turned.tick)) === "fenced") throw fenced();
  return turned;
}
