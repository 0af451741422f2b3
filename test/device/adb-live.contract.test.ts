import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import { launch } from "../../src/adapters/bridges/browser/launch.ts";
import { bridgeContract } from "../contracts/bridge.contract.ts";
import { startAndroid } from "../support/android/android.ts";
import { ADB_KEYBOARD } from "../support/android/keyboards.ts";
import { liveScreen } from "../support/android/live-screen.ts";
import { hasAdb, suiteNeeding } from "../support/needs.ts";
import { withBrowser } from "./support/needs-browser.ts";
import { type ShopDid, startWebShop } from "./support/web-shop.ts";

const SIZE = { width: 412, height: 915 };

/** The whole way: the bridge, the real adb, the simulated phone, and on its screen a page in a real browser. */
withBrowser("the adb bridge over a phone that shows a page in Chromium", (executable) => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startWebShop>>;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([launch(executable), startWebShop()]);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });
  suiteNeeding({ program: "adb", debianPackage: "adb", works: hasAdb() }, "with adb", () => {
    bridgeContract("adb, a page in Chromium", async () => {
      const android = await startAndroid({ size: SIZE });
      const live = await liveScreen(browser, shop.url, SIZE);
      android.phone.live = live;
      android.phone.keyboards.install(ADB_KEYBOARD);
      const signal = new AbortController().signal;
      const bridge = await openAdbBridge({ target: android.target, env: android.server.env, signal });
      return {
        bridge,
        at: (what) => ({ button: { x: 362, y: 65 }, field: { x: 150, y: 65 }, row: { x: 150, y: 600 } })[what],
        live: {
          reset: () => live.open(),
          async seen() {
            const did = (await live.page.evaluate("window.did()")) as ShopDid;
            return {
              taps: did.taps,
              holds: did.holds,
              text: did.search,
              enters: did.searches.length - did.taps,
              scrolled: did.first,
              page: did.page === null ? ("first" as const) : ("second" as const),
            };
          },
          name: "shop",
          noName: "no.such.app",
        },
        link: { cut: () => android.daemon.drop(), mend: () => android.daemon.back() },
        async close() {
          await live.close();
          await android.close();
        },
      };
    });
  });
});
