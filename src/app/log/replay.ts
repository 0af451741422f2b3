import { isDeepStrictEqual } from "node:util";
import { memoryStore } from "../../adapters/store/memory.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Fact } from "../../domain/fact.ts";
import type { Instant } from "../../domain/names.ts";
import { Board } from "../../engine/board.ts";
import { tick } from "../../engine/commits.ts";
import type { LoggedTick, Store } from "../../ports/store.ts";
import { loggedWardrobe } from "./logged-wardrobe.ts";

/** The first place where a log and this build disagree. */
export interface Difference {
  readonly tick: LoggedTick;
  /** which fact of the tick, from 0 */
  readonly index: number;
  /** null: there is none any more */
  readonly logged: Fact | null;
  readonly decided: Fact | null;
  /** this build could not decide it at all */
  readonly threw: string | null;
}

export interface Replayed {
  readonly ticks: number;
  readonly facts: number;
  readonly difference: Difference | null;
}

/**
 * Feeds the inputs of a log again, tick by tick, to a store and a board that know nothing, and compares what is concluded
 * with what was. Ends at the first difference. Throws LOG_GAP where a tick is missing; whatever the log itself throws.
 */
export async function replay(log: AsyncIterable<LoggedTick>): Promise<Replayed> {
  const store = memoryStore();
  const got = await store.lease({ pid: 0, host: "replay", now: 0 as Instant });
  if (!("lease" in got)) throw new Error("a new store is held");
  let board = new Board(await store.load());
  let [ticks, facts] = [0, 0];
  for await (const logged of log) {
    mustFollow(logged, ticks);
    board = (await boardOf(logged, store)) ?? board;
    const difference = await decided(logged, { board, store, epoch: got.lease.epoch });
    if (difference) return { ticks, facts, difference };
    ticks++;
    facts += logged.facts.length;
  }
  return { ticks, facts, difference: null };
}

function mustFollow({ seq }: LoggedTick, last: number): void {
  if (seq === last + 1) return;
  throw new PawlError(
    "LOG_GAP",
    `the log goes from tick ${last} to tick ${seq}: what is between decides what follows`,
    {
      next: "export it whole: pawl export > facts.jsonl",
    },
  );
}

/** A processor that starts loads its board from the store; null: it is none. */
async function boardOf({ inputs }: LoggedTick, store: Store): Promise<Board | null> {
  const started = inputs.find((input) => input.kind === "processor-started");
  if (!started) return null;
  return new Board(await store.load(), started.only ? new Set(started.only) : null);
}

async function decided(
  logged: LoggedTick,
  { board, store, epoch }: { board: Board; store: Store; epoch: number },
): Promise<Difference | null> {
  const { seq, now, inputs, build } = logged;
  const wardrobe = loggedWardrobe(logged.facts, board);
  const arrived = inputs.map((input) => ({ input }));
  try {
    const { facts } = await tick(seq, now, arrived, { board, store, wardrobe, epoch, build });
    return firstDifference(logged, facts);
  } catch (error) {
    const threw = error instanceof Error ? error.message : String(error);
    return { tick: logged, index: 0, logged: logged.facts[0] ?? null, decided: null, threw };
  }
}

function firstDifference(tick: LoggedTick, facts: readonly Fact[]): Difference | null {
  const decided = JSON.parse(JSON.stringify(facts)) as readonly Fact[]; // as a log has them: what has no value is left out
  for (let index = 0; index < Math.max(decided.length, tick.facts.length); index++)
    if (!isDeepStrictEqual(decided[index], tick.facts[index]))
      return { tick, index, logged: tick.facts[index] ?? null, decided: decided[index] ?? null, threw: null };
  return null;
}
