import { describe, expect, it } from "vitest";
import { emptyBacklog } from "../../src/domain/backlog.ts";
import {
  type BlobHash,
  type Commit,
  compareIds,
  type EffectKey,
  type Instant,
  type PhaseName,
  type TaskId,
} from "../../src/domain/names.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Inbox } from "../../src/ports/inbox.ts";
import type { Lease, Store, Tick } from "../../src/ports/store.ts";
import { aMap, aSeed, aTask, aTick, at, hashOf } from "../support/ticks.ts";

/** Opens the store that the test has; called again it is the same one (another connection, where there are any). */
export type OpenAgain = () => Promise<Store & Inbox>;

const WHO = { pid: 4121, host: "birch", now: at(500) };
export const leaseOf = async (store: Store, who = WHO): Promise<Lease> => {
  const answer = await store.lease(who);
  if ("heldBy" in answer) throw new Error(`held by ${answer.heldBy.pid}`);
  return answer.lease;
};

/** Seeds as a list, whatever they are held in. */
const loaded = async (store: Store) => {
  const snapshot = await store.load();
  return { ...snapshot, seeds: [...snapshot.seeds] };
};
const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();

/** What every Store promises (ports/store.ts). `make`: a new, empty one for each test. */
export function storeContract(label: string, make: () => Promise<OpenAgain>): void {
  describe(`${label} as a Store`, () => {
    const held = async () => {
      const open = await make();
      const store = await open();
      const lease = await leaseOf(store);
      const commit = (seq: number, change: Partial<Tick> = {}) => store.commit(lease.epoch, aTick(seq, change));
      return { open, store, lease, commit };
    };

    it("copies what it is given and what it gives: change either, load again, nothing changed", async () => {
      const { store, commit } = await held();
      const bytes = text("brief");
      const hash = hashOf(bytes);
      const row = mutable(aTask("t-1", { answers: ["a-1"] }));
      const seed = mutable(aSeed("t-2", ["t-1"]));
      const map = mutable(aMap());
      const facts = [{ kind: "task-synced" as const, task: "t-1" as TaskId }];
      await commit(1, {
        rows: [row],
        seeds: [seed],
        maps: [map],
        backlog: emptyBacklog,
        facts,
        blobs: new Map([[hash, bytes]]),
      });
      const before = structuredClone(await everything(store, hash));

      spoil(row);
      spoil(seed);
      spoil(map);
      spoil(facts);
      bytes.fill(0);
      expect(await everything(store, hash)).toEqual(before);

      const given = await everything(store, hash);
      for (const part of [...given.snapshot.live, ...given.snapshot.seeds, ...given.tasks, ...given.ticks]) spoil(part);
      for (const part of [...given.snapshot.maps.values(), given.snapshot.backlog, given.task, given.holder])
        spoil(part);
      given.blob?.fill(0);
      expect(await everything(store, hash)).toEqual(before);
    });

    it("is empty at first: seq 0, the empty backlog, no holder", async () => {
      const store = await (await make())();
      expect(await loaded(store)).toEqual({
        seq: 0,
        now: 0,
        backlog: emptyBacklog,
        live: [],
        seeds: [],
        ended: [],
        maps: new Map(),
      });
      expect(await store.holder()).toBeNull();
      expect(await store.tasks()).toEqual([]);
      expect(await store.task("t-1" as TaskId)).toBeNull();
      expect(await store.blob("sha256-0" as BlobHash)).toBeNull();
      expect(await store.ticks(0, 10)).toEqual([]);
    });

    it("gives back what was committed, whole, to whoever opens it next", async () => {
      const { open, store, commit } = await held();
      const row = aTask("t-1", {
        notes: [{ from: "ann", text: 'ünïcode "quoted"\n\u0000', phase: "implement" as PhaseName }],
      });
      const backlog = { ...emptyBacklog, deadlocks: ["a -> b"], clock: at(7) };
      expect(await commit(1, { rows: [row], seeds: [aSeed("t-2", ["t-1"])], maps: [aMap()], backlog })).toBe("ok");
      await store.close();
      expect(await loaded(await open())).toEqual({
        seq: 1,
        now: 1_001,
        backlog,
        live: [row],
        seeds: [aSeed("t-2", ["t-1"])],
        ended: [],
        maps: new Map([["map-1", aMap()]]),
      });
    });

    it("keeps the newest of each row, and what a tick does not name stays", async () => {
      const { store, commit } = await held();
      await commit(1, { rows: [aTask("t-1"), aTask("t-2")], backlog: { ...emptyBacklog, clock: at(1) } });
      await commit(2, { rows: [aTask("t-1", { round: 3 })] });
      const { live, backlog, seq, now } = await store.load();
      expect(live.map(({ id, round }) => [id, round]).sort()).toEqual([
        ["t-1", 3],
        ["t-2", 0],
      ]);
      expect([backlog.clock, seq, now]).toEqual([1, 2, 1_002]);
    });

    it.each<[string, Partial<Task>, "live" | "ended"]>([
      ["in progress", {}, "live"],
      ["completed and synced", { status: "completed", synced: true, merged: "c".repeat(40) as Commit }, "ended"],
      ["completed, not yet synced", { status: "completed" }, "live"],
      ["failed", { status: "failed" }, "ended"],
      ["failed, with a chore open", { status: "failed", chores: [chore("t-1")] }, "live"],
      [
        "completed and synced, with a chore open",
        { status: "completed", synced: true, chores: [chore("t-1")] },
        "live",
      ],
    ])("loads a task that is %s in one place", async (_, change, place) => {
      const { store, commit } = await held();
      const row = aTask("t-1", change);
      await commit(1, { rows: [aTask("t-1")] });
      await commit(2, { rows: [row] });
      const { live, ended, seeds } = await store.load();
      const end = { id: row.id, status: row.status, synced: row.synced, merged: row.merged };
      expect({ live, ended, seeds: [...seeds] }).toEqual({
        live: place === "live" ? [row] : [],
        ended: place === "ended" ? [end] : [],
        seeds: [],
      });
      expect(await store.task(row.id)).toEqual(row);
      expect(await store.tasks()).toEqual([row]);
    });

    it("says of an ended task what it merged, also when only that changed", async () => {
      const { store, commit } = await held();
      await commit(1, { rows: [aTask("t-1", { status: "failed" })] });
      await commit(2, { rows: [aTask("t-1", { status: "failed", merged: "d".repeat(40) as Commit })] });
      expect((await store.load()).ended[0]?.merged).toBe("d".repeat(40));
    });

    it("gives an overview of the same state: counts, ids, and rows of what is in progress alone; the others by their ids", async () => {
      const { store, commit } = await held();
      const done = aTask("t-1", { status: "completed", synced: true });
      const failed = aTask("t-2", { status: "failed" });
      const busy = aTask("t-3");
      await commit(1, { rows: [done, failed, busy], seeds: [aSeed("t-10"), aSeed("t-4", ["t-2"])] });
      const { seq, now, backlog, maps, live } = await store.load();
      expect(await store.overview({ notStarted: 9, failed: 9 })).toEqual({
        ...{ seq, now, backlog, maps, live, failed: ["t-2"], notStarted: ["t-4", "t-10"] },
        counts: { "not-started": 2, "in-progress": 1, completed: 1, failed: 1 },
      });
      const { seeds, rows } = await store.part(["t-4", "t-1", "t-9"] as TaskId[]);
      expect({ seeds, rows }).toEqual({ seeds: [aSeed("t-4", ["t-2"])], rows: [done] });
      expect(await store.part([])).toEqual({ seeds: [], rows: [] });
    });

    it("tells of an overview's ids the first in natural order, and no more than were asked for", async () => {
      const { store, commit } = await held();
      const odd = ["t10", "t2", "a-1.2", "a-1.10", "a-01.2", "Z", "a", "t002", "7", "1e100", "x9y", "x10y", "a-1"];
      const chores = [chore("t-8")];
      await commit(1, {
        seeds: odd.map((id) => aSeed(id)),
        rows: [
          ...["t-10", "t-9", "t-011"].map((id) => aTask(id, { status: "failed" })),
          aTask("t-8", { status: "failed", chores }),
        ],
      });
      const { notStarted, failed, counts } = await store.overview({ notStarted: 11, failed: 3 });
      expect(notStarted).toEqual(([...odd] as TaskId[]).sort(compareIds).slice(0, 11));
      expect(failed).toEqual(["t-8", "t-9", "t-10"]);
      expect(counts).toMatchObject({ "not-started": odd.length, failed: 4 });
      expect(await store.overview({ notStarted: 0, failed: 0 })).toMatchObject({ notStarted: [], failed: [] });
    });

    it("moves a task from the seeds to the rows when it is picked up, and never back", async () => {
      const { store, commit } = await held();
      await commit(1, { seeds: [aSeed("t-1"), aSeed("t-2")] });
      await commit(2, { seeds: [aSeed("t-2", ["t-1"])] });
      await commit(3, { rows: [aTask("t-1", { visit: 1 })] });
      await commit(4, { seeds: [aSeed("t-1")] });
      const { live, seeds } = await store.load();
      expect([ids(live), [...seeds]]).toEqual([["t-1"], [aSeed("t-2", ["t-1"])]]);
      expect(await store.task("t-2" as TaskId)).toBeNull();
      expect(ids(await store.tasks())).toEqual(["t-1"]);
    });

    it("keeps blobs as bytes, under their hash, once", async () => {
      const { store, commit } = await held();
      const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 256);
      const empty = new Uint8Array();
      const part = Buffer.from("xxinsidexx").subarray(2, 8);
      const blobs = new Map([bytes, empty, part].map((blob) => [hashOf(blob), blob]));
      await commit(1, { blobs });
      await commit(2, { blobs: new Map([[hashOf(bytes), bytes]]) });
      for (const [hash, blob] of blobs) expect(Buffer.from((await store.blob(hash))!).equals(blob)).toBe(true);
    });

    it("logs every tick with its epoch, and pages through them oldest first", async () => {
      const { store, lease, commit } = await held();
      for (let seq = 1; seq <= 7; seq++)
        await commit(seq, {
          inputs: [{ kind: "clock-gap", ms: seq }],
          facts: [{ kind: "task-synced", task: `t-${seq}` as TaskId }],
        });
      expect((await store.ticks(0, 3)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect((await store.ticks(3, 3)).map(({ seq }) => seq)).toEqual([4, 5, 6]);
      expect(await store.ticks(6, 3)).toEqual([
        {
          seq: 7,
          now: 1_007,
          epoch: lease.epoch,
          build: "test",
          inputs: [{ kind: "clock-gap", ms: 7 }],
          facts: [{ kind: "task-synced", task: "t-7" }],
        },
      ]);
      expect(await store.ticks(7, 3)).toEqual([]);
    });

    it.each([
      ["the same again", 2],
      ["one that leaves a gap", 4],
      ["one from before", 1],
    ])("is fenced by seq: %s writes nothing", async (_, seq) => {
      const { store, commit } = await held();
      await commit(1);
      await commit(2, { rows: [aTask("t-1")] });
      const before = await loaded(store);
      const spoiled = await commit(seq, {
        rows: [aTask("t-1", { round: 9 })],
        seeds: [aSeed("t-9")],
        backlog: emptyBacklog,
      });
      expect(spoiled).toBe("fenced");
      expect(await loaded(store)).toEqual(before);
      expect(await commit(3)).toBe("ok");
    });

    it("writes several ticks at once: all are in the log, and each row is as the last one has it", async () => {
      const { store, lease, commit } = await held();
      await commit(1, { seeds: [aSeed("t-1"), aSeed("t-2")] });
      await store.post({ id: "r-1", by: "ann", task: null, command: { do: "stop", workers: false }, at: at(1) });
      const [one, two] = [text("one"), text("two")];
      const answer = (reply: string) => ({ kind: "command-answered" as const, id: "r-1", accepted: true, reply });
      const ticks = [
        aTick(2, {
          rows: [aTask("t-1"), aTask("t-3", { round: 1 })],
          seeds: [aSeed("t-2", ["t-1"]), aSeed("t-4")],
          maps: [aMap("map-1")],
          blobs: new Map([[hashOf(one), one]]),
          backlog: { ...emptyBacklog, clock: at(5) },
          facts: [answer("first")],
        }),
        aTick(3, { rows: [aTask("t-1", { round: 2 })], seeds: [aSeed("t-1")], facts: [answer("second")] }),
        aTick(4, {
          rows: [aTask("t-1", { round: 3 }), aTask("t-4")],
          seeds: [aSeed("t-2")],
          maps: [aMap("map-2")],
          blobs: new Map([[hashOf(two), two]]),
        }),
      ];
      expect(await store.commit(lease.epoch, ...ticks)).toBe("ok");
      expect((await store.ticks(1, 9)).map(({ seq, now, facts }) => [seq, now, facts.length])).toEqual([
        [2, 1_002, 1],
        [3, 1_003, 1],
        [4, 1_004, 0],
      ]);
      const { live, seeds, maps, backlog, seq } = await store.load();
      expect(live.map(({ id, round }) => [id, round]).sort()).toEqual([
        ["t-1", 3],
        ["t-3", 1],
        ["t-4", 0],
      ]);
      expect([[...seeds], [...maps.keys()].sort(), backlog.clock, seq]).toEqual([
        [aSeed("t-2")],
        ["map-1", "map-2"],
        5,
        4,
      ]);
      for (const blob of [one, two]) expect(Buffer.from((await store.blob(hashOf(blob)))!).equals(blob)).toBe(true);
      expect(await store.reply("r-1")).toEqual({ accepted: true, reply: "first" });
      expect(await commit(5)).toBe("ok");
    });

    it.each([
      ["the first is not the next one", [3, 4]],
      ["the first is there already", [1, 2]],
      ["one is left out between them", [2, 4]],
      ["they are the wrong way round", [3, 2]],
      ["one stands there twice", [2, 2]],
      ["there is none", []],
    ])("is fenced by seq, all of several: %s", async (_, seqs) => {
      const { store, lease, commit } = await held();
      await commit(1, { rows: [aTask("t-1")] });
      const before = [await store.load(), await store.ticks(0, 9)];
      const ticks = seqs.map((seq) => aTick(seq, { rows: [aTask("t-1", { round: 9 })], seeds: [aSeed("t-9")] }));
      expect(await store.commit(lease.epoch, ...ticks)).toBe("fenced");
      expect([await store.load(), await store.ticks(0, 9)]).toEqual(before);
      expect(await commit(2)).toBe("ok");
    });

    it("is fenced by epoch: what an earlier holder still wants to write is not written", async () => {
      const { store, lease, commit } = await held();
      await commit(1, { rows: [aTask("t-1")] });
      await lease.release();
      expect(await commit(2, { rows: [aTask("t-1", { round: 9 })] })).toBe("fenced");
      const next = await leaseOf(store);
      expect(next.epoch).toBeGreaterThan(lease.epoch);
      expect(await commit(2, { rows: [aTask("t-1", { round: 9 })] })).toBe("fenced");
      expect((await store.load()).live[0]?.round).toBe(0);
      expect(await store.commit(next.epoch, aTick(2))).toBe("ok");
    });

    it("is fenced without any lease, and by an epoch that nobody has yet", async () => {
      const store = await (await make())();
      expect(await store.commit(0, aTick(1))).toBe("fenced");
      expect(await store.commit(1, aTick(1))).toBe("fenced");
      const lease = await leaseOf(store);
      expect(await store.commit(lease.epoch + 1, aTick(1))).toBe("fenced");
      expect((await store.load()).seq).toBe(0);
    });

    it("has one holder: a second is told who, and can when the first one lets go", async () => {
      const { open, store, lease } = await held();
      const second = await open();
      const other = { pid: 7, host: "elm", now: at(900) as Instant };
      expect(await second.lease(other)).toEqual({
        heldBy: { pid: 4121, host: "birch", since: 500, epoch: lease.epoch, alive: true },
      });
      expect(await lease.renew()).toBe(true);
      expect(lease.lost.aborted).toBe(false);
      await lease.release();
      expect(await store.holder()).toMatchObject({ pid: 4121, alive: false });
      expect(await lease.renew()).toBe(false);

      const taken = await leaseOf(second, other);
      await lease.release();
      expect(await taken.renew()).toBe(true);
      expect(await store.holder()).toEqual({ pid: 7, host: "elm", since: 900, epoch: taken.epoch, alive: true });
    });

    it("frees the lease when the holder closes it", async () => {
      const { open, store, commit } = await held();
      await commit(1);
      await store.close();
      const next = await open();
      expect(await next.holder()).toMatchObject({ alive: false });
      const lease = await leaseOf(next);
      expect(await next.commit(lease.epoch, aTick(2))).toBe("ok");
    });
  });
}

async function everything(store: Store, hash: BlobHash) {
  return {
    snapshot: await loaded(store),
    task: await store.task("t-1" as TaskId),
    tasks: await store.tasks(),
    blob: await store.blob(hash),
    ticks: await store.ticks(0, 10),
    holder: await store.holder(),
  };
}

function chore(id: string): Task["chores"][number] {
  return {
    kind: "notify",
    key: `${id}/1/notify/1` as EffectKey,
    task: id as TaskId,
    event: "failed",
    text: "it failed",
  };
}

/** The same, without parts that are shared with other values of the test. */
const mutable = <T>(value: T): T => structuredClone(value);

/** Changes everything in `value` that can be changed, as deep as it goes; what is frozen stays. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    spoil(part);
    Reflect.set(value, key, "spoiled");
  }
  if (Array.isArray(value) && Object.isExtensible(value)) value.push("spoiled");
}
