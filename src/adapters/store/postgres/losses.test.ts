import { expect, it, onTestFinished, vi } from "vitest";
import { leaseOf } from "../../../../test/contracts/store.contract.ts";
import { cuttingProxy } from "../../../../test/support/cutting-proxy.ts";
import { onPostgres } from "../../../../test/support/postgres.ts";
import { type Program, program } from "../../../../test/support/program.ts";
import { aTask, aTick, at } from "../../../../test/support/ticks.ts";
import type { Inbox } from "../../../ports/inbox.ts";
import type { Reader, Store } from "../../../ports/store.ts";
import { openReader, openStore } from "../open-any.ts";

const FIXTURE = "test/fixtures/store-program.ts";
const ME = { pid: process.pid, host: "test", now: at(2) };
/** What stands in the statement of a commit, and in the one that takes the lease. */
const COMMIT = "commit_tick";
const TAKE = "WHERE l.until <= clock_timestamp()";

onPostgres("a store on a server that is lost on the way", { own: true }, (server) => {
  const opened = async (address: string): Promise<Store & Inbox> => {
    const store = await openStore(address, { create: true });
    onTestFinished(() => store.close());
    return store;
  };
  const read = async (address: string): Promise<Reader & Inbox> => {
    const reader = await openReader(address);
    onTestFinished(() => reader.close());
    return reader;
  };
  const viaProxy = async (leaseMs?: number) => {
    const proxy = await cuttingProxy(server.cluster.socket);
    onTestFinished(() => proxy.close().catch(() => {}));
    const address = server.address({ via: `postgres://pawl@${proxy.at}/postgres`, ...(leaseMs ? { leaseMs } : {}) });
    const direct = server.address({ schema: /schema=(\w+)/.exec(address)![1]! });
    return { proxy, address, direct };
  };
  const row = (round: number) => ({ rows: [aTask("t-1", { round })] });

  it.each([
    ["a tick", "before", 1],
    ["a tick", "after", 1],
    ["three ticks at once", "before", 3],
    ["three ticks at once", "after", 3],
  ] as const)(
    "writes %s once when the connection is cut %s the server has it, and goes on",
    async (_, moment, more) => {
      const { proxy, address, direct } = await viaProxy();
      const store = await opened(address);
      const { epoch } = await leaseOf(store, ME);
      expect(await store.commit(epoch, aTick(1, row(1)))).toBe("ok");
      proxy.cut(moment, COMMIT);
      const ticks = Array.from({ length: more }, (_, n) => aTick(n + 2, row(n + 2)));
      expect(await store.commit(epoch, ...ticks)).toBe("ok");
      expect(proxy.cuts).toBe(1);
      expect(await store.commit(epoch, aTick(more + 2, row(more + 2)))).toBe("ok");
      const reader = await read(direct);
      expect((await reader.ticks(0, 9)).map(({ seq, epoch }) => [seq, epoch])).toEqual(
        Array.from({ length: more + 2 }, (_, n) => [n + 1, epoch]),
      );
      expect((await reader.load()).live[0]?.round).toBe(more + 2);
    },
  );

  it.each([
    ["before", 1],
    ["after", 2],
  ] as const)(
    "is in doubt when it is cut %s and nobody answers in time; the next one loads what is there",
    async (moment, seq) => {
      const { proxy, address, direct } = await viaProxy(2_000);
      const store = await opened(address);
      const lease = await leaseOf(store, ME);
      expect(await store.commit(lease.epoch, aTick(1, row(1)))).toBe("ok");
      proxy.cut(moment, COMMIT);
      const commit = store.commit(lease.epoch, aTick(2, row(2)));
      const doubt = expect(commit).rejects.toMatchObject({ code: "STORE_DOUBT", data: { seq: 2 } });
      await vi.waitUntil(() => proxy.cuts === 1, { interval: 1 });
      await proxy.close();
      await doubt;
      expect(lease.lost.aborted).toBe(true);
      expect(await store.commit(lease.epoch, aTick(2, row(2)))).toBe("fenced");

      const next = await opened(direct);
      const taken = await vi.waitFor(() => leaseOf(next, ME), { timeout: 10_000, interval: 50 });
      const found = await next.load();
      expect([found.seq, found.live[0]?.round]).toEqual([seq, seq]);
      expect(await next.commit(taken.epoch, aTick(seq + 1, row(seq + 1)))).toBe("ok");
    },
  );

  it("takes the lease once when the answer to that is lost", async () => {
    const { proxy, address } = await viaProxy();
    const store = await opened(address);
    proxy.cut("after", TAKE);
    const { epoch } = await leaseOf(store, ME);
    expect([proxy.cuts, epoch]).toEqual([1, 1]);
    expect(await store.commit(1, aTick(1))).toBe("ok");
  });

  it.each(["fast", "immediate"] as const)("goes on when the server is stopped (%s) and started again", async (how) => {
    const address = server.address();
    const child = await program(FIXTURE, ["hold", address]);
    expect(await child.line()).toBe("held 1");
    const reader = await read(address);
    child.tell("run");
    const before = await until(child, 10);
    await server.cluster.stop(how);
    await server.cluster.start();
    const after = await until(child, before + 40);
    const ticks = await reader.ticks(0, after);
    expect(ticks.map(({ seq, epoch }) => [seq, epoch])).toEqual(Array.from({ length: after }, (_, n) => [n + 1, 1]));
    await isWhole(reader);
  });

  it("leaves a sound store under SIGKILL in the middle of commits, with every tick that was said to be committed", async () => {
    const address = server.address();
    const schema = /schema=(\w+)/.exec(address)![1];
    let seq = 0;
    for (let life = 1; life <= 3; life++) {
      const child = await program(FIXTURE, ["hold", address]);
      expect(await child.line()).toBe(`held ${life}`);
      child.tell("run");
      const last = await until(child, seq + 5 * life);
      child.kill("SIGKILL");
      await child.gone;
      const said = Math.max(last, await drained(child));
      // Its time passes.
      server.cluster.sql(`UPDATE ${schema}.lease SET until = now()`);
      const reader = await openReader(address);
      seq = await isWhole(reader);
      expect([said, said + 1]).toContain(seq);
      expect((await reader.ticks(0, seq + 1)).map((tick) => tick.seq)).toEqual(
        Array.from({ length: seq }, (_, n) => n + 1),
      );
      await reader.close();
    }
  });

  it("answers 50 requests of five processes, each once and in their order, beside commits", async () => {
    const address = server.address();
    const store = await opened(address);
    const { epoch } = await leaseOf(store, ME);
    const posters = await Promise.all([1, 2, 3, 4, 5].map((n) => program(FIXTURE, ["post", address, `p${n}`, "10"])));
    const done = new AbortController();
    void Promise.all(posters.map(({ gone }) => gone)).then(() => done.abort());
    const answered: string[] = [];
    let seq = 0;
    const turn = async () => {
      const requests = await store.unread(7);
      const facts = requests.map(({ id }) => ({ kind: "command-answered" as const, id, accepted: true, reply: id }));
      expect(await store.commit(epoch, aTick(++seq, { inputs: requests, facts, ...row(seq) }))).toBe("ok");
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
    for (const p of [1, 2, 3, 4, 5])
      expect(answered.filter((id) => id.startsWith(`p${p}-`))).toEqual(posted.filter((id) => id.startsWith(`p${p}-`)));
    for (const id of posted) expect(await store.reply(id)).toEqual({ accepted: true, reply: id });
  });
});

/** The seq of the store, after a look that its row and its seeds say the same. */
async function isWhole(reader: Reader): Promise<number> {
  const { seq, live, seeds } = await reader.load();
  expect([live[0]?.round ?? 0, [...seeds].length]).toEqual([seq, seq]);
  return seq;
}

const seqOf = (line: string | null): number => Number(/^ok (\d+)$/.exec(line ?? "")?.[1] ?? 0);

/** Reads what the child says up to that commit. */
async function until(child: Program, wanted: number): Promise<number> {
  for (;;) {
    const line = await child.line();
    if (line === null || !line.startsWith("ok")) throw new Error(`the child says ${line}`);
    if (seqOf(line) >= wanted) return seqOf(line);
  }
}

async function drained(child: Program): Promise<number> {
  let last = 0;
  for (let line = await child.line(); line !== null; line = await child.line()) last = Math.max(last, seqOf(line));
  return last;
}
