import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "../../src/adapters/bridges/browser/launch.ts";
import { openInBrowser } from "../../src/adapters/bridges/browser/open-browser.ts";
import type { Bridge, ScreenNode } from "../../src/ports/bridge.ts";
import { bridgeContract } from "../contracts/bridge.contract.ts";
import { browserStage } from "./support/browser-stage.ts";
import { withBrowser } from "./support/needs-browser.ts";
import { startWebShop } from "./support/web-shop.ts";

const signal = new AbortController().signal;

withBrowser("a browser as a screen", (executable) => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startWebShop>>;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([launch(executable), startWebShop()]);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  bridgeContract("browser", async () => {
    const stage = await browserStage(browser, shop.url)();
    const page = browser.contexts().at(-1)!.pages()[0]!;
    return {
      bridge: stage.bridge,
      at: (what, { width, height }) => {
        const [x, y] = stage.places[({ button: "find", field: "search", row: "firstRow" } as const)[what]];
        return { x: Math.floor(x * width), y: Math.floor(y * height) + (what === "row" ? 120 : 0) };
      },
      live: {
        reset: async () => void (await page.goto(shop.url)),
        async seen() {
          const did = await stage.did();
          const enters = did.searches.length - did.taps;
          const at = did.page === null ? "first" : "second";
          return { taps: did.taps, holds: did.holds, text: did.search, enters, scrolled: did.first, page: at };
        },
        name: shop.url,
        noName: "no such thing",
      },
      link: null,
      close: stage.close,
    };
  });

  describe("beyond the contract", () => {
    let bridge: Bridge;
    const page = () => browser.contexts().at(-1)!.pages().at(-1)!;
    const evaluate = (code: string): Promise<unknown> => page().evaluate(code);
    beforeAll(async () => {
      bridge = await openInBrowser(browser, { target: `browser:${shop.url}/plain`, env: {} });
    });
    afterAll(async () => bridge?.close());
    const opened = async (path: string, use: () => Promise<void>): Promise<void> => {
      await bridge.open(`${shop.url}${path}`, signal);
      await use();
    };
    const button = (tree: ScreenNode): ScreenNode | undefined =>
      tree.role === "button" ? tree : tree.children.map(button).find((found) => found !== undefined);

    test("back at the start of the history goes nowhere, not to an empty page", async () => {
      await bridge.back(signal);
      expect(await evaluate("location.pathname")).toBe("/plain");
    });

    test("what listens for taps can be touched, whatever its role; a page that listens for all of them is no element", () =>
      opened("/listening", async () => {
        const touchable = (node: ScreenNode): readonly string[] => [
          ...(node.isClickable ? [[node, ...node.children].map(({ text }) => text).join("")] : []),
          ...node.children.flatMap(touchable),
        ];
        const tree = await bridge.tree(await bridge.capture(signal), signal);
        expect(touchable(tree!).map((text) => text.replace(/[^a-z]/g, ""))).toEqual(["bare", "row"]);
      }));

    test("known-failures AlexGladkov/claude-in-mobile#17: on a page wider than the screen, bounds and touches are the picture's", () =>
      opened("/wide", async () => {
        const frame = await bridge.capture(signal);
        const { left, top, right, bottom } = button((await bridge.tree(frame, signal))!)!.bounds;
        expect(await evaluate("Math.round(visualViewport.width)")).toBe(980);
        expect(Math.abs(left - (490 * frame.width) / 980)).toBeLessThanOrEqual(1);
        await bridge.tap({ x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) }, frame, signal);
        // such a page can be zoomed by a second tap, so that its click comes late
        await expect.poll(() => evaluate("document.title"), { timeout: 3_000 }).toBe("tapped");
      }));

    test("known-failures microsoft/playwright#42607: touches are touches after many pictures, too", () =>
      opened("", async () => {
        for (let i = 0; i < 5; i++) await bridge.capture(signal);
        expect(await evaluate("matchMedia('(pointer: coarse)').matches && 'ontouchstart' in window")).toBe(true);
      }));

    test("known-failures Epistates/MCPSafari#35: a picture right behind a tap shows what came of it", () =>
      opened("", async () => {
        const before = await bridge.capture(signal);
        await bridge.tap({ x: 362, y: 65 }, before, signal);
        expect(Buffer.from((await bridge.capture(signal)).png).equals(Buffer.from(before.png))).toBe(false);
      }));

    test("two pictures of a screen that rests are the same bytes, also with the caret in a field", () =>
      opened("", async () => {
        await bridge.tap({ x: 150, y: 65 }, await bridge.capture(signal), signal);
        await expect.poll(() => evaluate("document.activeElement.tagName")).toBe("INPUT");
        const one = await bridge.capture(signal);
        await new Promise((resolve) => setTimeout(resolve, 600));
        expect(Buffer.from((await bridge.capture(signal)).png).equals(Buffer.from(one.png))).toBe(true);
      }));

    test("the same swipe scrolls as far each time, and nothing goes on behind it", async () => {
      const ends = new Set<unknown>();
      for (let i = 0; i < 4; i++)
        await opened(`/?${i}`, async () => {
          const frame = await bridge.capture(signal);
          await bridge.swipe({ x: 200, y: 700 }, { x: 200, y: 300 }, 300, frame, signal);
          ends.add(await evaluate("document.getElementById('goods').scrollTop"));
          await new Promise((resolve) => setTimeout(resolve, 300));
          ends.add(await evaluate("document.getElementById('goods').scrollTop"));
        });
      expect(ends.size).toBe(1);
      expect(Number([...ends][0])).toBeGreaterThan(350);
      expect(Number([...ends][0])).toBeLessThanOrEqual(400);
    });

    test("a page that another opened is in front; back from it leads to the other", () =>
      opened("/plain", async () => {
        await evaluate("void window.open(location.origin + '/wide')");
        await bridge.capture(signal);
        expect(await evaluate("location.pathname")).toBe("/wide");
        await bridge.back(signal);
        expect(await evaluate("location.pathname")).toBe("/plain");
      }));

    test("text where nothing has the focus, and addresses that are no web page, are refused", () =>
      opened("/plain", async () => {
        await expect(bridge.type("x", signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
        await expect(bridge.open("file:///etc/passwd", signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
        await expect(bridge.recent(signal)).rejects.toMatchObject({ code: "SCREEN_REFUSED" });
      }));

    test("an all-black page is said to be black", () =>
      opened("/black", async () => {
        expect((await bridge.capture(signal)).isBlack).toBe(true);
      }));

    test("a page that closes itself is gone, and opened again where it was", () =>
      opened("/plain", async () => {
        await bridge.open(`${shop.url}/wide`, signal);
        await page().close();
        await expect(bridge.capture(signal)).rejects.toMatchObject({ code: "SCREEN_GONE" });
        expect(await bridge.state(signal)).toMatchObject({ kind: "gone" });
        expect(await bridge.reconnect(5_000, signal)).toEqual({ kind: "ready" });
        expect(page().url()).toBe(`${shop.url}/wide`);
      }));
  });
});
