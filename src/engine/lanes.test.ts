import { describe, expect, it, vi } from "vitest";
import type { EffectResult, Input, RunEnd } from "../domain/input.ts";
import type { Intent } from "../domain/intent.ts";
import type { EffectKey, LegKey, TaskId } from "../domain/names.ts";
import type { Forge } from "../ports/forge.ts";
import type { Permit } from "../ports/permit.ts";
import type { ProbeEvent } from "../ports/probe.ts";
import { Lanes } from "./lanes.ts";
import type { Hands } from "./perform.ts";

const of = (kind: Intent["kind"], task: string, more = {}): Intent =>
  ({
    kind,
    key: `${task}/1/${kind}/1` as EffectKey,
    task: task as TaskId,
    leg: `${task}/1/1.1` as LegKey,
    ...more,
  }) as Intent;
const OK: EffectResult = { kind: "done", made: { what: "nothing" }, found: false };
const never = () => new Promise<never>(() => {});

function world(
  hands: { forge?: Partial<Forge>; runtime?: object; notify?: () => Promise<EffectResult> },
  width?: number,
) {
  const calls: string[] = [];
  const events: ProbeEvent[] = [];
  const ends: Input[] = [];
  const abort = new AbortController();
  const forge = { find: async () => ({ kind: "absent" }), perform: async () => OK, ...hands.forge } as unknown as Forge;
  const traced = new Proxy(forge, {
    get:
      (target, name: keyof Forge) =>
      (intent: Intent, ...rest: unknown[]) => {
        calls.push(`${name} ${intent.key}`);
        return (target[name] as (...args: unknown[]) => unknown)(intent, ...rest);
      },
  });
  const lanes = new Lanes({
    hands: {
      forge: traced,
      runtime: { stop: async () => OK, reap: async () => ({ how: "exit" }) as unknown as RunEnd, ...hands.runtime },
      channels: [{ notify: hands.notify ?? (async () => OK) }],
      blob: async () => new Uint8Array(),
    } as unknown as Hands,
    epoch: 1,
    signal: abort.signal,
    probe: { record: (event) => events.push(event) },
    ended: (input) => ends.push(input),
    ...(width === undefined ? {} : { width }),
  });
  return { lanes, calls, events, ends, abort, keys: () => ends.map((end) => ("key" in end ? end.key : end.kind)) };
}
const flush = () => vi.advanceTimersByTimeAsync(0);

describe("an effect", () => {
  it("that throws is in doubt: looked for first, then done, its end told once", async () => {
    vi.useFakeTimers();
    let tries = 0;
    const { lanes, calls, events, keys } = world({
      forge: { perform: async () => (tries++ === 0 ? Promise.reject(new Error("cut off")) : OK) },
    });
    lanes.start([of("publish", "task-1")]);
    await flush();
    expect(events).toMatchObject([{ event: "effect_in_doubt", error: "cut off", tries: 1 }]);
    expect([lanes.underWay, lanes.active, keys().length]).toEqual([1, 0, 0]);
    await vi.advanceTimersByTimeAsync(500);
    expect(calls).toEqual(["perform task-1/1/publish/1", "find task-1/1/publish/1", "perform task-1/1/publish/1"]);
    expect(keys()).toEqual(["task-1/1/publish/1"]);
    expect(lanes.underWay).toBe(0);
    vi.useRealTimers();
  });

  it("found done is not done again; what cannot be found out is asked again, with a growing pause", async () => {
    vi.useFakeTimers();
    const said = ["unknown", "unknown", "done"];
    const { lanes, calls, ends } = world({
      forge: {
        find: async () =>
          said.shift() === "done" ? { kind: "done", made: { what: "nothing" } } : { kind: "unknown", why: "down" },
      },
    });
    lanes.doubt([of("land", "task-1") as never]);
    await vi.advanceTimersByTimeAsync(499);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_002);
    expect(calls).toEqual(Array(3).fill("find task-1/1/land/1"));
    expect(ends).toMatchObject([{ result: { kind: "done", found: true } }]);
    vi.useRealTimers();
  });

  it("that hangs runs out of time, is in doubt, and fills only its own lane meanwhile", async () => {
    vi.useFakeTimers();
    const permits: Permit[] = [];
    const hang = (_: unknown, __: unknown, permit: Permit) => {
      permits.push(permit);
      return never();
    };
    const { lanes, events, keys } = world({ forge: { perform: hang as Forge["perform"] } }, 1);
    lanes.start([
      of("publish", "task-1"),
      of("publish", "task-2"),
      of("stop", "task-3"),
      of("notify", "task-4"),
      of("reap", "task-5"),
    ]);
    await flush();
    expect(keys().sort()).toEqual(["run-ended", "task-3/1/stop/1", "task-4/1/notify/1"]);
    expect(permits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(permits[0]!.signal.aborted).toBe(true);
    expect(events[0]).toMatchObject({
      event: "effect_in_doubt",
      key: "task-1/1/publish/1",
      error: "no end within 60 s",
    });
    expect(permits, "the lane is free for the next").toHaveLength(2);
    vi.useRealTimers();
  });

  it("of a step that is certainly not done yet is told to the domain; a chore's is tried again here", async () => {
    vi.useFakeTimers();
    const later: EffectResult = { kind: "later", until: null, owner: "host", detail: "not now" };
    let told = 0;
    const { lanes, keys } = world({
      forge: { perform: async () => later },
      notify: async () => (told++ < 2 ? later : OK),
    });
    lanes.start([of("publish", "task-1"), of("notify", "task-2")]);
    await flush();
    expect(keys()).toEqual(["task-1/1/publish/1"]);
    await vi.advanceTimersByTimeAsync(2_500);
    expect([told, keys().length]).toEqual([3, 2]);
    vi.useRealTimers();
  });

  it("ends with the lease: nothing is told, nothing is tried again, nothing stays", async () => {
    vi.useFakeTimers();
    const { lanes, abort, ends, calls } = world({ forge: { perform: async () => Promise.reject(new Error("x")) } });
    lanes.start([of("publish", "task-1")]);
    await flush();
    abort.abort(new Error("lost"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([ends.length, calls.length, lanes.underWay, vi.getTimerCount()]).toEqual([0, 1, 0, 0]);
    vi.useRealTimers();
  });

  it("in its pause is not the end: who waits for idle is not told so in between", async () => {
    vi.useFakeTimers();
    let tries = 0;
    const { lanes } = world({ forge: { perform: async () => (tries++ < 2 ? Promise.reject(new Error("x")) : OK) } });
    lanes.start([of("publish", "task-1")]);
    let idle: number | null = null;
    void lanes.idle(60_000).then(() => {
      idle = tries;
    });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(idle).toBe(3);
    vi.useRealTimers();
  });
});
