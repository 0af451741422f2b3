import { describe, expect, it } from "vitest";
import type { LegKey } from "../../src/domain/names.ts";
import type { Permit } from "../../src/ports/permit.ts";
import type { Runtime, SpawnOrder } from "../../src/ports/runtime.ts";

/** A runtime of its own, and workers whose behaviour is known. */
export interface RuntimeWorld {
  readonly runtime: Runtime;
  /** as another process would have it: knows nothing but what the first one left */
  another(): Runtime;
  /** a first run of a task. passes: at once. waits: until `release`, then passes. exit-7: a user's command. spends: half a dollar reported, one cent reserved, then waits */
  order(task: string, how: "passes" | "waits" | "exit-7" | "spends"): SpawnOrder;
  release(): void;
  /** how many worker processes began in this world */
  starts(): number;
}

const permit = (ms = 20_000): Permit => ({ epoch: 1, signal: AbortSignal.timeout(ms) });

const see = async (runtime: Runtime, leg: LegKey) => (await runtime.look([leg], permit())).get(leg);

/** Waits until a leg is seen so; looking is all that tells it. */
async function seen(runtime: Runtime, leg: LegKey, wanted: Record<string, unknown>) {
  for (const end = performance.now() + 15_000; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const sighting = await see(runtime, leg);
    const isIt = Object.entries(wanted).every(([field, value]) => Reflect.get(sighting ?? {}, field) === value);
    if (isIt) return sighting;
    if (performance.now() > end)
      throw new Error(`${leg} is ${JSON.stringify(sighting)}, not ${JSON.stringify(wanted)}`);
  }
}

/** What every Runtime keeps (ports/runtime.ts). `make` gives a fresh world, cleaned up by itself. */
export function runtimeContract(label: string, make: () => Promise<RuntimeWorld>): void {
  describe(`${label}: a Runtime`, () => {
    it("spawns a leg once, however often and by whomever it is told to", async () => {
      const { runtime, another, order, release, starts } = await make();
      const wanted = order("task-1", "waits");
      const { leg } = wanted.wish;
      const first = await runtime.spawn(wanted, permit());
      expect(first).toMatchObject({ kind: "done", found: false, made: { what: "leg", leg } });
      expect(await runtime.spawn(wanted, permit())).toEqual({ ...first, found: true });
      expect(await another().spawn(wanted, permit())).toEqual({ ...first, found: true });
      release();
      await seen(runtime, leg, { kind: "ended" });
      expect(await runtime.spawn(wanted, permit())).toEqual({ ...first, found: true });
      expect(starts()).toBe(1);
    });

    it("spawns a leg once where two are told at the same time", async () => {
      const { runtime, another, order, release, starts } = await make();
      const wanted = order("task-1", "waits");
      const both = await Promise.all([runtime, another()].map((one) => one.spawn(wanted, permit())));
      expect(both.map(({ kind }) => kind)).toEqual(["done", "done"]);
      expect(both.filter((result) => result.kind === "done" && !result.found)).toHaveLength(1);
      release();
      await seen(runtime, wanted.wish.leg, { kind: "ended" });
      expect(starts()).toBe(1);
    });

    it("sees a leg that nobody spawned as absent, one that works as alive, and one that is over as ended", async () => {
      const { runtime, order, release } = await make();
      const wanted = order("task-1", "waits");
      const { leg } = wanted.wish;
      expect(await see(runtime, leg)).toEqual({ kind: "absent" });
      await runtime.spawn(wanted, permit());
      expect(await see(runtime, leg)).toEqual({ kind: "alive", verdictWritten: false, overBudget: false });
      release();
      await seen(runtime, leg, { kind: "ended", driver: "ended" });
    });

    it("gives the same end each time it is reaped, to others too", async () => {
      const { runtime, another, order } = await make();
      const wanted = order("task-1", "passes");
      await runtime.spawn(wanted, permit());
      await seen(runtime, wanted.wish.leg, { kind: "ended" });
      const [end, again] = await Promise.all([1, 2].map(() => runtime.reap(wanted.wish.leg, permit())));
      expect(end).toMatchObject({ how: "verdict", verdict: "PASS", usage: { spawns: 1 } });
      expect(again).toEqual(end);
      expect(await another().reap(wanted.wish.leg, permit())).toEqual(end);
    });

    it("adopts what an earlier life spawned", async () => {
      const { runtime, another, order, release } = await make();
      const wanted = order("task-1", "waits");
      await runtime.spawn(wanted, permit());
      const heir = another();
      expect(await see(heir, wanted.wish.leg)).toMatchObject({ kind: "alive" });
      release();
      await seen(heir, wanted.wish.leg, { kind: "ended" });
      expect(await heir.reap(wanted.wish.leg, permit())).toMatchObject({ how: "verdict", verdict: "PASS" });
    });

    it("gives the exit code of a user's command as its end", async () => {
      const { runtime, order } = await make();
      const wanted = order("task-1", "exit-7");
      await runtime.spawn(wanted, permit());
      await seen(runtime, wanted.wish.leg, { kind: "ended" });
      expect(await runtime.reap(wanted.wish.leg, permit())).toMatchObject({ how: "exit", code: 7 });
    });

    it("says when a leg has spent more than was reserved for it", async () => {
      const { runtime, order, release } = await make();
      const wanted = order("task-1", "spends");
      await runtime.spawn(wanted, permit());
      await seen(runtime, wanted.wish.leg, { kind: "alive", overBudget: true });
      release();
      await seen(runtime, wanted.wish.leg, { kind: "ended" });
      const end = await runtime.reap(wanted.wish.leg, permit());
      expect(end).toMatchObject({ usageKnown: true, usage: { microUsd: 500_000 } });
    });

    it("stops a leg and returns when it has ended; stopping it again finds it so", async () => {
      const { runtime, another, order } = await make();
      const wanted = order("task-1", "waits");
      const { leg } = wanted.wish;
      await runtime.spawn(wanted, permit());
      expect(await another().stop(leg, "cancel", permit())).toMatchObject({ kind: "done" });
      expect(await see(runtime, leg)).toMatchObject({ kind: "ended" });
      expect(await runtime.stop(leg, "cancel", permit())).toMatchObject({ kind: "done", found: true });
      expect(await runtime.reap(leg, permit())).toMatchObject({ how: "stopped" });
    });

    it("takes a message of one name once", async () => {
      const { runtime, order, release } = await make();
      const wanted = order("task-1", "waits");
      await runtime.spawn(wanted, permit());
      const tell = (text: string) => runtime.deliver(wanted.wish.leg, "001-GO.json", Buffer.from(text), permit());
      expect(await tell('{"message_type":"GO"}')).toMatchObject({ kind: "done", found: false });
      expect(await tell('{"message_type":"GO"}')).toMatchObject({ kind: "done", found: true });
      release();
      await seen(runtime, wanted.wish.leg, { kind: "ended" });
    });

    it("hints when a leg ends, and ends its hints when nobody listens any more", async () => {
      const { runtime, order, release } = await make();
      const wanted = order("task-1", "waits");
      await runtime.spawn(wanted, permit());
      const over = new AbortController();
      const hints = runtime.stirred(over.signal)[Symbol.asyncIterator]();
      await hints.next();
      const hinted = hints.next();
      release();
      expect(await hinted).toMatchObject({ done: false });
      over.abort();
      while (!(await hints.next()).done);
      await seen(runtime, wanted.wish.leg, { kind: "ended" });
    });
  });
}
