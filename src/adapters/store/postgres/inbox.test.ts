import { expect, it, onTestFinished } from "vitest";
import { approval } from "../../../../test/contracts/inbox.contract.ts";
import { onPostgres } from "../../../../test/support/postgres.ts";
import { at } from "../../../../test/support/ticks.ts";
import { addressOf, type ServerAddress } from "../address.ts";
import { openReader, openStore } from "../open-any.ts";
import { channelOf, inbox } from "./inbox.ts";
import { Link } from "./link.ts";

onPostgres("the inbox of a store on a server", {}, (server) => {
  const made = async () => {
    const address = server.address();
    const store = await openStore(address, { create: true });
    onTestFinished(() => store.close());
    return { address, store, at: addressOf(address) as ServerAddress };
  };
  const linked = (address: ServerAddress, options = {}): Link => {
    const link = new Link(address, process.env, options);
    onTestFinished(() => link.close());
    return link;
  };

  it("calls out every post to whoever listens, and again on a connection that was made anew", async () => {
    const { address, store, at: place } = await made();
    let heard = () => {};
    const told = () => new Promise<void>((resolve) => (heard = resolve));
    const hello = `LISTEN "${channelOf(linked(place).schema)}"`;
    const link = linked(place, { hello, notified: () => heard() });
    const [me] = await link.ask<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid");
    for (const id of ["r-1", "r-2"]) {
      const first = told();
      await store.post({ ...approval(id), at: at(1) });
      await first;
      await linked(addressOf(address) as ServerAddress).ask("SELECT pg_terminate_backend($1)", [me!.pid]);
      const [again] = await link.ask<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid", [], { ms: 5_000 });
      expect(again!.pid).not.toBe(id === "r-1" ? me!.pid : 0);
    }
  });

  it("rings by its interval where a notification is lost: nobody listens on this link", async () => {
    const { store, at: place } = await made();
    const deaf = inbox(linked(place));
    const ring = deaf.rung(new AbortController().signal);
    await store.post({ ...approval("r-1"), at: at(1) });
    await ring;
    expect((await deaf.unread(9)).map(({ id }) => id)).toEqual(["r-1"]);
  });

  it("keeps words of any kind: a NUL, half a surrogate, quotes, backslashes", async () => {
    const { address, store } = await made();
    const by = 'Å "quoted" \\ \u0000 \ud800 {}';
    await store.post({ ...approval("r-1", by), at: at(1) });
    const reader = await openReader(address);
    onTestFinished(() => reader.close());
    expect((await reader.unread(1))[0]?.by).toBe(by);
  });
});
