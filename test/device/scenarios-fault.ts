import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { PawlError } from "../../src/domain/errors.ts";
import { shows } from "../support/shows.ts";
import { drive } from "./support/drive.ts";
import { faulty } from "./support/faulty-bridge.ts";
import type { Scene } from "./support/scene.ts";
import { scriptedAgent } from "./support/scripted-agent.ts";
import type { OpenStage } from "./support/stage.ts";

/** DEV-5, DEV-7.4, DEV-8: what goes wrong, and how a run ends. */
export function faultScenarios({ it, stage, fresh }: Scene, open: () => OpenStage): void {
  describe("what goes wrong", () => {
    it("DEV-5.1 a refused action is tried again after 0.5 s and 1 s, each time on a fresh look", async () => {
      const { bridge, places } = await fresh();
      bridge.plan("tap", "refused", "refused");
      const agent = scriptedAgent([{ action: "tap", coordinate: places.find }]);
      const run = drive({ bridge, agent });
      await run.end;
      expect(run.trajectory().steps[0]!.result).toMatchObject({ outcome: "done", attempts: 3 });
      expect((await stage().did()).taps).toBe(1);
      shows("DEV-5.1", 1);
      expect(run.waits).toEqual([500, 1_000, 500]);
      shows("DEV-5.1", 2);
      expect(bridge.calls).toEqual(["capture", "tap", "capture", "tap", "capture", "tap", "capture"]);
      shows("DEV-5.1", 3);
      expect(run.of("action-failed")).toMatchObject([{ code: "SCREEN_REFUSED" }, { code: "SCREEN_REFUSED" }]);
      shows("DEV-5.1", 4);
      expect(agent.seen).toHaveLength(2);
    });

    it("DEV-5.1 what failed by its answer and changed the screen all the same is not done twice", async () => {
      const { bridge, places } = await fresh();
      bridge.plan("tap", "lands-refused");
      const run = drive({ bridge, agent: scriptedAgent([{ action: "tap", coordinate: places.find }]) });
      await run.end;
      expect((await stage().did()).taps).toBe(1);
      expect(run.trajectory().steps[0]!.result).toMatchObject({ outcome: "done", attempts: 1, changed: true });
      shows("DEV-5.1", 3);
    });

    it("an action whose answer never came is looked at, and never repeated: landed or not", async () => {
      const { bridge, places } = await fresh();
      bridge.plan("tap", "lands-unsure", "unsure");
      const tap = { action: "tap", coordinate: places.find };
      const agent = scriptedAgent([tap, tap]);
      const run = drive({ bridge, agent });
      await run.end;
      const [landed, not] = run.trajectory().steps;
      expect(landed!.result).toMatchObject({ outcome: "done", changed: true, error: { code: "SCREEN_UNSURE" } });
      expect(not!.result).toMatchObject({ outcome: "unsure", changed: false, attempts: 1 });
      expect((await stage().did()).taps).toBe(1);
      expect(agent.seen[2]!.notes[0]).toContain("it may have happened");
    });

    it("DEV-5.2 an agent that throws is asked again twice; then the run fails, with what there is", async () => {
      const { bridge, places } = await fresh();
      const tap = { action: "tap", coordinate: places.find };
      const down = new Error("the model timed out");
      const run = drive({ bridge, agent: scriptedAgent([down, down, tap, down, down, down]) });
      const end = await run.end;
      expect((await stage().did()).taps).toBe(1);
      expect(run.waits).toEqual([500, 1_000, 500, 500, 1_000]);
      shows("DEV-5.2", 1);
      expect(run.of("prediction-failed")).toHaveLength(5);
      expect(run.of("prediction-failed")[0]).toMatchObject({
        message: "the model timed out",
        stack: expect.stringContaining("at "),
      });
      shows("DEV-5.2", 2);
      expect(end).toMatchObject({ status: "failed", reason: expect.stringContaining("asked 3 times") });
      shows("DEV-5.2", 3);
      expect(run.trajectory()).toMatchObject({ status: "failed", total_steps: 1 });
      shows("DEV-5.2", 4);
    });

    it("a model whose key is missing is not asked again", async () => {
      const { bridge } = await fresh();
      const run = drive({ bridge, agent: scriptedAgent([new PawlError("MODEL_KEY_MISSING", "no key")]) });
      expect(await run.end).toMatchObject({ status: "failed", reason: expect.stringContaining("MODEL_KEY_MISSING") });
      expect(run.waits).toEqual([]);
    });

    it("DEV-5.4 no change where one was expected is tried again and marked, where that is switched on", async () => {
      const { bridge, places } = await fresh();
      const nothing = { action: "tap", coordinate: places.nothing };
      const on = drive({ bridge, agent: scriptedAgent([nothing]), settings: { validateScreenChange: true } });
      await on.end;
      const [step] = on.trajectory().steps;
      expect(step!.result.changed).toBe(false);
      shows("DEV-5.4", 1);
      expect(step!.result).toMatchObject({ outcome: "no_change", note: "the screen did not change" });
      shows("DEV-5.4", 2);
      expect(step!.result.attempts).toBe(3);
      expect(on.waits).toEqual([500, 500, 500, 1_000, 500]);
      shows("DEV-5.4", 3);
      const off = drive({ bridge, agent: scriptedAgent([nothing]) });
      await off.end;
      expect(off.trajectory().steps[0]!.result).toMatchObject({ outcome: "done", attempts: 1, changed: false });
      shows("DEV-5.4", 4);
    });

    it("DEV-7.4 retries and their delay are what is set, for actions and for answers", async () => {
      const { bridge, places } = await fresh();
      bridge.plan("tap", "refused", "refused", "refused");
      const down = new Error("down");
      const agent = scriptedAgent([down, down, down, { action: "tap", coordinate: places.find }]);
      const run = drive({ bridge, agent, settings: { maxRetries: 3, retryDelayMs: 1_000 } });
      expect((await run.end).status).toBe("success");
      expect(run.waits).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 500]);
      shows("DEV-7.4", 1);
      expect(run.trajectory().steps[0]!.result.attempts).toBe(4);
      shows("DEV-7.4", 2);
      expect((await stage().did()).taps).toBe(1);
      shows("DEV-7.4", 3);
    });

    it("a screen that cannot be captured is an error, after two more tries; no picture is made up", async () => {
      const { bridge } = await fresh();
      bridge.plan("capture", "capture", null, "capture", "capture", "capture");
      const run = drive({ bridge, agent: scriptedAgent([{ action: "back" }]) });
      expect(await run.end).toMatchObject({
        status: "failed",
        reason: expect.stringContaining("cannot be captured, tried 3 times"),
      });
      expect(run.trajectory().steps).toMatchObject([{ action: { action: "back" }, result: { outcome: "unsure" } }]);
    });

    it("the same on the same picture is told from the third time on; a wait is one however long", async () => {
      const { bridge } = await fresh();
      const agent = scriptedAgent([1, 2, 3].map((seconds) => ({ action: "wait", seconds })));
      await drive({ bridge, agent }).end;
      expect(agent.seen[2]!.notes).toEqual([]);
      expect(agent.seen[3]!.notes).toEqual([expect.stringContaining("the same on the same picture 3 times in a row")]);
    });
  });

  describe("the end", () => {
    it("DEV-8.1 DEV-8.2 success and failure save, close and tell", async () => {
      const { bridge } = await fresh();
      const run = drive({ bridge, agent: scriptedAgent([{ action: "FINISH", reason: "there" }]) });
      const end = await run.end;
      expect(run.trajectory().status).toBe("success");
      shows("DEV-8.1", 1);
      expect(bridge.closed()).toBe(1);
      shows("DEV-8.1", 2);
      expect(run.of("run-ended")).toMatchObject([{ status: "success", reason: "there" }]);
      shows("DEV-8.1", 3);
      expect(end).toMatchObject({ status: "success", steps: 1 });
      shows("DEV-8.1", 4);
      const lost = new Error("no route to the model");
      const failing = drive({ bridge, agent: scriptedAgent([{ action: "fly" }, lost, lost, lost]) });
      const failed = await failing.end;
      expect(failing.trajectory()).toMatchObject({
        status: "failed",
        reason: expect.stringContaining("no route"),
        total_steps: 1,
      });
      shows("DEV-8.2", 1);
      expect(bridge.closed()).toBe(2);
      shows("DEV-8.2", 2);
      expect(failing.of("run-ended")[0]).toMatchObject({
        status: "failed",
        reason: expect.stringContaining("no route"),
      });
      shows("DEV-8.2", 3);
      expect(failed).toMatchObject({ status: "failed", reason: expect.stringContaining("the agent did not answer") });
      shows("DEV-8.2", 4);
    });

    it("DEV-8.3 stopped in the middle of a question, of an action, of a prediction: all is saved, at once", async () => {
      const { bridge, places } = await fresh();
      const stop = new AbortController();
      let given: AbortSignal | null = null;
      const asking = drive({
        bridge,
        signal: stop.signal,
        agent: scriptedAgent([{ action: "ask_user", question: "Which?" }]),
        ask: (_, __, signal) => {
          given = signal;
          setImmediate(() => stop.abort());
          return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
        },
      });
      expect(await asking.end).toMatchObject({ status: "interrupted", steps: 1 });
      shows("DEV-8.3", 1);
      expect(given!.aborted).toBe(true);
      expect(asking.trajectory()).toMatchObject({
        status: "interrupted",
        steps: [{ action: { action: "ask_user" }, result: { outcome: "interrupted" } }],
      });
      shows("DEV-8.3", 2);
      expect(asking.trajectory().reason).toMatch(/stopped from outside at 2026-11-28T12:\d\d.*during ask_user/);
      shows("DEV-8.3", 3);
      const swiping = new AbortController();
      const swipe = { action: "swipe", start: places.low, end: places.high, duration: 20_000 };
      const began = performance.now();
      const long = drive({
        bridge,
        signal: swiping.signal,
        agent: scriptedAgent([swipe]),
        saw: ({ kind }) => void (kind === "prediction-made" && setTimeout(() => swiping.abort(), 100)),
      });
      expect((await long.end).status).toBe("interrupted");
      expect(performance.now() - began).toBeLessThan(4_000);
      expect(bridge.closed()).toBe(2);
      expect(readdirSync(long.folder).sort()).toEqual(["screenshots", "trajectory.json"]);
      expect(readdirSync(join(long.folder, "screenshots")).every((name) => name.endsWith(".png"))).toBe(true);
      shows("DEV-8.3", 4);
    });

    it("a screen that cannot be given back as it was is told, and ends nothing", async () => {
      const { bridge } = await fresh();
      const close = async () => {
        throw new PawlError("SCREEN_GONE", "the keyboard could not be given back", { next: "ime set KEYBOARD" });
      };
      const run = drive({ bridge: { ...bridge, close }, agent: scriptedAgent([]) });
      expect((await run.end).status).toBe("success");
      expect(run.of("release-failed")).toMatchObject([
        { message: expect.stringContaining("keyboard"), next: "ime set KEYBOARD" },
      ]);
    });

    it("DEV-8.4 an exception that nobody expected leaves the trajectory, tells its stack, closes, and is thrown", async () => {
      const { bridge, places } = await fresh();
      const fault = new TypeError("x is not a function");
      bridge.plan("tap", fault);
      const run = drive({
        bridge,
        agent: scriptedAgent([{ action: "fly" }, { action: "tap", coordinate: places.find }]),
      });
      await expect(run.end).rejects.toBe(fault);
      shows("DEV-8.4", 4);
      expect(run.trajectory()).toMatchObject({
        status: "failed",
        total_steps: 2,
        reason: "a fault: x is not a function",
      });
      shows("DEV-8.4", 1);
      expect(run.of("run-crashed")).toMatchObject([
        { stack: expect.stringMatching(/TypeError: x is not a function\n\s+at /) },
      ]);
      shows("DEV-8.4", 2);
      expect(bridge.closed()).toBe(1);
      shows("DEV-8.4", 3);
    });

    it("DEV-5.3 a connection that comes back is gone on with; one that does not fails the run, with advice", async () => {
      const { bridge, places } = await fresh();
      bridge.plan("tap", "lands-gone");
      const tap = { action: "tap", coordinate: places.find };
      const agent = scriptedAgent([
        tap,
        async () => {
          await stage().lose("for a moment");
          return { action: "back" };
        },
        { action: "FINISH" },
      ]);
      const run = drive({ bridge, agent });
      const end = await run.end;
      expect(run.of("connection-back").length).toBeGreaterThanOrEqual(2);
      shows("DEV-5.3", 1);
      expect(end.status).toBe("success");
      const [first] = run.trajectory().steps;
      expect(first!.result).toMatchObject({ outcome: "done", changed: true, attempts: 1 });
      shows("DEV-5.3", 3);

      const other = await open()();
      const lost = faulty(other.bridge);
      const losing = scriptedAgent([
        async () => {
          await other.lose("for good");
          return tap;
        },
      ]);
      const failing = drive({ bridge: lost, agent: losing, settings: { reconnectTimeoutMs: 300 } });
      const failed = await failing.end;
      await other.close();
      expect(failed).toMatchObject({
        status: "failed",
        reason: expect.stringMatching(/did not come back within 0.3 s: it is \w+: .{10}/),
      });
      expect(lost.calls).toContain("reconnect");
      shows("DEV-5.3", 2);
      expect(failing.trajectory()).toMatchObject({ status: "failed", total_steps: 1 });
      shows("DEV-5.3", 4);
    });
  });
}
