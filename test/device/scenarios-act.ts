import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { shows } from "../support/shows.ts";
import { drive } from "./support/drive.ts";
import type { Scene } from "./support/scene.ts";
import { scriptedAgent } from "./support/scripted-agent.ts";

/** DEV-3, DEV-4, DEV-6: what is done to the screen and beside it, and what is kept of it. */
export function actScenarios({ it, stage, fresh }: Scene): void {
  describe("actions", () => {
    it("DEV-3.1 DEV-3.2 taps and swipes go to pixels of the picture, and the screen settles", async () => {
      const { bridge, places } = await fresh();
      const agent = scriptedAgent([
        { action: "tap", coordinate: places.find },
        { action: "swipe", start: places.low, end: places.high, duration: 300 },
      ]);
      const began: number[] = [];
      const run = drive({
        bridge,
        agent,
        saw: ({ kind }) => void (["prediction-made", "action-done"].includes(kind) && began.push(performance.now())),
      });
      await run.end;
      const [tap, swipe] = run.trajectory().steps;
      const [width, height] = tap!.size;
      const pixel = ([x, y]: readonly [number, number]) => [Math.floor(x * width), Math.floor(y * height)];
      expect(tap!.result.at).toEqual([pixel(places.find)]);
      shows("DEV-3.1", 1);
      const did = await stage().did();
      expect(did.taps).toBe(1);
      shows("DEV-3.1", 2);
      expect(run.waits).toEqual([500, 500]);
      shows("DEV-3.1", 3);
      expect(tap!.action).toEqual({ action: "tap", coordinate: [...places.find] });
      shows("DEV-3.1", 4);
      expect(swipe!.result.at).toEqual([pixel(places.low), pixel(places.high)]);
      shows("DEV-3.2", 1);
      expect(did.first).toBeGreaterThan(2);
      shows("DEV-3.2", 2);
      expect(began[3]! - began[2]!).toBeGreaterThanOrEqual(295);
      shows("DEV-3.2", 3);
      expect(swipe!.result.changed).toBe(true);
      expect(bridge.calls.slice(-2)).toEqual(["swipe", "capture"]);
      shows("DEV-3.2", 4);
    });

    it("DEV-3.3 text arrives as it is, and the field is looked at", async () => {
      const { bridge, places } = await fresh();
      const text = `grün & "rot" 100% 茶 ☝`;
      const agent = scriptedAgent([
        { action: "tap", coordinate: places.search },
        { action: "type", text },
      ]);
      const run = drive({ bridge, agent });
      await run.end;
      expect(bridge.calls).toContain("type");
      shows("DEV-3.3", 1);
      expect((await stage().did()).search).toBe(text);
      shows("DEV-3.3", 2);
      expect(run.waits).toEqual([500, 300]);
      shows("DEV-3.3", 3);
      expect(run.trajectory().steps[1]!.result).toMatchObject({ outcome: "done", verified: true });
      shows("DEV-3.3", 4);
    });

    it("DEV-3.4 back, home and recent are the bridge's own; a screen without recent says so at once", async () => {
      const { bridge, places } = await fresh();
      const agent = scriptedAgent([
        { action: "tap", coordinate: places.firstRow },
        { action: "back" },
        { action: "home" },
        { action: "recent" },
      ]);
      const run = drive({ bridge, agent });
      await run.end;
      const [, back, home, recent] = run.trajectory().steps;
      const { recent: hasRecent } = bridge.abilities;
      expect(bridge.calls.filter((call) => ["back", "home", "recent"].includes(call))).toEqual(
        hasRecent ? ["back", "home", "recent"] : ["back", "home"],
      );
      expect(recent!.result).toMatchObject(
        hasRecent ? { outcome: "done" } : { outcome: "failed", attempts: 1, error: { code: "SCREEN_UNABLE" } },
      );
      shows("DEV-3.4", 1);
      expect(run.waits).toEqual(hasRecent ? [500, 800, 800, 800] : [500, 800, 800]);
      shows("DEV-3.4", 2);
      expect(back!.result.changed).toBe(true);
      expect(back!.screenshot_after).toBe(home!.screenshot);
      expect(home!.screenshot).not.toBe(back!.screenshot);
      shows("DEV-3.4", 3);
    });

    it("DEV-3.5 an unknown action is told, named as such, and costs a step", async () => {
      const { bridge, places } = await fresh();
      const agent = scriptedAgent([
        { action: "fly", to: "the moon" },
        { action: "tap", coordinate: places.find },
      ]);
      const run = drive({ bridge, agent });
      expect(await run.end).toMatchObject({ status: "success", steps: 3 });
      const { action } = run.of("prediction-made")[0]!;
      expect(action).toMatchObject({ error: "ActionValidationError", given: expect.stringContaining("the moon") });
      shows("DEV-3.5", 1);
      expect(action).toMatchObject({ allowed: expect.arrayContaining(["tap", "swipe", "FINISH"]) });
      expect(run.trajectory().steps[0]!.result.error!.message).toContain("the allowed actions are tap,");
      shows("DEV-3.5", 2);
      expect(agent.seen[1]!.screenshot).toBe(agent.seen[0]!.screenshot);
      expect(agent.seen[1]!.notes[0]).toContain('there is no action "fly"');
      expect((await stage().did()).taps).toBe(1);
      shows("DEV-3.5", 3);
      expect(run.trajectory().steps.map(({ step }) => step)).toEqual([1, 2, 3]);
      shows("DEV-3.5", 4);
    });
  });

  describe("questions and tools", () => {
    it("DEV-4.1 a question waits for its answer, which the agent gets", async () => {
      const { bridge } = await fresh();
      const agent = scriptedAgent([
        { action: "ask_user", question: "Which option do you prefer?" },
        ({ userResponse }) => ({ action: "FINISH", reason: `took ${userResponse?.answer}` }),
      ]);
      const asked: unknown[] = [];
      const ask = async (question: string, timeoutMs: number) => {
        asked.push([question, timeoutMs, agent.seen.length]);
        return "the cheaper one";
      };
      const run = drive({ bridge, agent, ask });
      const end = await run.end;
      expect(asked).toEqual([["Which option do you prefer?", 120_000, 1]]);
      shows("DEV-4.1", 1);
      shows("DEV-4.1", 2);
      expect(agent.seen[1]!.userResponse).toEqual({
        question: "Which option do you prefer?",
        answer: "the cheaper one",
        timedOut: false,
      });
      shows("DEV-4.1", 3);
      expect(end).toMatchObject({ status: "success", reason: "took the cheaper one" });
      shows("DEV-4.1", 4);
    });

    it("DEV-4.2 DEV-4.4 a tool is called and answers; one that is not there is told, and the run goes on", async () => {
      const { bridge } = await fresh();
      const agent = scriptedAgent([
        { action: "mcp_call", tool: "amap_search", args: { query: "coffee shop" } },
        { action: "mcp_call", tool: "amap_route", args: {} },
        ({ toolResult }) => ({ action: "FINISH", reason: JSON.stringify(toolResult) }),
      ]);
      const calls: unknown[] = [];
      const tools = {
        names: ["amap_search"],
        call: async (tool: string, args: unknown) => {
          calls.push([tool, args]);
          return { ok: true, text: "Bean There, 200 m" };
        },
      };
      const run = drive({ bridge, agent, tools });
      const end = await run.end;
      expect(calls).toEqual([["amap_search", { query: "coffee shop" }]]);
      shows("DEV-4.2", 1);
      shows("DEV-4.2", 2);
      const [found, missing] = run.trajectory().steps;
      expect(found!.result.tool_result).toEqual({ tool: "amap_search", ok: true, content: "Bean There, 200 m" });
      shows("DEV-4.2", 3);
      expect(agent.seen[1]!.toolResult).toEqual({ tool: "amap_search", ok: true, content: "Bean There, 200 m" });
      shows("DEV-4.2", 4);
      expect(missing!.result).toMatchObject({ outcome: "failed", error: { code: "TOOL_MISSING" } });
      shows("DEV-4.4", 1);
      expect(agent.seen[2]!.toolResult).toEqual({
        tool: "amap_route",
        ok: false,
        error: "there is no tool amap_route; there are amap_search",
      });
      shows("DEV-4.4", 2);
      shows("DEV-4.4", 3);
      expect(end.status).toBe("success");
      shows("DEV-4.4", 4);
    });

    it("DEV-4.3 a call and a question that take too long are given up, and told", async () => {
      const { bridge } = await fresh();
      const call = { action: "mcp_call", tool: "slow", args: {} };
      const agent = scriptedAgent([call, { action: "ask_user", question: "Well?" }]);
      let aborted = 0;
      const never = (signal: AbortSignal) =>
        new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => {
            aborted++;
            reject(new Error("aborted"));
          }),
        );
      const tools = { names: ["slow"], call: (_: string, __: unknown, signal: AbortSignal) => never(signal) };
      const run = drive({
        bridge,
        agent,
        tools,
        ask: (_, __, signal) => never(signal),
        saw: ({ kind }) => {
          if (kind === "tool-called") setImmediate(() => run.push(60_000));
          if (kind === "question-asked") setImmediate(() => run.push(120_000));
        },
      });
      const end = await run.end;
      expect(aborted).toBe(2);
      shows("DEV-4.3", 1);
      expect(run.trajectory().steps[0]!.result.error).toEqual({
        code: "TIMEOUT",
        message: "slow did not answer within 60 s, and was given up",
      });
      shows("DEV-4.3", 2);
      expect(agent.seen[1]!.toolResult).toMatchObject({ ok: false });
      expect(agent.seen[2]!.userResponse).toEqual({ question: "Well?", answer: null, timedOut: true });
      shows("DEV-4.3", 3);
      expect(end.status).toBe("success");
      shows("DEV-4.3", 4);
    });
  });

  describe("the trajectory", () => {
    it("DEV-6.1 DEV-6.2 DEV-6.3 steps hold what was seen, thought, done and when; pictures are files beside it", async () => {
      const { bridge, places } = await fresh();
      const agent = scriptedAgent([{ action: "tap", coordinate: places.find }], "the button, then");
      const run = drive({ bridge, agent });
      await run.end;
      const trajectory = run.trajectory();
      const [step] = trajectory.steps;
      expect(step).toMatchObject({
        thinking: "the button, then",
        action: { action: "tap" },
        result: { outcome: "done", attempts: 1 },
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      shows("DEV-6.1", 1);
      expect(trajectory.steps).toHaveLength(2);
      shows("DEV-6.1", 2);
      const kept = readFileSync(join(run.folder, step!.screenshot));
      expect(kept.equals(Buffer.from(agent.seen[0]!.screenshot.png))).toBe(true);
      shows("DEV-6.1", 3);
      expect(trajectory).toMatchObject({
        task_goal: "buy a kettle",
        task_id: "task-7",
        total_steps: 2,
        duration: 0.5,
        status: "success",
      });
      shows("DEV-6.2", 1);
      shows("DEV-6.2", 2);
      expect(existsSync(join(run.folder, "trajectory.json"))).toBe(true);
      shows("DEV-6.2", 4);
      expect(step!.screenshot).toMatch(/^screenshots\/[0-9a-f]+\.png$/);
      shows("DEV-6.3", 2);
      const pictures = readdirSync(join(run.folder, "screenshots"));
      expect(pictures.length).toBe(2);
      expect(pictures.every((name) => name.endsWith(".png"))).toBe(true);
      shows("DEV-6.3", 1);
      expect([basename(run.folder), readdirSync(run.folder).sort()]).toEqual([
        "task-7",
        ["screenshots", "trajectory.json"],
      ]);
      expect(dirname(run.folder)).not.toBe(run.folder);
      shows("DEV-6.3", 3);
    });

    it("DEV-6.2 pictures may be in the JSON, as base64, and then lie nowhere else", async () => {
      const { bridge, places } = await fresh();
      const agent = scriptedAgent([{ action: "tap", coordinate: places.find }]);
      const run = drive({ bridge, agent, settings: { screenshots: "base64" } });
      await run.end;
      const { steps, screenshots } = run.trajectory();
      expect(screenshots).toBe("base64");
      expect(Buffer.from(steps[0]!.screenshot, "base64").equals(Buffer.from(agent.seen[0]!.screenshot.png))).toBe(true);
      expect(steps[0]!.screenshot_after).toBe(steps[1]!.screenshot);
      expect(readdirSync(run.folder)).toEqual(["trajectory.json"]);
      shows("DEV-6.2", 3);
    });

    it("DEV-6.4 every 10 steps it is saved, and the last time whole", async () => {
      const { bridge } = await fresh();
      const lines = Array.from({ length: 23 }, () => ({ action: "fly" }));
      const saved: unknown[] = [];
      const run = drive({
        bridge,
        agent: scriptedAgent(lines),
        saw: ({ kind }) => {
          if (kind !== "trajectory-saved") return;
          const { status, ended_at, total_steps } = run.trajectory();
          saved.push([total_steps, status, ended_at === null]);
        },
      });
      await run.end;
      expect(saved.map((one) => (one as unknown[])[0])).toEqual([10, 20, 24]);
      shows("DEV-6.4", 1);
      expect(saved.slice(0, 2)).toEqual([
        [10, "interrupted", true],
        [20, "interrupted", true],
      ]);
      shows("DEV-6.4", 2);
      expect(saved[2]).toEqual([24, "success", false]);
      expect(run.trajectory().steps).toHaveLength(24);
      shows("DEV-6.4", 3);
    });
  });
}
