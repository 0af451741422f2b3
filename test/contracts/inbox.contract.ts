import { describe, expect, it } from "vitest";
import type { Command } from "../../src/domain/input.ts";
import type { TaskId } from "../../src/domain/names.ts";
import type { Inbox, Posted } from "../../src/ports/inbox.ts";
import type { Store } from "../../src/ports/store.ts";
import { aTick, at } from "../support/ticks.ts";
import { leaseOf, type OpenAgain } from "./store.contract.ts";

export const approval = (id: string, by = "ann"): Posted => ({
  id,
  by,
  task: "t-1" as TaskId,
  command: { do: "approve", head: null, message: `as ${id}` },
});
const post = (inbox: Inbox, request: Posted) => inbox.post({ ...request, at: at(5) });
const answer = (id: string, accepted = true, reply = `done ${id}`) =>
  ({ kind: "command-answered", id, accepted, reply }) as const;
const ids = async (inbox: Inbox, limit = 100): Promise<string[]> => (await inbox.unread(limit)).map(({ id }) => id);

/** What every Inbox promises (ports/inbox.ts), beside the store that answers it. */
export function inboxContract(label: string, make: () => Promise<OpenAgain>): void {
  describe(`${label} as an Inbox`, () => {
    const opened = async (): Promise<{ open: OpenAgain; store: Store & Inbox }> => {
      const open = await make();
      return { open, store: await open() };
    };

    it("copies what is posted: change it, read again, nothing changed", async () => {
      const { store } = await opened();
      const command: {
        -readonly [K in keyof Extract<Command, { do: "cancel" }>]: Extract<Command, { do: "cancel" }>[K];
      } = { do: "cancel", message: "too late" };
      await post(store, { ...approval("r-1"), command });
      command.message = "spoiled";
      const first = await store.unread(1);
      expect(first[0]?.command).toEqual({ do: "cancel", message: "too late" });
      Reflect.set(first[0]!.command, "message", "spoiled");
      expect((await store.unread(1))[0]?.command).toEqual({ do: "cancel", message: "too late" });
    });

    it("takes requests from anybody, without the lease, and keeps their order", async () => {
      const { open, store } = await opened();
      const other = await open();
      for (const id of ["r-3", "r-1"]) await post(other, approval(id));
      await post(store, { id: "r-2", by: "bob", task: null, command: { do: "stop", workers: true } });
      expect(await store.unread(2)).toEqual([
        { kind: "command-received", ...approval("r-3") },
        { kind: "command-received", ...approval("r-1") },
      ]);
      expect(await ids(store)).toEqual(["r-3", "r-1", "r-2"]);
      expect((await store.unread(3))[2]).toEqual({
        kind: "command-received",
        id: "r-2",
        by: "bob",
        task: null,
        command: { do: "stop", workers: true },
      });
    });

    it("has a request once, however often it is posted, as it was first", async () => {
      const { open, store } = await opened();
      await post(store, approval("r-1"));
      await post(await open(), approval("r-1", "bob"));
      expect((await store.unread(9)).map(({ by }) => by)).toEqual(["ann"]);
    });

    it("keeps a request unread until the tick that answers it, then its reply for ever", async () => {
      const { open, store } = await opened();
      for (const id of ["r-1", "r-2"]) await post(store, approval(id));
      const { epoch } = await leaseOf(store);
      expect(await store.commit(epoch, aTick(1))).toBe("ok");
      expect(await ids(store)).toEqual(["r-1", "r-2"]);
      expect(await store.reply("r-1")).toBeNull();

      await store.commit(epoch, aTick(2, { facts: [answer("r-1"), answer("r-9"), answer("r-2", false, "not now")] }));
      expect(await ids(store)).toEqual([]);
      await post(store, approval("r-1"));
      expect(await ids(store)).toEqual([]);
      await store.commit(epoch, aTick(3, { facts: [answer("r-1", false, "again")] }));
      await store.close();

      const later = await open();
      expect(await later.reply("r-1")).toEqual({ accepted: true, reply: "done r-1" });
      expect(await later.reply("r-2")).toEqual({ accepted: false, reply: "not now" });
      expect(await later.reply("r-7")).toBeNull();
    });

    it("keeps a request unread when the tick that answers it is fenced", async () => {
      const { store } = await opened();
      await post(store, approval("r-1"));
      expect(await store.commit(0, aTick(1, { facts: [answer("r-1")] }))).toBe("fenced");
      expect(await ids(store)).toEqual(["r-1"]);
      expect(await store.reply("r-1")).toBeNull();
    });

    it("rings when something is posted, also what was posted before anybody listened", async () => {
      const { open, store } = await opened();
      const other = await open();
      const forever = new AbortController().signal;
      await post(other, approval("r-1"));
      await store.rung(forever);
      const ring = store.rung(forever);
      await post(other, approval("r-2"));
      await ring;
      expect(await ids(store)).toEqual(["r-1", "r-2"]);
    });

    it("stops listening when the signal aborts, before or during", async () => {
      const { store } = await opened();
      await store.rung(AbortSignal.abort());
      const listening = new AbortController();
      const ring = store.rung(listening.signal);
      listening.abort();
      await ring;
    });
  });
}
