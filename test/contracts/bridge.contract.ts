import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bridge, Frame, Point, ScreenNode } from "../../src/ports/bridge.ts";
import { until } from "../support/host.ts";

/** What was done to a stage since `reset`. */
export interface Seen {
  /** taps on its button, each of a double tap too */
  readonly taps: number;
  readonly holds: number;
  /** what its field holds */
  readonly text: string;
  /** how often enter was pressed in its field */
  readonly enters: number;
  /** how far its list was scrolled, in any unit; 0: not */
  readonly scrolled: number;
  readonly page: "first" | "second";
}

/** A small screen with a bridge to it: a button, a text field and a long list; a row of the list leads to a second page. */
export interface Stage {
  readonly bridge: Bridge;
  /** the middle of each on the first page, in the frame's pixels; `list` and `row` are in the list */
  at(what: "button" | "field" | "row", frame: Frame): Point;
  /** null: what is shown was recorded, nothing can be done to it */
  readonly live: {
    reset(): Promise<void> | void;
    seen(): Promise<Seen> | Seen;
    /** what `open` takes for the first page */
    readonly name: string;
    /** what `open` refuses */
    readonly noName: string;
  } | null;
  /** takes the other end away, and gives it back; null: it cannot go */
  readonly link: { cut(): Promise<void> | void; mend(): Promise<void> | void } | null;
  close(): Promise<void>;
}

/** What every Bridge promises (ports/bridge.ts). One stage serves all cases. */
export function bridgeContract(label: string, make: () => Promise<Stage>): void {
  describe(`bridge: ${label}`, () => {
    const signal = new AbortController().signal;
    let stage: Stage;
    let bridge: Bridge;
    beforeAll(async () => {
      stage = await make();
      bridge = stage.bridge;
    });
    afterAll(async () => {
      await bridge?.close();
      await stage?.close();
    });
    const code = (call: Promise<unknown>) =>
      call.then(
        () => "none",
        (error: { code?: string }) => error.code,
      );
    const fresh = async (): Promise<{ live: NonNullable<Stage["live"]>; frame: Frame; seen: () => Promise<Seen> }> => {
      const live = stage.live!;
      await live.reset();
      return { live, frame: await bridge.capture(signal), seen: async () => live.seen() };
    };
    const liveOnly = (title: string, body: () => Promise<void>): void =>
      it(title, async (context) => {
        if (stage.live === null) return context.skip();
        await body();
      });

    it("gives a whole picture, of the size that its header says, and when it was taken", async () => {
      await stage.live?.reset();
      const before = Date.now();
      const frame = await bridge.capture(signal);
      const { width, height } = PNG.sync.read(Buffer.from(frame.png));
      expect({ width, height }).toEqual({ width: frame.width, height: frame.height });
      expect(frame.isBlack).toBe(false);
      if (stage.live) expect(frame.takenAt).toBeGreaterThanOrEqual(before);
      expect(frame.takenAt).toBeLessThanOrEqual(Date.now());
    });

    it("says that it is ready, and what it is called", async () => {
      expect(await bridge.state(signal)).toEqual({ kind: "ready" });
      expect(bridge.target).toMatch(/^(adb|browser|replay):./);
    });

    it("refuses points outside the frame, and nothing happens", async () => {
      const frame = await bridge.capture(signal);
      const inside = { x: 0, y: 0 };
      for (const outside of [
        { x: frame.width, y: 0 },
        { x: 0, y: -1 },
        { x: 0.5, y: 0 },
        { x: Number.NaN, y: 0 },
      ]) {
        expect(await code(bridge.tap(outside, frame, signal))).toBe("SCREEN_REFUSED");
        expect(await code(bridge.swipe(inside, outside, 10, frame, signal))).toBe("SCREEN_REFUSED");
        expect(await code(bridge.longPress(outside, 10, frame, signal))).toBe("SCREEN_REFUSED");
      }
      expect(Buffer.from((await bridge.capture(signal)).png).equals(Buffer.from(frame.png))).toBe(true);
    });

    it("ends each call at once when its signal is aborted, as CANCELLED", async () => {
      const frame = await bridge.capture(signal);
      const aborted = AbortSignal.abort();
      const at = stage.at("button", frame);
      for (const call of [
        () => bridge.capture(aborted),
        () => bridge.tap(at, frame, aborted),
        () => bridge.type("x", aborted),
        () => bridge.back(aborted),
        () => bridge.tree(frame, aborted),
      ])
        expect(await code(call())).toBe("CANCELLED");
      if (stage.live) expect((await stage.live.seen()).taps).toBe(0);
    });

    liveOnly("ends a long swipe within 2 s of the abort", async () => {
      const { frame } = await fresh();
      const stop = new AbortController();
      const at = stage.at("row", frame);
      const swipe = code(bridge.swipe(at, { ...at, y: at.y - 20 }, 30_000, frame, stop.signal));
      const start = performance.now();
      setTimeout(() => stop.abort(), 50);
      expect(await swipe).toBe("CANCELLED");
      expect(performance.now() - start).toBeLessThan(2_000);
    });

    liveOnly("taps once where it is told to; twice for a double tap; and holds as long as it is told", async () => {
      const { frame, seen } = await fresh();
      const at = stage.at("button", frame);
      await bridge.tap(at, frame, signal);
      expect(await seen()).toMatchObject({ taps: 1, holds: 0 });
      await bridge.doubleTap(at, frame, signal);
      expect(await seen()).toMatchObject({ taps: 3, holds: 0 });
      await bridge.longPress(at, 700, frame, signal);
      expect(await seen()).toMatchObject({ holds: 1 });
      expect(Buffer.from((await bridge.capture(signal)).png).equals(Buffer.from(frame.png))).toBe(false);
    });

    liveOnly("swipes for as long as it is told, and the list follows the finger", async () => {
      const { frame, seen } = await fresh();
      const from = stage.at("row", frame);
      const start = performance.now();
      await bridge.swipe(from, { ...from, y: Math.round(from.y / 2) }, 200, frame, signal);
      expect(performance.now() - start).toBeGreaterThanOrEqual(195);
      expect((await seen()).scrolled).toBeGreaterThan(0);
    });

    const TEXTS = [
      "app agent test",
      `it's "50" & $HOME \`id\` $(id) \\ ;|<>()*?!#~[]{}`,
      "310110197211165036",
      "100% %s %d",
      "שלום! ö é ñ 很 ☝ 👩‍👩‍👧",
      "hello? Hello? -x --es",
    ];
    for (const text of TEXTS)
      liveOnly(`types ${JSON.stringify(text)} as it is`, async () => {
        const { frame, seen } = await fresh();
        await bridge.tap(stage.at("field", frame), frame, signal);
        await bridge.type(text, signal);
        expect((await seen()).text).toBe(text);
      });

    liveOnly("types after what is there, and enter ends it", async () => {
      const { frame, seen } = await fresh();
      await bridge.tap(stage.at("field", frame), frame, signal);
      await bridge.type("red ", signal);
      await bridge.type("kettle", signal);
      await bridge.enter(signal);
      expect(await seen()).toMatchObject({ text: "red kettle", enters: 1 });
    });

    liveOnly("goes back from where a row led to; back at the start harms nothing", async () => {
      const { frame, seen } = await fresh();
      await bridge.tap(stage.at("row", frame), frame, signal);
      expect((await seen()).page).toBe("second");
      await bridge.back(signal);
      expect((await seen()).page).toBe("first");
      await bridge.back(signal);
      await bridge.back(signal);
      expect((await bridge.capture(signal)).width).toBe(frame.width);
      expect(await bridge.state(signal)).toEqual({ kind: "ready" });
    });

    liveOnly("opens what has a name, also from home, and refuses what is not there", async () => {
      const { live, frame, seen } = await fresh();
      await bridge.tap(stage.at("row", frame), frame, signal);
      await bridge.home(signal);
      if (bridge.abilities.recent) await bridge.recent(signal);
      await bridge.open(live.name, signal);
      expect((await seen()).page).toBe("first");
      await bridge.tap(stage.at("button", frame), frame, signal);
      expect((await seen()).taps).toBe(1);
      expect(await code(bridge.open(live.noName, signal))).toBe("SCREEN_REFUSED");
    });

    it("gives a tree in the frame's pixels, or null; the element that has the focus holds what was typed", async () => {
      await stage.live?.reset();
      const frame = await bridge.capture(signal);
      if (stage.live) {
        await bridge.tap(stage.at("field", frame), frame, signal);
        await bridge.type("kettle", signal);
      }
      const tree = await bridge.tree(frame, signal);
      if (!bridge.abilities.tree) return expect(tree).toBeNull();
      const nodes = flat(tree!);
      const { x, y } = stage.at("field", frame);
      const { left, top, right, bottom } = nodes.find(({ isEditable }) => isEditable)!.bounds;
      expect(x >= left && x < right && y >= top && y < bottom).toBe(true);
      expect(nodes.some(({ isClickable }) => isClickable)).toBe(true);
      expect(Math.max(...nodes.map(({ bounds }) => bounds.right))).toBeLessThanOrEqual(frame.width);
      if (stage.live) expect(nodes.find(({ isFocused, isEditable }) => isFocused && isEditable)?.text).toBe("kettle");
    });

    it("says that the other end went away, waits for it no longer than it may, and goes on when it is back", async (context) => {
      const { link } = stage;
      if (link === null) return context.skip();
      await stage.live?.reset();
      const frame = await bridge.capture(signal);
      await link.cut();
      await until(async () => (await bridge.state(signal)).kind !== "ready", "it is known to be gone");
      expect(await code(bridge.tap(stage.at("button", frame), frame, signal))).toBe("SCREEN_GONE");
      expect(await code(bridge.capture(signal))).toBe("SCREEN_GONE");
      const state = await bridge.state(signal);
      expect(state.kind).not.toBe("ready");
      expect((state as { advice: string }).advice.length).toBeGreaterThan(20);
      const start = performance.now();
      expect((await bridge.reconnect(300, signal)).kind).not.toBe("ready");
      expect(performance.now() - start).toBeLessThan(2_000);
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 50);
      expect(await code(bridge.reconnect(20_000, stop.signal))).toBe("CANCELLED");
      await link.mend();
      expect(await bridge.reconnect(20_000, signal)).toEqual({ kind: "ready" });
      expect((await bridge.capture(signal)).width).toBe(frame.width);
      if (stage.live) expect((await stage.live.seen()).taps).toBe(0);
    });

    it("can be closed twice", async () => {
      await bridge.close();
      await bridge.close();
    });
  });
}

const flat = (node: ScreenNode): readonly ScreenNode[] => [node, ...node.children.flatMap(flat)];
