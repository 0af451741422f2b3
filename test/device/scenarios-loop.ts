import { describe, expect } from "vitest";
import { shows } from "../support/shows.ts";
import { drive } from "./support/drive.ts";
import type { Scene } from "./support/scene.ts";
import { scriptedAgent } from "./support/scripted-agent.ts";

/** DEV-1, DEV-2, DEV-7: the loop, what the agent sees, what can be set. */
export function loopScenarios({ it, stage, fresh }: Scene): void {
  describe("the loop", () => {
    it("DEV-1.1 DEV-1.2 picture, prediction, action, until FINISH; then nothing more", async () => {
      const { bridge, places } = await fresh();
      const agent = scriptedAgent([
        { action: "tap", coordinate: places.search },
        { action: "type", text: "red kettle" },
        { action: "tap", coordinate: places.find },
        { action: "FINISH", reason: "Task completed successfully" },
        { action: "tap", coordinate: places.firstRow },
      ]);
      const run = drive({ bridge, agent });
      const end = await run.end;
      expect(bridge.calls.filter((call) => call !== "tree")).toEqual([
        "capture",
        "tap",
        "capture",
        "type",
        "capture",
        "tap",
        "capture",
      ]);
      shows("DEV-1.1", 1);
      expect(end).toMatchObject({ status: "success", steps: 4, reason: "Task completed successfully" });
      expect(end.durationMs).toBe(500 + 300 + 500);
      shows("DEV-1.1", 4);
      expect((await stage().did()).searches).toEqual(["red kettle"]);
      expect(run.trajectory().steps.map(({ action }) => action.action)).toEqual(["tap", "type", "tap", "FINISH"]);
      shows("DEV-1.1", 2);
      shows("DEV-1.1", 3);
      expect(agent.seen).toHaveLength(4);
      shows("DEV-1.2", 1);
      expect(run.trajectory()).toMatchObject({ status: "success", reason: "Task completed successfully" });
      shows("DEV-1.2", 2);
      expect(run.of("run-ended")).toMatchObject([{ reason: "Task completed successfully" }]);
      shows("DEV-1.2", 3);
      expect((await stage().did()).page).toBeNull();
      shows("DEV-1.2", 4);
    });

    it("DEV-1.3 DEV-1.4 without FINISH it ends at max_steps; each step is told", async () => {
      const { bridge, places } = await fresh();
      const taps = Array.from({ length: 9 }, () => ({ action: "tap", coordinate: places.find }));
      const told: unknown[] = [];
      const { progressOf } = await import("../../src/device/progress.ts");
      const agent = scriptedAgent(taps, "tap again");
      const run = drive({
        bridge,
        agent,
        settings: { maxSteps: 4 },
        saw: (event, state) => event.kind === "step-recorded" && told.push(progressOf(state)),
      });
      expect(await run.end).toMatchObject({ status: "timeout", steps: 4 });
      expect((await stage().did()).taps).toBe(4);
      shows("DEV-1.3", 1);
      expect(run.trajectory()).toMatchObject({ status: "timeout", total_steps: 4 });
      shows("DEV-1.3", 2);
      expect(run.trajectory().steps).toHaveLength(4);
      shows("DEV-1.3", 3);
      expect(run.of("run-ended")[0]!.reason).toMatch(/max_steps reached \(4 of 4\).*circles/);
      shows("DEV-1.3", 4);
      expect(told.map((one) => (one as { step: number }).step)).toEqual([1, 2, 3, 4]);
      shows("DEV-1.4", 1);
      shows("DEV-1.4", 2);
      expect(told[1]).toMatchObject({
        step: 2,
        maxSteps: 4,
        thinking: "tap again",
        lastAction: { action: "tap", coordinate: places.find },
      });
      shows("DEV-1.4", 3);
      expect(told[1]).toMatchObject({ elapsedMs: 1_000, remainingMs: 1_000 });
      shows("DEV-1.4", 4);
    });

    it("DEV-2.1 DEV-2.2 an observation holds the picture; step count and tree are in it where they are wanted", async () => {
      const { bridge, places } = await fresh();
      const plain = scriptedAgent([]);
      await drive({ bridge, agent: plain }).end;
      const [seen] = plain.seen;
      expect(Buffer.from(seen!.screenshot.png).subarray(1, 4).toString()).toBe("PNG");
      shows("DEV-2.1", 1);
      expect(seen).toMatchObject({ goal: "buy a kettle", screenshot: { isBlack: false } });
      shows("DEV-2.1", 2);
      shows("DEV-2.1", 4);
      expect(seen).not.toHaveProperty("stepCount");
      expect(seen).not.toHaveProperty("accessibilityTree");
      expect(bridge.calls).not.toContain("tree");
      shows("DEV-7.3", 3);
      const told = scriptedAgent([
        { action: "tap", coordinate: places.find },
        ({ stepCount, maxSteps }) => ({ action: "FINISH", reason: `early, at ${stepCount} of ${maxSteps}` }),
      ]);
      const run = drive({
        bridge,
        agent: told,
        settings: { includeStepInfo: true, useAccessibilityTree: true, maxSteps: 7 },
      });
      const end = await run.end;
      expect(told.seen[0]).toMatchObject({ stepCount: 0, maxSteps: 7 });
      shows("DEV-2.2", 1);
      expect(end.reason).toBe("early, at 1 of 7");
      shows("DEV-2.2", 2);
      shows("DEV-2.2", 3);
      expect(told.seen[0]!.accessibilityTree).toBeDefined();
      shows("DEV-2.1", 3);
    });

    it("DEV-2.3 after a failed action the agent sees the same picture, and nothing is captured for it", async () => {
      const { bridge, places } = await fresh();
      bridge.plan("tap", "refused");
      const tap = { action: "tap", coordinate: places.find };
      const agent = scriptedAgent([tap, tap]);
      const captures: number[] = [];
      const count = () => captures.push(bridge.calls.filter((call) => call === "capture").length);
      const run = drive({
        bridge,
        agent,
        settings: { maxRetries: 0 },
        saw: (event) => void (event.kind === "prediction-made" && count()),
      });
      await run.end;
      expect(agent.seen[1]!.screenshot).toBe(agent.seen[0]!.screenshot);
      expect(agent.seen[1]!.notes[0]).toMatch(/last step failed: tap: a fault/);
      shows("DEV-2.3", 1);
      expect(captures[1]).toBe(captures[0]);
      shows("DEV-2.3", 3);
      expect(agent.seen[2]!.screenshot).not.toBe(agent.seen[0]!.screenshot);
      expect(captures[2]).toBe(captures[1]! + 1);
      shows("DEV-2.3", 2);
    });

    it("DEV-2.4 DEV-7.3 the tree comes with the picture, and where it cannot be had the picture comes alone", async () => {
      const { bridge } = await fresh();
      const nodes = (
        tree: unknown,
      ): { text: string; label: string; bounds: { left: number; right: number; top: number; bottom: number } }[] => {
        const { children, ...one } = tree as { children: unknown[] } & Record<string, unknown>;
        return [one as never, ...children.flatMap(nodes)];
      };
      const agent = scriptedAgent([
        ({ accessibilityTree, screenshot }) => {
          const { left, right, top, bottom } = nodes(accessibilityTree).find(({ label }) =>
            /^find/i.test(label),
          )!.bounds;
          return {
            action: "tap",
            coordinate: [(left + right) / 2 / screenshot.width, (top + bottom) / 2 / screenshot.height],
          };
        },
        { action: "back" },
      ]);
      bridge.plan("tree", null, null, new Error("the dump crashed"));
      const run = drive({ bridge, agent, settings: { useAccessibilityTree: true } });
      await run.end;
      expect(bridge.calls.slice(0, 2)).toEqual(["capture", "tree"]);
      shows("DEV-2.4", 1);
      expect(nodes(agent.seen[0]!.accessibilityTree).some(({ text }) => text === "red kettle")).toBe(true);
      shows("DEV-2.4", 2);
      shows("DEV-2.4", 3);
      shows("DEV-7.3", 1);
      expect((await stage().did()).taps).toBe(1);
      shows("DEV-7.3", 2);
      expect(agent.seen[2]).not.toHaveProperty("accessibilityTree");
      expect(run.trajectory().status).toBe("success");
      shows("DEV-2.4", 4);
    });

    it("DEV-7.1 DEV-7.2 step_delay is waited after every action, and max_steps is what is set", async () => {
      const { bridge, places } = await fresh();
      const order: string[] = [];
      const agent = scriptedAgent([
        { action: "tap", coordinate: places.find },
        { action: "back" },
        { action: "type", text: "" },
      ]);
      const run = drive({
        bridge,
        agent,
        settings: { stepDelayMs: 1_000 },
        saw: ({ kind }) => void (["action-done", "pause-over", "frame-captured"].includes(kind) && order.push(kind)),
      });
      await run.end;
      expect(run.waits).toEqual([1_000, 1_000]);
      shows("DEV-7.1", 1);
      shows("DEV-7.1", 2);
      expect(order.slice(1)).toEqual([
        "action-done",
        "pause-over",
        "frame-captured",
        "action-done",
        "pause-over",
        "frame-captured",
      ]);
      shows("DEV-7.1", 3);
      // answers that are no action are steps too, and cheap
      const circling = scriptedAgent(Array.from({ length: 120 }, () => ({ action: "fly" })));
      const long = drive({ bridge, agent: circling, settings: { maxSteps: 100 } });
      expect(await long.end).toMatchObject({ status: "timeout", steps: 100 });
      expect(circling.seen).toHaveLength(100);
      shows("DEV-7.2", 1);
      shows("DEV-7.2", 2);
      shows("DEV-7.2", 3);
    });
  });
}
