import { describe, expect, test, vi } from "vitest";
import { aTick, hashOf } from "../../test/support/ticks.ts";
import type { Tick } from "../ports/store.ts";
import { Commits } from "./commits.ts";

type Written = "ok" | "fenced";

/** A store that is slow: each commit waits until the test says what became of it. */
function slowStore() {
  const begun: number[][] = [];
  let end: (written: Written | Error) => void = () => {};
  return {
    begun,
    /** ends the commit that is under way */
    async end(written: Written | Error = "ok") {
      end(written);
      await turn();
    },
    commit: (_: number, ...ticks: readonly Tick[]) => {
      begun.push(ticks.map(({ seq }) => seq));
      return new Promise<Written>((resolve, reject) => {
        end = (written) => (written instanceof Error ? reject(written) : resolve(written));
      });
    },
  };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

function scene() {
  const store = slowStore();
  const kept: number[] = [];
  const changed = vi.fn();
  const commits = new Commits(store, 1, changed);
  const add = (seq: number, isQuiet = false, tick: Partial<Tick> = {}) =>
    commits.add(aTick(seq, tick), { isQuiet, kept: () => void kept.push(seq) });
  return { store, kept, changed, commits, add };
}

describe("turns on their way into the store", () => {
  test("one is written at a time, in their order, and kept when it is durable", async () => {
    const { store, kept, commits, add, changed } = scene();
    add(1);
    add(2);
    add(3);
    expect(store.begun).toEqual([[1]]);
    await turn();
    expect(kept).toEqual([]);
    await store.end();
    expect(kept).toEqual([1]);
    expect(store.begun).toEqual([[1], [2, 3]]);
    expect(commits.size).toBe(2);
    await store.end();
    expect([kept, commits.size, changed.mock.calls.length]).toEqual([[1, 2, 3], 0, 2]);
  });

  test("a quiet one waits for the next, and is written with it", async () => {
    const { store, kept, add } = scene();
    add(1, true);
    await turn();
    expect(store.begun).toEqual([]);
    add(2);
    expect(store.begun).toEqual([[1, 2]]);
    await store.end();
    expect(kept).toEqual([1, 2]);
  });

  test("a quiet one that nothing follows is written by itself in a moment", async () => {
    const { store, kept, add } = scene();
    add(1, true);
    add(2, true);
    await vi.waitUntil(() => store.begun.length > 0);
    await store.end();
    expect([store.begun, kept]).toEqual([[[1, 2]], [1, 2]]);
  });

  test("whoever wants all of it durable does not wait for that moment", async () => {
    const { store, commits, add } = scene();
    add(1, true);
    const durable = commits.durable();
    expect(store.begun).toEqual([[1]]);
    const both = Promise.all([durable, commits.durable()]);
    await store.end();
    await both;
    await commits.durable();
    await turn();
    expect([commits.size, store.begun]).toEqual([0, [[1]]]);
  });

  test("what is kept takes its time, and the turn counts as under way until then", async () => {
    const store = slowStore();
    const commits = new Commits(store, 1, () => {});
    let through = () => {};
    commits.add(aTick(1), { isQuiet: false, kept: () => new Promise<void>((resolve) => (through = resolve)) });
    await store.end();
    expect(commits.size).toBe(1);
    through();
    await commits.durable();
    expect(commits.size).toBe(0);
  });

  test("there is room for a few that wait, and again when they are written", async () => {
    const { store, commits, add } = scene();
    for (let seq = 1; seq <= 5; seq++) {
      await commits.room();
      add(seq);
    }
    let isRoom = false;
    const room = commits.room().then(() => (isRoom = true));
    await turn();
    expect(isRoom).toBe(false);
    await store.end();
    await room;
    expect(store.begun).toEqual([[1], [2, 3, 4, 5]]);
  });

  test("a text is found while its turn is on its way", async () => {
    const { store, commits, add } = scene();
    const [one, two] = [new Uint8Array([1]), new Uint8Array([2])];
    add(1, false, { blobs: new Map([[hashOf(one), one]]) });
    add(2, false, { blobs: new Map([[hashOf(two), two]]) });
    expect([commits.blob(hashOf(one)), commits.blob(hashOf(two))]).toEqual([one, two]);
    await store.end();
    await store.end();
    expect(commits.blob(hashOf(one))).toBeUndefined();
  });

  test.each<[string, Written | Error, object]>([
    ["is fenced", "fenced", { code: "LEASE_LOST" }],
    ["fails", new Error("the disk is full"), { message: "the disk is full" }],
  ])("the first that %s ends all: nothing behind it is written or kept", async (_, how, fault) => {
    const { store, kept, commits, add } = scene();
    add(1);
    add(2);
    const waiting = commits.durable();
    await store.end();
    add(3);
    await Promise.all([store.end(how), expect(waiting).rejects.toMatchObject(fault)]);
    expect([store.begun, kept]).toEqual([[[1], [2]], [1]]);
    await expect(commits.room()).rejects.toMatchObject(fault);
    await expect(commits.durable()).rejects.toMatchObject(fault);
    add(4);
    await turn();
    expect(store.begun).toHaveLength(2);
  });
});
