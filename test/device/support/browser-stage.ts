import type { Browser } from "playwright-core";
import { openInBrowser } from "../../../src/adapters/bridges/browser/open-browser.ts";
import type { OpenStage, Stage } from "./stage.ts";
import type { ShopDid } from "./web-shop.ts";

/** The shop in a browser that is there, with a profile of its own. */
export const browserStage =
  (browser: Browser, url: string): OpenStage =>
  async (): Promise<Stage> => {
    const bridge = await openInBrowser(browser, { target: `browser:${url}`, env: process.env });
    const context = browser.contexts().at(-1)!;
    const page = () => context.pages().at(-1)!;
    return {
      bridge,
      places: PLACES,
      reset: async () => void (await page().goto(url)),
      did: () => page().evaluate("window.did()") as Promise<ShopDid>,
      lose: (how) => (how === "for good" ? context.close() : page().close()),
      close: () => bridge.close(),
    };
  };

const at = (x: number, y: number) => [x / 412, y / 915] as const;
const PLACES: Stage["places"] = {
  search: at(150, 65),
  find: at(362, 65),
  firstRow: at(150, 150),
  nothing: at(200, 20),
  low: at(150, 800),
  high: at(150, 200),
  note: at(150, 190),
};
