import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { leaseOf } from "../../../test/contracts/store.contract.ts";
import { type Program, program } from "../../../test/support/program.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { aTask, aTick, at } from "../../../test/support/ticks.ts";
import type { TaskId } from "../../domain/names.ts";
import type { Reader } from "../../ports/store.ts";
import { openReader, openStore } from "./open.ts";

const FIXTURE = "test/fixtures/store-program.ts";
const holdFrom = (path: string, wrap?: readonly string[]): Promise<Program> => program(FIXTURE, ["hold", path], wrap);

const here = async () => {
  const path = join(scratch(), "store.db");
  const open = async () => {
    const store = await openStore(path, { create: true });
    onTestFinished(() => store.close());
    return store;
  };
  return { path, open };
};
const read = async (path: string) => {
  const reader = await openReader(path);
  onTestFinished(() => reader.close());
  return reader;
};

describe("a holder in another process", () => {
  it("keeps the lease while it is stopped, commits again when it goes on, and frees it by dying", async () => {
    const { path, open } = await here();
    const child = await holdFrom(path);
    expect(await child.line()).toBe("held 1");
    const store = await open();
    const me = { pid: process.pid, host: "test", now: at(2) };
    const refused = { heldBy: { pid: child.pid, host: "child", since: 1, epoch: 1, alive: true } };
    expect(await store.lease(me)).toEqual(refused);

    await stopped(child);
    expect(await store.lease(me)).toEqual(refused);
    expect(await store.holder()).toMatchObject({ pid: child.pid, alive: true });
    expect(await store.commit(1, aTick(1))).toBe("fenced");
    child.kill("SIGCONT");
    child.tell("100");
    expect(await child.line()).toBe("ok 1");

    child.kill("SIGKILL");
    await child.gone;
    expect(await store.holder()).toMatchObject({ pid: child.pid, alive: false });
    const lease = await leaseOf(store, me);
    expect(lease.epoch).toBe(2);
    expect(await store.commit(2, aTick(2))).toBe("ok");
  });

  it("is fenced when its side file was deleted, another took over and it wakes up", async () => {
    const { path, open } = await here();
    const child = await holdFrom(path);
    expect(await child.line()).toBe("held 1");
    await stopped(child);
    rmSync(`${path}.lease`);
    const store = await open();
    expect(await store.holder()).toMatchObject({ alive: false });
    await leaseOf(store);
    expect(await store.commit(2, aTick(1))).toBe("ok");

    child.tell("100");
    child.kill("SIGCONT");
    expect([await child.line(), await child.line()].sort()).toEqual(["fenced", "lost"]);
    expect((await store.load()).seq).toBe(1);
  });

  it("is not disturbed by any number of looks from outside", async () => {
    const { path } = await here();
    const child = await holdFrom(path);
    expect(await child.line()).toBe("held 1");
    const readers = await Promise.all([read(path), read(path)]);
    for (let i = 1; i <= 100; i++) {
      expect((await readers[i % 2]!.holder())?.alive).toBe(true);
      if (i % 25 === 0) child.tell("100");
    }
    for (let seq = 1; seq <= 4; seq++) expect(await child.line()).toBe(`ok ${seq}`);
  });

  it("is refused by a holder here, although this process opened and closed the store again", async () => {
    const { path, open } = await here();
    const store = await open();
    await leaseOf(store, { pid: process.pid, host: "test", now: at(1) });
    const reader = await openReader(path);
    expect(await reader.holder()).toMatchObject({ pid: process.pid, alive: true });
    await reader.close();
    const second = await openStore(path);
    expect(await second.lease({ pid: 1, host: "test", now: at(2) })).toHaveProperty("heldBy");
    await second.close();

    const child = await holdFrom(path);
    expect(await child.line()).toBe(`refused ${process.pid}`);
    expect(await store.commit(1, aTick(1))).toBe("ok");
  });

  it("is one of several that start at once on a store that is not there", async () => {
    const { path } = await here();
    const children = await Promise.all([1, 2, 3].map(() => holdFrom(path)));
    const said = await Promise.all(children.map((child) => child.line()));
    const holder = children[said.indexOf("held 1")];
    expect(said.filter((line) => line === "held 1")).toHaveLength(1);
    expect(said.filter((line) => line === `refused ${holder?.pid}`)).toHaveLength(2);
  });
});

describe("SIGKILL in the middle of commits", () => {
  it("leaves a sound store, with every tick that was said to be committed, whole", async () => {
    const { path } = await here();
    const random = numbers(20261);
    let seq = 0;
    for (let life = 1; life <= 10; life++) {
      const child = await holdFrom(path);
      expect(await child.line()).toBe(`held ${life}`);
      child.tell("run");
      const last = await until(child, seq + 1 + random(60));
      child.kill("SIGKILL");
      await child.gone;
      const rest = await drained(child);
      // Every second time the next child opens what is there as it was left: nobody checkpoints in between.
      if (life % 2) seq = await checked(path, Math.max(last, rest));
      else seq = Math.max(last, rest);
    }
  }, 60_000);

  it("is never seen by a reader as half a tick while it commits", async () => {
    const { path } = await here();
    const child = await holdFrom(path);
    expect(await child.line()).toBe("held 1");
    const reader = await read(path);
    child.tell("run");
    const seen = new Set<number>();
    await until(child, 1);
    while (seen.size < 20) seen.add(await isWhole(reader));
  });
});

describe("requests from other processes", () => {
  it("are each answered, none lost and none taken twice, beside a holder that commits", async () => {
    const { path, open } = await here();
    const store = await open();
    const { epoch } = await leaseOf(store);
    const posters = await Promise.all([1, 2, 3, 4, 5].map((n) => program(FIXTURE, ["post", path, `p${n}`, "10"])));
    const done = new AbortController();
    void Promise.all(posters.map(({ gone }) => gone)).then(() => done.abort());
    const answered: string[] = [];
    let seq = 0;
    const turn = async () => {
      const requests = await store.unread(7);
      const facts = requests.map(({ id }) => ({ kind: "command-answered" as const, id, accepted: true, reply: id }));
      const rows = [aTask("t-1", { round: seq })];
      expect(await store.commit(epoch, aTick(++seq, { inputs: requests, facts, rows }))).toBe("ok");
      answered.push(...requests.map(({ id }) => id));
      return requests.length;
    };
    while (!done.signal.aborted) {
      await store.rung(done.signal);
      await turn();
    }
    while (await turn());

    expect(await Promise.all(posters.map(({ gone }) => gone))).toEqual([0, 0, 0, 0, 0]);
    const posted = [1, 2, 3, 4, 5].flatMap((p) => Array.from({ length: 10 }, (_, n) => `p${p}-${n + 1}`));
    expect([...answered].sort()).toEqual([...posted].sort());
    for (const p of [1, 2, 3, 4, 5]) {
      const own = answered.filter((id) => id.startsWith(`p${p}-`));
      expect(own).toEqual(posted.filter((id) => id.startsWith(`p${p}-`)));
    }
    for (const id of posted) expect(await store.reply(id)).toEqual({ accepted: true, reply: id });
  });
});

describe("a disk that gives an error", () => {
  it.skipIf(process.platform !== "linux")(
    "is STORE_IO, nothing is written, and the same commit works afterwards",
    async () => {
      const { path } = await here();
      // The signal of a passed file size limit is ignored, so that a write fails, as on a broken disk.
      const child = await holdFrom(path, ["bash", "-c", `trap "" XFSZ; ulimit -S -f 300; exec "$@"`, "bash"]);
      expect(await child.line()).toBe("held 1");
      child.tell("1000");
      expect(await child.line()).toBe("ok 1");
      for (const _ of [1, 2]) {
        child.tell("800000");
        expect(await child.line()).toBe("STORE_IO");
      }
      expect(await isWhole(await read(path))).toBe(1);
      execFileSync("prlimit", ["--pid", `${child.pid}`, "--fsize=unlimited"]);
      child.tell("800000");
      expect(await child.line()).toBe("ok 2");
      expect(await isWhole(await read(path))).toBe(2);
    },
  );
});

/** The seq of the store, after a look that its row and its seeds say the same. */
async function isWhole(reader: Reader): Promise<number> {
  const { seq, live, seeds } = await reader.load();
  expect([live[0]?.round ?? 0, [...seeds].length]).toEqual([seq, seq]);
  return seq;
}

/** Opens what a killed holder left: sound, whole, no gap in the log, and at most one tick more than was said. */
async function checked(path: string, said: number): Promise<number> {
  const store = await openStore(path);
  const seq = await isWhole(store);
  expect([said, said + 1]).toContain(seq);
  expect((await store.ticks(0, seq + 1)).map((tick) => tick.seq)).toEqual(Array.from({ length: seq }, (_, n) => n + 1));
  expect((await store.task("t-1" as TaskId))?.round).toBe(seq);
  await store.close();
  return seq;
}

const seqOf = (line: string | null): number => Number(/^ok (\d+)$/.exec(line ?? "")?.[1] ?? 0);

/** Reads what the child says up to that commit. */
async function until(child: Program, wanted: number): Promise<number> {
  for (;;) {
    const line = await child.line();
    if (line === null) throw new Error("the child ended");
    if (seqOf(line) >= wanted) return seqOf(line);
  }
}

async function drained(child: Program): Promise<number> {
  let last = 0;
  for (let line = await child.line(); line !== null; line = await child.line()) last = Math.max(last, seqOf(line));
  return last;
}

async function stopped(child: Program): Promise<void> {
  child.kill("SIGSTOP");
  const state = () => execFileSync("ps", ["-o", "stat=", "-p", `${child.pid}`], { encoding: "utf8" });
  await vi.waitUntil(() => state().startsWith("T"), { timeout: 5_000, interval: 10 });
}

/** Whole numbers from 0 below a bound, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
