// npm run bench:device: what the executor costs over the bare calls, without settle times and model; -- browser | adb | memory
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdbServerClient } from "@yume-chan/adb";
import { AdbServerNodeTcpConnector } from "@yume-chan/adb-server-node-tcp";
import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import { findBrowser } from "../../src/adapters/bridges/browser/find-browser.ts";
import { launch, phoneIn } from "../../src/adapters/bridges/browser/launch.ts";
import { openInBrowser } from "../../src/adapters/bridges/browser/open-browser.ts";
import { trajectoryFolder } from "../../src/app/device/trajectory-folder.ts";
import { runOnDevice } from "../../src/device/run-on-device.ts";
import { DEVICE_DEFAULTS } from "../../src/device/settings.ts";
import type { Bridge } from "../../src/ports/bridge.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Coordinate } from "../../src/ports/device-action.ts";
import { startWebShop } from "../../test/device/support/web-shop.ts";
import { startAndroid } from "../../test/support/android/android.ts";
import { adbFigures } from "./device-adb.ts";
import { compare, type Figure, figureLine } from "./figure.ts";

const STEPS = 5;
const ROUNDS = 12;

/** Nothing is waited for: settle times are no overhead. */
const clock: Clock = {
  read: () => ({ wall: Date.now(), mono: performance.now() }),
  // what bounds a call stays a bound
  sleep: (ms, signal) =>
    ms < 1_000
      ? Promise.resolve()
      : new Promise((resolve) => {
          const timer = setTimeout(resolve, ms);
          const end = (): void => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener("abort", end, { once: true });
        }),
};

/** A run of taps by an agent that answers at once. The bridge stays open. */
async function taps(bridge: Bridge, coordinate: Coordinate, steps = STEPS): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  let said = 0;
  const agent = {
    name: "bench",
    predict: async () => ({
      thinking: "",
      action:
        said++ < steps ? ({ action: "tap", coordinate } as const) : ({ action: "FINISH", reason: "done" } as const),
    }),
  };
  const lent: Bridge = new Proxy(bridge, {
    get: (of, key) => {
      const value = Reflect.get(of, key, of);
      if (key === "close") return async () => {};
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
  const parts = {
    bridge: lent,
    agent,
    tools: NO_TOOLS,
    ask: null,
    folder: trajectoryFolder(home),
    clock,
    on: () => {},
  };
  const settings = { ...DEVICE_DEFAULTS, maxSteps: steps + 1 };
  const end = await runOnDevice({ goal: "tap", taskId: "bench", settings }, parts, new AbortController().signal);
  rmSync(home, { recursive: true, force: true });
  if (end.status !== "success") throw new Error(end.reason);
}
const NO_TOOLS = { names: [], call: async () => ({ ok: false, text: "" }) };

const FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))";

async function browserFigure(): Promise<Figure> {
  const [browser, shop] = await Promise.all([launch(findBrowser(process.env)), startWebShop()]);
  // what shows no change at once would be tapped again, and the bare calls do not look
  const url = `${shop.url}/prompt`;
  const bridge = await openInBrowser(browser, { target: `browser:${url}`, env: process.env });
  const page = await (await phoneIn(browser)).newPage();
  await page.goto(url);
  const cdp = await page.context().newCDPSession(page);
  const shot = () => cdp.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
  const touch = (type: "touchStart" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
  const bare = async (): Promise<void> => {
    await shot();
    for (let n = 0; n < STEPS; n++) {
      await touch("touchStart", [{ x: 362, y: 65 }]);
      await touch("touchEnd", []);
      // a picture taken at once may be of before: both wait for two frames, as what a settle time would cover
      await page.evaluate(FRAMES);
      await shot();
    }
  };
  const ours = () => taps(bridge, [362 / 412, 65 / 915]);
  try {
    return await compare("browser: a step", { rounds: ROUNDS, target: 1.3, ours, against: ["bare CDP", bare] });
  } finally {
    await browser.close();
    await shop.close();
  }
}

async function adbFigure(): Promise<Figure> {
  const android = await startAndroid({ size: { width: 1080, height: 2400 } });
  const { signal } = new AbortController();
  const bridge = await openAdbBridge({ target: android.target, env: android.server.env, signal });
  android.phone.open(android.phone.shop);
  const connector = new AdbServerNodeTcpConnector({ host: "127.0.0.1", port: android.port });
  const adb = await new AdbServerClient(connector).createAdb({ serial: android.serial });
  const call = async (...words: readonly string[]): Promise<void> =>
    void (await adb.subprocess.shellProtocol!.spawnWait(words));
  const bare = async (): Promise<void> => {
    await call("screencap", "-p");
    for (let n = 0; n < STEPS; n++) {
      await call("input", "tap", "1030", "65");
      await call("screencap", "-p");
    }
  };
  const ours = () => taps(bridge, [1030 / 1080, 65 / 2400]);
  try {
    return await compare("adb: a step", { rounds: ROUNDS, target: 1.5, ours, against: ["the bare library", bare] });
  } finally {
    await bridge.close();
    await adb.close();
    await android.close();
  }
}

/** What is held after 50 steps, and after 500: pictures live on the disk. The phone runs in this process, with its own. */
async function memoryLine(): Promise<string> {
  const android = await startAndroid({ size: { width: 1080, height: 2400 } });
  const { signal } = new AbortController();
  const bridge = await openAdbBridge({ target: android.target, env: android.server.env, signal });
  android.phone.open(android.phone.shop);
  const held = async (steps: number): Promise<string> => {
    await taps(bridge, [1030 / 1080, 65 / 2400], steps);
    for (let n = 0; n < 3; n++) {
      globalThis.gc?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    return `heap ${mib(heapUsed)} and buffers ${mib(arrayBuffers)} MiB after ${steps} steps`;
  };
  try {
    return `memory held: ${await held(50)}; ${await held(500)}`;
  } finally {
    await bridge.close();
    await android.close();
  }
}

const part = process.argv[2] ?? "all";
const is = (name: string): boolean => part === "all" || part === name;
const figures: Figure[] = [];
if (is("browser")) figures.push(await browserFigure());
if (is("adb")) figures.push(await adbFigure(), ...(await adbFigures()));
for (const figure of figures) console.log(figureLine(figure));
if (is("memory")) console.log(await memoryLine());
process.exitCode = figures.some(({ ms, againstMs, target }) => target !== null && ms / againstMs > target) ? 1 : 0;
