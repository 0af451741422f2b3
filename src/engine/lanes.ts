import type { Input } from "../domain/input.ts";
import { type Intent, isChore, isTrace, type TraceIntent } from "../domain/intent.ts";
import type { Ms } from "../domain/names.ts";
import type { Permit } from "../ports/permit.ts";
import type { Probe } from "../ports/probe.ts";
import { Lane } from "./lane.ts";
import { type Hands, perform, resolve } from "./perform.ts";
import { grant, within } from "./permits.ts";

type LaneName = "host" | "forge" | "merge" | "channel" | "read";
const LANE: Readonly<Record<Intent["kind"], LaneName>> = {
  spawn: "host",
  stop: "host",
  deliver: "host",
  "clean-up": "host",
  publish: "forge",
  "open-pr": "forge",
  "mark-ready": "forge",
  land: "merge",
  "prepare-merge": "merge",
  notify: "channel",
  reap: "read",
};
const WIDTH: Readonly<Record<LaneName, number>> = { host: 4, forge: 4, merge: 4, channel: 1, read: 4 };
const DEADLINE_MS: Ms = 60_000;
const MERGE_DEADLINE_MS: Ms = 120_000;
const FIRST_DOUBT_MS: Ms = 500;
const MOST_DOUBT_MS: Ms = 30_000;

export interface LanesOptions {
  readonly hands: Hands;
  readonly epoch: number;
  /** aborts when the lease is lost or the processor stops */
  readonly signal: AbortSignal;
  readonly probe: Probe;
  readonly ended: (input: Input) => void;
  /** something waits for its next try: who waits for the end of what is active may look again */
  readonly paused?: () => void;
  readonly width?: number;
}

/**
 * Effects beside the ticks: started after the commit that intends them, a few at a time per lane; one step of a task at
 * a time is the board's doing. An end is an input of a later tick. What throws or runs out of time is in doubt: looked
 * for, then done, with a growing pause, until it is known.
 */
export class Lanes {
  readonly #lanes: Record<LaneName, Lane>;
  readonly #options: LanesOptions;
  #underWay = 0;
  #pausing = 0;
  #idle: (() => void)[] = [];

  constructor(options: LanesOptions) {
    this.#options = options;
    const lane = (name: LaneName) => new Lane(options.width ?? WIDTH[name]);
    this.#lanes = {
      host: lane("host"),
      forge: lane("forge"),
      merge: lane("merge"),
      channel: lane("channel"),
      read: lane("read"),
    };
  }
  start(intents: readonly Intent[]): void {
    for (const intent of intents) this.#go(intent, 0, false);
  }
  /** intents of an earlier life: looked for before they are done */
  doubt(open: readonly TraceIntent[]): void {
    for (const intent of open) this.#go(intent, 0, true);
  }
  get underWay(): number {
    return this.#underWay;
  }
  /** those of them that are not waiting for their next try */
  get active(): number {
    return this.#underWay - this.#pausing;
  }
  /** resolves when nothing is under way, or after `ms` */
  async idle(ms: Ms): Promise<boolean> {
    if (this.#underWay === 0) return true;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      this.#idle.push(() => {
        clearTimeout(timer);
        done();
      });
    });
    return this.#underWay === 0;
  }

  #go(intent: Intent, tries: number, doubted: boolean): void {
    this.#underWay++;
    this.#lanes[LANE[intent.kind]].add(async () => {
      if (!this.#options.signal.aborted) await this.#attempt(intent, tries, doubted);
      this.#done();
    });
  }
  #done(): void {
    this.#underWay--;
    if (this.#underWay === 0) for (const done of this.#idle.splice(0)) done();
  }
  async #attempt(intent: Intent, tries: number, doubted: boolean): Promise<void> {
    const { ended, probe, signal } = this.#options;
    try {
      const input = await this.#carryOut(intent, doubted);
      if (signal.aborted) return; // whoever holds the lease now looks for it
      if (input === null) return this.#later(intent, tries, pause(tries));
      const wait = choreDelay(intent, input, tries);
      if (wait !== null) return this.#later(intent, tries, wait);
      ended(input);
    } catch (error) {
      if (signal.aborted) return;
      probe.record({
        event: "effect_in_doubt",
        key: intent.key,
        kind: intent.kind,
        tries: tries + 1,
        error: error instanceof Error ? error.message : String(error),
      });
      this.#later(intent, tries, pause(tries));
    }
  }
  async #carryOut(intent: Intent, doubted: boolean): Promise<Input | null> {
    const permit = grant(this.#options.epoch, this.#options.signal, deadlineOf(intent));
    try {
      return await within(permit, this.#inputOf(intent, doubted, permit));
    } finally {
      permit.done();
    }
  }
  async #inputOf(intent: Intent, doubted: boolean, permit: Permit): Promise<Input | null> {
    const { hands } = this.#options;
    if (intent.kind === "reap")
      return {
        kind: "run-ended",
        task: intent.task,
        leg: intent.leg,
        end: await hands.runtime.reap(intent.leg, permit),
      };
    const result =
      doubted && isTrace(intent) ? await resolve(intent, hands, permit) : await perform(intent, hands, permit);
    return result === null ? null : { kind: "effect-ended", task: intent.task, key: intent.key, result };
  }
  #later(intent: Intent, tries: number, ms: Ms): void {
    this.#underWay++; // it is not over: nobody may think that nothing is under way
    this.#pausing++;
    this.#options.paused?.();
    const again = () => {
      this.#pausing--;
      if (!this.#options.signal.aborted) this.#go(intent, tries + 1, true);
      this.#done();
    };
    const timer = setTimeout(() => {
      this.#options.signal.removeEventListener("abort", stop);
      again();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      again();
    };
    this.#options.signal.addEventListener("abort", stop, { once: true });
  }
}

const deadlineOf = (intent: Intent): Ms => (LANE[intent.kind] === "merge" ? MERGE_DEADLINE_MS : DEADLINE_MS);
const pause = (tries: number): Ms => Math.min(FIRST_DOUBT_MS * 2 ** tries, MOST_DOUBT_MS);

/** A chore that is certainly not done yet holds up nothing: it is tried again here, and no tick hears of it. */
function choreDelay(intent: Intent, input: Input, tries: number): Ms | null {
  if (!isChore(intent) || input.kind !== "effect-ended" || input.result.kind !== "later") return null;
  return Math.max(1_000, pause(tries));
}
