import { mkdirSync, readdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permit, question, signalsContract } from "../../../test/contracts/signals.contract.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { humanInbox } from "./human-inbox.ts";

/** An inbox folder, and a clock that is pushed. */
function folder(from: readonly string[] = []) {
  const inbox = join(scratch(), "inbox");
  let ahead = 0;
  const make = () => humanInbox({ inbox, from, now: () => Date.now() + ahead });
  const drop = (name: string, text = "") => {
    mkdirSync(inbox, { recursive: true });
    writeFileSync(join(inbox, name), text);
  };
  const push = (ms: number) => {
    ahead += ms;
  };
  const signals = make();
  const ask = async (by = signals) => (await by.ask([question("task-1")], permit)).seen.map(({ answer }) => answer);
  return { inbox, signals, make, drop, push, ask };
}

signalsContract("a folder of files", async () => {
  const { inbox, signals, make, drop, push } = folder();
  return {
    signals,
    another: make,
    answer: async (task, status, message) => {
      mkdirSync(inbox, { recursive: true });
      if (status !== null) drop(`${task}.${status === "approved" ? "approve" : "reject"}`, message);
    },
    settle: async () => push(1_000),
  };
});

describe("the inbox folder", () => {
  it("reads a file when it was left alone for 200 ms, and asks to be asked again until then", async () => {
    const { signals, drop, push } = folder();
    drop("task-1.approve", "half");
    expect(await signals.ask([question("task-1")], permit)).toEqual({ seen: [], againAfterMs: 200 });
    push(150);
    drop("task-1.approve", "half, and the other half");
    expect((await signals.ask([question("task-1")], permit)).seen).toEqual([]);
    push(250);
    const { seen, againAfterMs } = await signals.ask([question("task-1")], permit);
    expect([seen[0]?.answer.message, againAfterMs]).toEqual(["half, and the other half", 1_000]);
  });

  it("tells once of each file that is left lying, and again when it was away", async () => {
    const left: (readonly [string, string | null])[] = [];
    const { inbox, drop } = folder();
    let at = 0;
    const signals = humanInbox({ inbox, from: ["lead"], now: () => Date.now() + at, left: (...of) => left.push(of) });
    const ask = (): Promise<unknown> => {
      at += 1_000;
      return signals.ask([question("task-1")], permit);
    };
    for (const name of ["task-1.aprove", "task-2.approve", ".hidden", "task-1.approve~"]) drop(name);
    drop("task-1.reject", "by: bob\nno");
    mkdirSync(join(inbox, "taken"));
    await ask();
    for (let i = 0; i < 3; i++) await ask();
    expect(left.filter(([, why]) => why === null).map(([name]) => name)).toEqual(["task-1.aprove", "task-2.approve"]);
    expect(left.filter(([, why]) => why !== null)).toEqual([
      ["task-1.reject", expect.stringContaining(", who is not in from (lead)")],
    ]);
    renameSync(join(inbox, "task-1.aprove"), join(inbox, "taken/x"));
    await ask();
    drop("task-1.aprove");
    for (let i = 0; i < 2; i++) await ask();
    expect(left.at(-1)).toEqual(["task-1.aprove", null]);
  });

  it("takes a file that was written elsewhere and moved in at its first look", async () => {
    const { inbox, drop, ask } = folder();
    drop("draft", "whole");
    utimesSync(join(inbox, "draft"), new Date(), new Date(Date.now() - 5_000));
    renameSync(join(inbox, "draft"), join(inbox, "task-1.approve"));
    expect(await ask()).toMatchObject([{ status: "approved", message: "whole" }]);
  });

  it("reads a file of tomorrow too: its clock may be another machine's", async () => {
    const { inbox, drop, push, ask } = folder();
    drop("task-1.approve");
    utimesSync(join(inbox, "task-1.approve"), new Date(), new Date(Date.now() + 86_400_000));
    expect(await ask()).toEqual([]);
    push(300);
    expect(await ask()).toMatchObject([{ status: "approved", message: null }]);
  });

  it("rejection wins where both files are there, and takes the approval with it", async () => {
    const { inbox, signals, drop, push, ask } = folder();
    drop("task-1.approve");
    drop("task-1.reject", "no");
    push(1_000);
    const [answer] = await ask();
    expect(answer).toMatchObject({ status: "rejected", message: "no", by: userInfo().username });
    await signals.taken!([answer!.id]);
    expect(readdirSync(inbox)).toEqual(["taken"]);
    expect(readdirSync(join(inbox, "taken")).map((name) => name.replace(/\.[0-9a-f]{12}$/, ""))).toEqual([
      "task-1.approve",
      "task-1.reject",
    ]);
    expect(await ask()).toEqual([]);
  });

  it("taking an answer leaves a newer one where it is, and the same words again are a new answer", async () => {
    const { inbox, signals, drop, push, ask } = folder();
    drop("task-1.approve", "yes");
    push(1_000);
    const [first] = await ask();
    drop("other", "yes");
    renameSync(join(inbox, "other"), join(inbox, "task-1.approve"));
    await signals.taken!([first!.id]);
    const [second] = await ask();
    expect(second).toMatchObject({ status: "approved", message: "yes" });
    expect(second!.id).not.toBe(first!.id);
    await signals.taken!([second!.id]);
    expect(await ask()).toEqual([]);
  });

  it("looks at plain files of tasks that wait, and at nothing else", async () => {
    const { inbox, drop, push, ask } = folder();
    drop("task-2.approve");
    drop("task-1.approve~");
    drop("secret", "of mine");
    mkdirSync(join(inbox, "task-1.reject"));
    symlinkSync(join(inbox, "secret"), join(inbox, "task-1.approve"));
    push(1_000);
    expect(await ask()).toEqual([]);
    expect(readdirSync(inbox)).toHaveLength(5);
  });

  it("cuts a message of a megabyte and says so", async () => {
    const { drop, push, ask } = folder();
    drop("task-1.reject", "x".repeat(1_000_000));
    push(1_000);
    const message = (await ask())[0]!.message!;
    expect([message.indexOf("…"), message.slice(65_536)]).toEqual([65_536, "… [cut: 934464 bytes more]"]);
  });

  it("with names in from, somebody else's file decides nothing and says why", async () => {
    const mallory = folder(["lead@example.org"]);
    mallory.drop("task-1.approve", "by: mallory\nyes");
    mallory.push(1_000);
    const [answer] = await mallory.ask();
    expect(answer).toMatchObject({ status: "pending", message: expect.stringContaining("lead@example.org") });

    const lead = folder(["lead@example.org"]);
    lead.drop("task-1.approve", "by: lead@example.org\nyes");
    lead.push(1_000);
    expect(await lead.ask()).toMatchObject([{ status: "approved", by: "lead@example.org", message: "yes" }]);

    const owner = folder([`${userInfo().username}@example.org`]);
    owner.drop("task-1.reject", "no");
    owner.push(1_000);
    expect(await owner.ask()).toMatchObject([{ status: "rejected", by: `${userInfo().username}@example.org` }]);
  });

  it("rings when a file comes, and stops when it is told to", async () => {
    const { signals, drop } = folder();
    const stop = new AbortController();
    const rings = signals.rung!(stop.signal)[Symbol.asyncIterator]();
    const first = rings.next();
    // the watcher starts when it can; files are dropped until it rings
    const dropping = setInterval(() => drop("task-1.approve", String(Math.random())), 20);
    try {
      expect((await first).done).toBe(false);
    } finally {
      clearInterval(dropping);
    }
    stop.abort();
    for (let end = await rings.next(); !end.done; end = await rings.next());
  });
});
