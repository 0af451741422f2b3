import { execFileSync } from "node:child_process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { leaseOf } from "../../../../test/contracts/store.contract.ts";
import { onPostgres } from "../../../../test/support/postgres.ts";
import { type Program, program } from "../../../../test/support/program.ts";
import { aTask, aTick, at } from "../../../../test/support/ticks.ts";
import type { Lease, Store } from "../../../ports/store.ts";
import { addressOf, type ServerAddress } from "../address.ts";
import { openReader, openStore } from "../open-any.ts";
import { committing } from "./commit.ts";
import { Link } from "./link.ts";

const FIXTURE = "test/fixtures/store-program.ts";
const LEASE_MS = 2_000;
const ME = { pid: process.pid, host: "test", now: at(2) };

onPostgres("the lease of a store on a server", {}, (server) => {
  const opened = async (address: string): Promise<Store> => {
    const store = await openStore(address, { create: true });
    onTestFinished(() => store.close());
    return store;
  };
  const held = async (of: { leaseMs?: number } = {}) => {
    const address = server.address(of);
    const store = await opened(address);
    return { address, store, lease: await leaseOf(store, ME) };
  };

  it("is refused to a holder that was stopped past it, by the store and by its own clock, and another has it in time", async () => {
    const address = server.address({ leaseMs: LEASE_MS });
    const store = await opened(address);
    const child = await program(FIXTURE, ["hold", address]);
    expect(await child.line()).toBe("held 1");
    const refused = { heldBy: { pid: child.pid, host: "child", since: 1, epoch: 1, alive: true } };
    expect(await store.lease(ME)).toEqual(refused);
    child.tell("100");
    expect(await child.line()).toBe("ok 1");

    await stopped(child);
    const since = performance.now();
    const lease = await standBy(store);
    expect(performance.now() - since).toBeLessThan(LEASE_MS + 2_000);
    expect(await store.commit(lease.epoch, aTick(2, { rows: [aTask("t-1", { round: 22 })] }))).toBe("ok");
    child.tell("100");
    child.kill("SIGCONT");
    expect([await child.line(), await child.line()].sort()).toEqual(["fenced", "lost"]);
    const { seq, live } = await store.load();
    expect([seq, live[0]?.round]).toEqual([2, 22]);
  });

  it("is over for a stopped holder also when nobody took it meanwhile", async () => {
    const address = server.address({ leaseMs: LEASE_MS });
    const store = await opened(address);
    const child = await program(FIXTURE, ["hold", address]);
    expect(await child.line()).toBe("held 1");
    await stopped(child);
    await vi.waitUntil(async () => (await store.holder())?.alive === false, { timeout: 10_000, interval: 50 });
    child.tell("100");
    child.kill("SIGCONT");
    expect([await child.line(), await child.line()].sort()).toEqual(["fenced", "lost"]);
    expect((await store.load()).seq).toBe(0);
  });

  it("passes to another within its time and two seconds when the holder is killed", async () => {
    const address = server.address({ leaseMs: LEASE_MS });
    const store = await opened(address);
    const child = await program(FIXTURE, ["hold", address]);
    expect(await child.line()).toBe("held 1");
    child.kill("SIGKILL");
    await child.gone;
    const since = performance.now();
    expect((await standBy(store)).epoch).toBe(2);
    expect(performance.now() - since).toBeLessThan(LEASE_MS + 2_000);
  });

  it("is free at once when the holder gives it back", async () => {
    const { address, store, lease } = await held();
    const next = await opened(address);
    expect(await next.lease(ME)).toHaveProperty("heldBy");
    await lease.release();
    expect((await leaseOf(next, ME)).epoch).toBe(2);
    expect(await store.holder()).toMatchObject({ epoch: 2, alive: true });
  });

  it("is kept for as long as its holder lives: it renews itself", async () => {
    const { address, store, lease } = await held({ leaseMs: LEASE_MS });
    const other = await opened(address);
    const until = lease.until!;
    await vi.waitUntil(() => lease.until! > until + LEASE_MS, { timeout: 10_000, interval: 50 });
    expect(await other.lease(ME)).toHaveProperty("heldBy");
    expect(await lease.renew()).toBe(true);
    expect(await store.commit(lease.epoch, aTick(1))).toBe("ok");
  });

  describe("ends for its holder before anybody else can have it", () => {
    it.each(["wall", "mono"] as const)("when its %s clock says so, whatever the other says", async (which) => {
      const { store, lease } = await held();
      expect(await store.commit(lease.epoch, aTick(1))).toBe("ok");
      jump(which, 13_000);
      expect(await store.commit(lease.epoch, aTick(2))).toBe("fenced");
      expect(lease.lost.aborted).toBe(true);
      expect(await lease.renew()).toBe(false);
      expect(await store.holder()).toMatchObject({ alive: true });
    });

    it("and not while four fifths of it are left", async () => {
      const { store, lease } = await held();
      jump("wall", 9_000);
      expect(await store.commit(lease.epoch, aTick(1))).toBe("ok");
    });
  });

  it("is checked by the server in the transaction of each commit, whatever the holder believes", async () => {
    const { address, store, lease } = await held();
    const link = new Link(addressOf(address) as ServerAddress, process.env);
    onTestFinished(() => link.close());
    const believing = committing(link, {
      lease: store.lease,
      holds: () => true,
      lost: () => new AbortController().signal,
      lose: () => {},
      release: async () => {},
    });
    expect(await believing(lease.epoch + 1, aTick(1))).toBe("fenced");
    expect(await believing(lease.epoch, aTick(1))).toBe("ok");
    // a lease that ends between two ticks of one commit takes both back
    await link.ask(`CREATE FUNCTION ${link.schema}.ends() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.seq = 2 THEN UPDATE ${link.schema}.lease SET until = clock_timestamp() - interval '1 s'; END IF;
      RETURN NEW; END $$`);
    await link.ask(
      `CREATE TRIGGER ends AFTER INSERT ON ${link.schema}.ticks FOR EACH ROW EXECUTE FUNCTION ${link.schema}.ends()`,
    );
    expect(await believing(lease.epoch, aTick(2), aTick(3))).toBe("fenced");
    expect((await store.ticks(0, 9)).map(({ seq }) => seq)).toEqual([1]);
    await link.ask(`DROP FUNCTION ${link.schema}.ends() CASCADE`);
    await link.ask(`UPDATE ${link.schema}.lease SET until = clock_timestamp() - interval '1 millisecond'`);
    expect(await believing(lease.epoch, aTick(2))).toBe("fenced");
    expect((await store.load()).seq).toBe(1);
  });

  it("is one of several that start at once on a database without a store", async () => {
    const address = server.address();
    const children = await Promise.all([1, 2, 3].map(() => program(FIXTURE, ["hold", address])));
    const said = await Promise.all(children.map((child) => child.line()));
    const holder = children[said.indexOf("held 1")];
    expect(said.filter((line) => line === "held 1")).toHaveLength(1);
    expect(said.filter((line) => line === `refused ${holder?.pid}`)).toHaveLength(2);
  });

  it("is seen by anybody, and taken by no reader", async () => {
    const { address } = await held();
    const reader = await openReader(address);
    onTestFinished(() => reader.close());
    expect(await reader.holder()).toEqual({ pid: process.pid, host: "test", since: 2, epoch: 1, alive: true });
    expect(reader).not.toHaveProperty("lease");
  });
});

/** Asks again until the lease is free, as a processor that stands by does. */
async function standBy(store: Store): Promise<Lease> {
  return vi.waitFor(() => leaseOf(store, ME), { timeout: 20_000, interval: 50 });
}

/** One of the two clocks says so much more from now on. */
function jump(which: "wall" | "mono", ms: number): void {
  const clock = which === "wall" ? Date : performance;
  const now = clock.now.bind(clock);
  const spy = vi.spyOn(clock, "now").mockImplementation(() => now() + ms);
  onTestFinished(() => void spy.mockRestore());
}

async function stopped(child: Program): Promise<void> {
  child.kill("SIGSTOP");
  const state = () => execFileSync("ps", ["-o", "stat=", "-p", `${child.pid}`], { encoding: "utf8" });
  await vi.waitUntil(() => state().startsWith("T"), { timeout: 5_000, interval: 10 });
}
