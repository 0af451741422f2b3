import { describe, expect, it, vi } from "vitest";
import {
  answered,
  asking,
  atPhase,
  boardOf,
  HEAD,
  LEG,
  OTHER,
  request,
  running,
  turn,
} from "../../test/support/rows.ts";
import type { Input } from "../domain/input.ts";
import type { BlobHash, TaskId } from "../domain/names.ts";
import type { Forge } from "../ports/forge.ts";
import type { ProbeEvent } from "../ports/probe.ts";
import type { Runtime } from "../ports/runtime.ts";
import type { Signals } from "../ports/signals.ts";
import { Looking } from "./look.ts";
import { lookAtBranches, lookAtRuns, lookForSignal, lookIntoInbox } from "./lookers.ts";

const permit = { epoch: 1, signal: new AbortController().signal };
const id = "task-1" as TaskId;

describe("looking", () => {
  const at = (once: () => Promise<number>) => {
    const events: ProbeEvent[] = [];
    const abort = new AbortController();
    const looking = new Looking(
      { name: "x", once },
      { signal: abort.signal, epoch: 1, probe: { record: (event) => events.push(event) } },
    );
    return { looking, events, abort };
  };

  it("says a failure once per kind, and again after it has worked", async () => {
    const said = ["down", "down", "gone", null, "gone"];
    const { looking, events } = at(async () => {
      const next = said.shift()!;
      if (next === null) return 5;
      throw new Error(next);
    });
    for (let i = 0; i < 5; i++) await looking.once();
    expect(events.map((event) => event.error)).toEqual(["down", "gone", "gone"]);
  });

  it("a poke ends the pause, and one during a look is not lost", async () => {
    vi.useFakeTimers();
    let looks = 0;
    let release = () => {};
    const { looking, abort } = at(() => {
      looks++;
      return new Promise((done) => {
        release = () => done(60_000);
      });
    });
    const run = looking.run();
    await vi.advanceTimersByTimeAsync(0);
    looking.poke();
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(2);
    release();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(looks).toBe(2);
    looking.poke();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(3);
    abort.abort();
    await run;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

describe("only a changed answer is an input", () => {
  it("runs: the first `alive` is known already, the same sighting is no news", async () => {
    const board = boardOf({ rows: [atPhase("implement", { doing: running({ ended: false }) })] });
    const said: Input[] = [];
    const read: unknown[] = [];
    let sighting: object = { kind: "alive", verdictWritten: false, overBudget: false };
    const runtime = {
      look: async (legs: string[]) => new Map(legs.map((leg) => [leg, sighting])),
    } as unknown as Runtime;
    const looker = lookAtRuns(board, runtime, {
      push: (input) => said.push(input),
      ended: (task, leg) => read.push([task, leg]),
      hash: () => "sha256-x" as BlobHash,
    });
    await looker.once(permit);
    expect(said).toEqual([]);
    sighting = { kind: "unknown", why: "x" };
    await looker.once(permit);
    await looker.once(permit);
    expect(said).toHaveLength(1);
    sighting = { kind: "ended", driver: "ended" };
    await looker.once(permit);
    await looker.once(permit);
    expect(read, "what its driver saw end is read at once").toEqual([["task-1", LEG]]);
    sighting = { kind: "ended", driver: "gone" };
    await looker.once(permit);
    expect(said.at(-1), "what nobody saw end is said first: many at once are a matter of their own").toMatchObject({
      sighting,
    });
  });

  it("signals: an answer about a commit that comes later is told again when it has come", async () => {
    const board = boardOf({ rows: [atPhase("await-review", { doing: asking() })] });
    const said: Input[] = [];
    const { answer } = answered({ head: OTHER }) as Extract<Input, { kind: "signal-seen" }>;
    const signals: Signals = {
      ask: async (questions) => ({ seen: questions.map(({ task }) => ({ task, answer })), againAfterMs: 1 }),
    };
    const looker = lookForSignal("human-approval", board, signals, (input) => said.push(input));
    await looker.once(permit);
    await looker.once(permit);
    await turn(board, said.splice(0));
    expect(board.task(id).phase, "it is about another commit").toBe("await-review");
    board.apply({ kind: "head-moved", task: id, head: OTHER, change: null, foreign: false });
    await looker.once(permit);
    await turn(board, said);
    expect(board.task(id).phase, "mark-ready is passed over: it is ready").toBe("merge");
  });

  it("branches: a push during work is told again when the work is over", async () => {
    const board = boardOf({ rows: [atPhase("verify", { doing: running({ ended: false }) })] });
    const said: Input[] = [];
    const branch = { head: OTHER, change: null, pr: "open", merged: null } as const;
    const forge = { branches: async () => ({ seen: [{ task: id, branch }], againAfterMs: 1 }) } as unknown as Forge;
    const looker = lookAtBranches(board, forge, (input) => said.push(input));
    await looker.once(permit);
    await looker.once(permit);
    await turn(board, said.splice(0));
    expect(board.task(id).head).toBe(HEAD);
    board.apply({ kind: "asking-started", task: id, signal: "x", at: board.now });
    await looker.once(permit);
    await turn(board, said);
    expect(board.task(id).head).toBe(OTHER);
  });

  it("requests: one that is still on its way through a tick is pushed once", async () => {
    const said: Input[] = [];
    const one = request({ do: "retry", from: null });
    const unread = [one] as never[];
    const looker = lookIntoInbox({ unread: async () => unread } as never, (input) => said.push(input));
    await looker.once(permit);
    await looker.once(permit);
    expect(said).toEqual([one]);
  });
});
