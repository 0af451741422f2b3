import { expect, test } from "vitest";
import { memoryStore } from "../src/adapters/store/memory.ts";
import type { Fact } from "../src/domain/fact.ts";
import type { Instant } from "../src/domain/names.ts";
import { Board } from "../src/engine/board.ts";
import { tick } from "../src/engine/commits.ts";
import type { LoggedTick } from "../src/ports/store.ts";
import { partsOf, runWorld } from "./worlds/world.ts";

/** Feeds the logged inputs again to a board and a store that know nothing. */
async function replayed(log: readonly LoggedTick[]): Promise<readonly (readonly Fact[])[]> {
  const store = memoryStore();
  const got = await store.lease({ pid: 2, host: "there", now: 1 as Instant });
  if (!("lease" in got)) throw new Error("no lease");
  const board = new Board(await store.load());
  const said: (readonly Fact[])[] = [];
  for (const { seq, now, inputs } of log) {
    const arrived = inputs.map((input) => ({ input }));
    said.push((await tick(seq, now, arrived, partsOf(board, store, got.lease.epoch))).facts);
  }
  return said;
}

test.each([3, 14, 15, 92, 65, 35])("the inputs of world %i, fed again, give the same facts", async (seed) => {
  const log: LoggedTick[] = [];
  await runWorld(seed, ({ seq, now, inputs, facts }) => {
    // a tick that concludes nothing and hears nothing is no transaction, and is not logged
    if (inputs.length + facts.length > 0) log.push({ seq, now, epoch: 1, build: "test", inputs, facts });
  });
  const again = await replayed(log);
  expect(log.length).toBeGreaterThan(5);
  for (const [i, facts] of again.entries()) expect(facts, `tick ${log[i]!.seq}`).toEqual(log[i]!.facts);
});
