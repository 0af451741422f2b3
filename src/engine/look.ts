import type { Ms } from "../domain/names.ts";
import type { Permit } from "../ports/permit.ts";
import type { Probe } from "../ports/probe.ts";
import { grant, within } from "./permits.ts";

/**
 * A source that is asked again and again. `once` asks everything that is open now, hands over what changed, and says
 * when it may be asked again. `rung` is a hint to ask now: it may be lost, which costs one interval.
 */
export interface Looker {
  readonly name: string;
  once(permit: Permit): Promise<Ms>;
  rung?(signal: AbortSignal): AsyncIterable<void>;
  /** how long one look may take; missing: a minute */
  readonly deadlineMs?: Ms;
  /** it only reads what the rows name: it need not wait until they are durable */
  readonly onlyReads?: true;
}

interface On {
  readonly signal: AbortSignal;
  readonly epoch: number;
  readonly probe: Probe;
  /** resolves when what was decided is durable */
  readonly settled?: () => Promise<void>;
}

const LOOK_DEADLINE_MS: Ms = 60_000;
const AFTER_ERROR_MS: Ms = 2_000;

/** Keeps asking one source until the signal aborts; a failed look is said once per kind of failure and costs a pause. */
export class Looking {
  readonly #looker: Looker;
  readonly #signal: AbortSignal;
  readonly #epoch: number;
  readonly #probe: Probe;
  readonly #settled: () => Promise<void>;
  #poke: (() => void) | null = null;
  #poked = false;
  #lastError = "";

  constructor(looker: Looker, { signal, epoch, probe, settled = async () => {} }: On) {
    this.#looker = looker;
    this.#signal = signal;
    this.#epoch = epoch;
    this.#probe = probe;
    this.#settled = looker.onlyReads ? async () => {} : settled;
  }
  get name(): string {
    return this.#looker.name;
  }
  /** ask now, not after the interval */
  poke(): void {
    this.#poked = true;
    this.#poke?.();
  }
  async run(): Promise<void> {
    void this.#listen();
    while (!this.#signal.aborted) {
      this.#poked = false;
      const ms = await this.once();
      if (!this.#poked) await this.#pause(ms);
    }
  }
  async once(): Promise<Ms> {
    await this.#settled();
    if (this.#signal.aborted) return AFTER_ERROR_MS;
    const permit = grant(this.#epoch, this.#signal, this.#looker.deadlineMs ?? LOOK_DEADLINE_MS);
    try {
      const ms = await within(permit, this.#looker.once(permit));
      this.#lastError = "";
      return ms;
    } catch (error) {
      this.#complain(error);
      return AFTER_ERROR_MS;
    } finally {
      permit.done();
    }
  }
  async #listen(): Promise<void> {
    try {
      for await (const _ of this.#looker.rung?.(this.#signal) ?? []) this.poke();
    } catch (error) {
      this.#complain(error); // the interval goes on without hints
    }
  }
  #complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (this.#signal.aborted || message === this.#lastError) return;
    this.#lastError = message;
    this.#probe.record({ event: "look_failed", source: this.#looker.name, error: message });
  }
  #pause(ms: Ms): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener("abort", end);
        this.#poke = null;
        done();
      };
      const timer = setTimeout(end, ms);
      this.#poke = end;
      this.#signal.addEventListener("abort", end, { once: true });
      if (this.#signal.aborted) end();
    });
  }
}
