import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launch } from "../../src/adapters/bridges/browser/launch.ts";
import { openReplay } from "../../src/adapters/bridges/replay/open-replay.ts";
import { picturesOf } from "../../src/app/device/pictures.ts";
import { playerPage } from "../../src/app/device/player.ts";
import { replayRun } from "../../src/app/device/replay-run.ts";
import type { Trajectory } from "../../src/device/trajectory.ts";
import { bridgeContract } from "../contracts/bridge.contract.ts";
import { browserStage } from "./support/browser-stage.ts";
import { drive } from "./support/drive.ts";
import { withBrowser } from "./support/needs-browser.ts";
import { scriptedAgent } from "./support/scripted-agent.ts";
import type { Stage } from "./support/stage.ts";
import { startWebShop } from "./support/web-shop.ts";

const signal = new AbortController().signal;

withBrowser("a recorded run", (executable) => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startWebShop>>;
  let places: Stage["places"];
  let home: string;
  let folder: string;
  let trajectory: Trajectory;

  test("is made in the shop", async () => {
    [browser, shop] = await Promise.all([launch(executable), startWebShop()]);
    home = mkdtempSync(join(tmpdir(), "pawl-recorded-"));
    folder = join(home, "run");
    const stage = await browserStage(browser, shop.url)();
    places = stage.places;
    const agent = scriptedAgent(
      [
        { action: "tap", coordinate: places.find },
        { action: "fly" },
        { action: "swipe", start: places.low, end: places.high },
        { action: "tap", coordinate: places.firstRow },
      ],
      'a thought with </script><script>document.title="broken"</script>',
    );
    const run = drive({ bridge: stage.bridge, agent, goal: "buy <b>kettles</b>" });
    await run.end;
    cpSync(run.folder, folder, { recursive: true });
    trajectory = run.trajectory();
    expect(trajectory.total_steps).toBe(5);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  describe("as a page", () => {
    test("plays its screens with taps drawn on them, thoughts and times, and asks no network for anything", async () => {
      const file = join(home, "player.html");
      writeFileSync(file, [...playerPage(trajectory, picturesOf(folder, trajectory))].join(""));
      const page = await browser.newPage();
      const asked: string[] = [];
      const wrong: string[] = [];
      page.on("request", (request) => void asked.push(request.url().slice(0, 40)));
      page.on("pageerror", (error) => void wrong.push(error.message));
      await page.goto(`file://${file}`);
      const text = (id: string) => page.locator(`#${id}`).textContent();
      expect(await text("goal")).toBe("buy <b>kettles</b>");
      expect(await text("facts")).toContain("success: done · 5 steps");
      expect(await text("place")).toBe("1 of 5");
      const shown = await page.evaluate(
        "(async () => (await document.getElementById('shown').decode(), document.getElementById('shown').naturalWidth))()",
      );
      expect(shown).toBe(trajectory.steps[0]!.size[0]);
      const [x, y] = trajectory.steps[0]!.result.at![0]!;
      expect(await page.locator("#marks circle").getAttribute("cx")).toBe(String(x));
      expect(await page.locator("#marks circle").getAttribute("cy")).toBe(String(y));
      expect(await text("thinking")).toContain("</script>");
      await page.locator("#next").click();
      expect(await text("action")).toBe("ActionValidationError");
      expect(await page.locator("#marks circle").count()).toBe(0);
      await page.keyboard.press("ArrowRight");
      expect(await page.locator("#marks line").count()).toBe(1);
      expect(await text("time")).toMatch(/2026-11-28T.* s$/);
      await page.locator("#steps button").nth(4).click();
      expect(await text("place")).toBe("5 of 5");
      expect(await page.title()).toBe("A device run");
      expect(asked.filter((url) => !url.startsWith("data:") && !url.startsWith("file:"))).toEqual([]);
      expect(wrong).toEqual([]);
      await page.close();
    });
  });

  describe("done again", () => {
    test("on the same shop every screen is the same; on another it says which is not", async () => {
      const all = async (path: string) => {
        const { openInBrowser } = await import("../../src/adapters/bridges/browser/open-browser.ts");
        const bridge = await openInBrowser(browser, { target: `browser:${shop.url}${path}`, env: {} });
        const ended: string[] = [];
        for await (const one of replayRun(trajectory, { bridge, picture: picturesOf(folder, trajectory) }, signal))
          ended.push(one.ended);
        await bridge.close();
        return ended;
      };
      expect(await all("")).toEqual(["same", "skipped", "same", "same", "skipped"]);
      expect(await all("/plain")).toEqual(["different", "skipped", "different", "different", "skipped"]);
    });
  });

  describe("as a screen", () => {
    bridgeContract("replay", async () => ({
      bridge: openReplay(`replay:${folder}`),
      at: (what, { width, height }) => {
        const [x, y] = places[({ button: "find", field: "search", row: "firstRow" } as const)[what]];
        return { x: Math.floor(x * width), y: Math.floor(y * height) };
      },
      live: null,
      link: null,
      close: async () => {},
    }));

    test("goes on with what was done then, refuses what was not, and shows the end at the end", async () => {
      const bridge = openReplay(`replay:${folder}`);
      const frame = await bridge.capture(signal);
      const pixel = ([x, y]: readonly [number, number]) => ({
        x: Math.floor(x * frame.width),
        y: Math.floor(y * frame.height),
      });
      await expect(bridge.back(signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
      await expect(bridge.tap(pixel(places.low), frame, signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
      await bridge.tap(pixel(places.find), frame, signal);
      await bridge.swipe(pixel(places.low), pixel(places.high), 300, frame, signal);
      await bridge.tap(pixel(places.firstRow), frame, signal);
      const last = await bridge.capture(signal);
      const named = join(folder, trajectory.steps[3]!.screenshot_after!);
      expect(existsSync(named)).toBe(true);
      expect(last.width).toBe(frame.width);
      await expect(bridge.back(signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
    });

    test("an agent that does the same again finishes in it", async () => {
      const agent = scriptedAgent([
        { action: "tap", coordinate: places.find },
        { action: "swipe", start: places.low, end: places.high },
        { action: "tap", coordinate: places.firstRow },
      ]);
      const run = drive({ bridge: openReplay(`replay:${folder}`), agent });
      expect(await run.end).toMatchObject({ status: "success", steps: 4 });
      expect(run.trajectory().steps.map(({ result }) => result.outcome)).toEqual(["done", "done", "done", "finished"]);
    });

    test("a folder without a run is no target", () => {
      expect(() => openReplay(`replay:${home}`)).toThrow(/no recorded run: it has no trajectory.json/);
    });
  });
});
