import { describe, expect, it } from "vitest";
import type { Frame, ScreenNode } from "../../src/ports/bridge.ts";
import { codeOf, phoneSuite } from "../support/android/phone-suite.ts";

/** What users reported about pictures, places and trees: each title names the report. */
phoneSuite("the screen of an Android device", (world) => {
  const capture = (): Promise<Frame> => world.bridge.capture(world.signal);
  const tree = async (frame: Frame) => world.bridge.tree(frame, world.signal);
  const sizeOf = ({ width, height }: Frame) => `${width}x${height}`;
  /** taps the middle of the button where the frame shows it, as shares of the frame's size in screen units */
  const tapButton = async (frame: Frame): Promise<void> => {
    const { width, height } = world.phone.screen;
    const at = { x: Math.floor((frame.width * (width - 50)) / width), y: Math.floor((frame.height * 65) / height) };
    await world.bridge.tap(at, frame, world.signal);
  };

  describe("places", () => {
    it("appium-inspector#701: a screen that was turned is seen and touched as it is now", async () => {
      const upright = await capture();
      world.phone.rotation = 1;
      const turned = await capture();
      expect([sizeOf(upright), sizeOf(turned)]).toEqual(["360x800", "800x360"]);
      await tapButton(turned);
      expect(world.phone.shop.pressed.taps).toBe(1);
      const button = flat(await tree(turned)).find(({ role }) => role.endsWith("Button"))!;
      expect(button.bounds).toEqual({ left: 710, top: 40, right: 790, bottom: 90 });
    });

    it.each([
      ["the panel's size, as old systems do", false, "360x800"],
      ["the size laid over it, as new ones do", true, "180x400"],
    ])(
      "claude-in-mobile#17, mobile-mcp#440: with a size laid over it and pictures of %s, the same is hit",
      async (_, overridden, size) => {
        const before = await capture();
        world.phone.override = { width: 180, height: 400 };
        world.phone.capturesOverride = overridden;
        const frame = await capture();
        expect(sizeOf(frame)).toBe(size);
        await tapButton(frame);
        expect(world.phone.deeds.at(-1)).toEqual({ kind: "tap", x: 130, y: 65 });
        expect(world.phone.shop.pressed.taps).toBe(1);
        const button = flat(await tree(frame)).find(({ role }) => role.endsWith("Button"))!;
        expect(button.bounds.left).toBe(overridden ? 90 : 180);
        // an older frame is touched in the measure that it was taken in
        world.phone.override = null;
        await world.bridge.tap({ x: 310, y: 65 }, before, world.signal);
        expect(world.phone.deeds.at(-1)).toEqual({ kind: "tap", x: 310, y: 65 });
      },
    );

    it("maestro-runner#101: places are measured by the frame, not by the area that apps may use", async () => {
      const frame = await capture();
      await world.bridge.tap({ x: 359, y: 799 }, frame, world.signal);
      expect(world.phone.deeds.at(-1)).toEqual({ kind: "tap", x: 359, y: 799 });
      const nodes = await tree(frame);
      expect(nodes?.bounds).toEqual({ left: 0, top: 0, right: 360, bottom: 800 });
      expect(nodes?.children[0]?.bounds.bottom).toBe(760);
    });

    it("a frame of a whole phone's size is touched pixel by pixel", async () => {
      world.phone.override = { width: 1080, height: 2340 };
      const frame = await capture();
      expect(sizeOf(frame)).toBe("1080x2340");
      for (const x of [0, 1, 1079]) await world.bridge.tap({ x, y: 2339 - x }, frame, world.signal);
      const places = world.phone.deeds.flatMap((deed) => (deed.kind === "tap" ? [[deed.x, deed.y]] : []));
      expect(places).toEqual([
        [0, 2339],
        [1, 2338],
        [1079, 1260],
      ]);
    });
  });

  describe("pictures", () => {
    it("claude-in-mobile#51: a window that forbids pictures is told as black, and its tree is there", async () => {
      world.phone.open(world.phone.bank);
      const frame = await capture();
      expect(frame.isBlack).toBe(true);
      expect(flat(await tree(frame)).map(({ text }) => text)).toContain("balance 12.00");
      world.phone.open(world.phone.shop);
      expect((await capture()).isBlack).toBe(false);
    });

    it("Open-AutoGLM#201: a capture that failed is an error with the device's words, not a secure screen", async () => {
      const { faults } = world.phone;
      faults.plan("screencap", { kind: "refused", said: "Failed to take screenshot. Status: -2", code: 1 });
      await expect(capture()).rejects.toMatchObject({
        code: "CAPTURE_FAILED",
        message: expect.stringContaining("Status: -2"),
      });
      faults.plan("screencap", { kind: "short" });
      await expect(capture()).rejects.toMatchObject({
        code: "CAPTURE_FAILED",
        message: expect.stringContaining("before the end"),
      });
      faults.plan("screencap", { kind: "empty" });
      await expect(capture()).rejects.toMatchObject({
        code: "CAPTURE_FAILED",
        message: expect.stringContaining("no PNG"),
      });
      expect((await capture()).isBlack).toBe(false);
    });

    it("words before a picture are not a part of it", async () => {
      world.phone.faults.plan("screencap", { kind: "banner", said: "Failed to create //.cache for shader cache\n" });
      expect(Buffer.from((await capture()).png).equals(world.phone.png())).toBe(true);
    });

    it("AutoGLM-GUI#433: with several displays the one in use is taken, by its long id, as it is at each picture", async () => {
      const bridge = await world.open();
      world.phone.displays = ["4630946165954792596", "4630946317637160339"];
      await bridge.capture(world.signal);
      await bridge.capture(world.signal);
      world.phone.displays = ["4630946317637160339", "4630946165954792596"];
      await bridge.capture(world.signal);
      const asked = world.phone.lines.flatMap((line) => /screencap -p ?(.*)/.exec(line)?.[1] ?? []);
      expect(asked).toEqual(["", "-d 4630946317637160339", "-d 4630946317637160339", "-d 4630946165954792596"]);
      await bridge.close();
    });

    it("mobile-mcp#176: where a system tells less of its displays, the compositor is asked, or the picture is taken as it comes", async () => {
      const bridge = await world.open();
      world.phone.displays = ["4630946165954792596", "4630946317637160339"];
      world.phone.hidden.add("display");
      await bridge.capture(world.signal);
      expect(world.phone.lines.at(-1)).toContain("-d 4630946165954792596");
      world.phone.hidden.add("SurfaceFlinger");
      expect(sizeOf(await bridge.capture(world.signal))).toBe("360x800");
      await bridge.close();
    });
  });

  describe("trees", () => {
    it("testing-samples#283, AndroidViewClient#257: a dump that failed is asked for again; an older one is never read", async () => {
      world.phone.files.write(
        "/sdcard/window_dump.xml",
        Buffer.from("<hierarchy><node bounds='[0,0][1,1]'/></hierarchy>"),
      );
      const said = "ERROR: null root node returned by UiTestAutomationBridge.";
      world.phone.faults.plan("uiautomator", { kind: "refused", said, code: 0 }, 2);
      expect(flat(await tree(await capture())).map(({ label }) => label)).toContain("Search goods");
      expect(world.phone.files.list("/data/local/tmp")).toEqual([]);
    });

    it("glass#341, mobile-mcp#49: a dump that crashed without a word, or broke off, is asked for again", async () => {
      world.phone.faults.plan("uiautomator", { kind: "refused", said: "", code: 137 });
      world.phone.faults.plan("uiautomator", { kind: "short" });
      expect((await tree(await capture()))?.children).toHaveLength(1);
    });

    it("mobilerun#282: while there is no window to look into, there is no tree, and pictures are there", async () => {
      const bridge = await world.open({ treeMs: 500 });
      const said = "ERROR: No active window or root filtered out";
      world.phone.faults.plan("uiautomator", { kind: "refused", said, code: 1 }, 99);
      const frame = await bridge.capture(world.signal);
      expect(await bridge.tree(frame, world.signal)).toBeNull();
      await bridge.close();
    });

    it("uiautomator2#818: a screen that never rests costs no more than its time", async () => {
      const bridge = await world.open({ treeMs: 250 });
      const frame = await bridge.capture(world.signal);
      world.phone.faults.plan("uiautomator", { kind: "slow", ms: 10_000 });
      const start = performance.now();
      expect(await bridge.tree(frame, world.signal)).toBeNull();
      expect(performance.now() - start).toBeLessThan(1_500);
      await bridge.close();
    });

    it("AppAgent#7: paths on the device are our own and need no quotes; what a caller names stands in quotes", async () => {
      await tree(await capture());
      await world.bridge.open("com.android.settings/.Settings$HomeActivity", world.signal);
      const paths = world.phone.lines.flatMap((line) => line.match(/\/(?:data|sdcard)\/\S*/g) ?? []);
      expect(paths).toHaveLength(3);
      for (const path of paths) expect(path).toMatch(/^\/data\/local\/tmp\/pawl-[0-9a-f]{12}\.xml;?$/);
      expect(world.phone.lines.at(-1)).toBe("am start -n 'com.android.settings/.Settings$HomeActivity'");
    });

    it("a tree that waits is cancelled at once", async () => {
      const frame = await capture();
      world.phone.faults.plan("uiautomator", { kind: "slow", ms: 10_000 });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 30);
      expect(await codeOf(world.bridge.tree(frame, stop.signal))).toBe("CANCELLED");
    });
  });
});

const flat = (node: ScreenNode | null): readonly ScreenNode[] =>
  node === null ? [] : [node, ...node.children.flatMap(flat)];
