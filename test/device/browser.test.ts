import type { Browser } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { launch } from "../../src/adapters/bridges/browser/launch.ts";
import { actScenarios } from "./scenarios-act.ts";
import { faultScenarios } from "./scenarios-fault.ts";
import { loopScenarios } from "./scenarios-loop.ts";
import { browserStage } from "./support/browser-stage.ts";
import { withBrowser } from "./support/needs-browser.ts";
import { sceneOn } from "./support/scene.ts";
import { startWebShop } from "./support/web-shop.ts";

withBrowser("the executor on a browser", (executable) => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof startWebShop>>;
  const scene = sceneOn(() => browserStage(browser, shop.url), test);
  beforeAll(async () => {
    [browser, shop] = await Promise.all([launch(executable), startWebShop()]);
    await scene.begin();
  });
  afterAll(async () => {
    await scene.end();
    await browser?.close();
    await shop?.close();
  });
  loopScenarios(scene);
  actScenarios(scene);
  faultScenarios(scene, () => browserStage(browser, shop.url));
});
