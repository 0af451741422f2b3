import type { Browser, BrowserContext } from "playwright-core";
import { PawlError } from "../../../domain/errors.ts";
import type { Bridge, BridgeState } from "../../../ports/bridge.ts";
import { addressOfApp, addressOfTarget } from "./address.ts";
import { bounded, cancelled } from "./bounded.ts";
import { findBrowser } from "./find-browser.ts";
import { back, goTo } from "./history.ts";
import { launch, phoneIn } from "./launch.ts";
import { picture, placeOf } from "./picture.ts";
import { starting } from "./starting.ts";
import { type Tab, type Tabs, tabsOf } from "./tabs.ts";
import { press, swipe, tap } from "./touch.ts";
import { treeOf } from "./tree.ts";
import { insertText } from "./typing.ts";

export interface BrowserOrder {
  /** browser:URL */
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** so long a call's answer is waited for, in ms */
  readonly answerMs?: number;
}

/**
 * A browser of our own as a phone, without a window, at the target's address. An abort cuts its start off, and leaves
 * nothing of it. Throws BROWSER_MISSING, BROWSER_FAILED, TARGET_BAD, SCREEN_REFUSED, SCREEN_GONE, CANCELLED.
 */
export async function openBrowser(order: BrowserOrder & { readonly signal?: AbortSignal }): Promise<Bridge> {
  addressOfTarget(order.target);
  const executable = findBrowser(order.env);
  if (order.signal?.aborted) throw cancelled();
  const start = starting();
  order.signal?.addEventListener("abort", start.cut, { once: true });
  try {
    const browser = await launch(executable, { more: [start.mark], signal: order.signal });
    return await openIn(browser, order, () => browser.close());
  } catch (error) {
    throw order.signal?.aborted ? cancelled() : error;
  } finally {
    order.signal?.removeEventListener("abort", start.cut);
    start.forget();
  }
}

/** The same in a browser that is there already, with a new profile; it is left to run. */
export const openInBrowser = (browser: Browser, order: BrowserOrder): Promise<Bridge> =>
  openIn(browser, order, async () => {});

async function openIn(browser: Browser, order: BrowserOrder, end: () => Promise<void>): Promise<Bridge> {
  const address = addressOfTarget(order.target);
  let context: BrowserContext | null = null;
  const close = async (): Promise<void> => {
    await context?.close().catch(() => {});
    await end().catch(() => {});
  };
  try {
    context = await phoneIn(browser);
    const tabs = tabsOf(context);
    await goTo(await tabs.open(), address);
    return browserBridge({ browser, tabs, address, close, ...order });
  } catch (error) {
    await close();
    throw unopened(browser, error);
  }
}

/** Why no page is open. The library's own words may have the browser's whole log behind them. */
function unopened(browser: Browser, error: unknown): PawlError {
  const why = error instanceof Error ? error.message.split("\n")[0]! : String(error);
  if (!browser.isConnected() || /has been closed|crashed/.test(why))
    return new PawlError("SCREEN_GONE", "the browser ended before its page was open", {
      next: "start it again.",
      retryable: true,
      cause: error,
    });
  if (error instanceof PawlError) return error;
  return new PawlError("BROWSER_FAILED", `no page can be opened: ${why}`, { next: "start it again.", cause: error });
}

interface Parts {
  readonly browser: Browser;
  readonly tabs: Tabs;
  readonly address: string;
  readonly close: () => Promise<void>;
  readonly target: string;
  readonly answerMs?: number;
}

function browserBridge({ browser, tabs, address, close, target, answerMs = 15_000 }: Parts): Bridge {
  /** something was done since the last picture: what came of it has to be painted first */
  let isTouched = true;
  let at = address;
  const gone = (): PawlError =>
    new PawlError("SCREEN_GONE", "the page is closed", { next: "open it again.", retryable: true });
  const call = async <T>(kind: "look" | "act", signal: AbortSignal, ms: number, work: (tab: Tab) => Promise<T>) => {
    if (kind === "act") isTouched = true;
    const late = () => (kind === "act" ? unsure(ms) : notCaptured(`no answer within ${ms / 1000} s`));
    let tab: Tab | null = null;
    const inTab = async (): Promise<T> => {
      tab = await tabs.front();
      if (tab === null) throw gone();
      const done = await work(tab);
      at = tab.page.url();
      return done;
    };
    try {
      return await bounded(inTab, { signal, ms, late });
    } catch (error) {
      if (error instanceof PawlError) throw error;
      const isGone = !browser.isConnected() || (tab as Tab | null)?.page.isClosed();
      if (isGone) throw gone();
      throw kind === "act" ? refused(error) : notCaptured(error instanceof Error ? error.message : String(error));
    }
  };
  const act = (signal: AbortSignal, work: (tab: Tab) => Promise<unknown>, ms = 0): Promise<void> =>
    call("act", signal, answerMs + ms, async (tab) => void (await work(tab)));
  return {
    target,
    abilities: { tree: true, recent: false, reconnects: true },
    capture: (signal) =>
      call("look", signal, answerMs, async (tab) => {
        if (isTouched) await painted(tab);
        const frame = await picture(tab.cdp);
        isTouched = false;
        return frame;
      }),
    tree: (frame, signal) => call("look", signal, answerMs, ({ cdp }) => treeOf(cdp, frame)).catch(nothing(signal)),
    tap: (point, frame, signal) => act(signal, async ({ cdp }) => tap(cdp, await placeOf(cdp, point, frame))),
    doubleTap: (point, frame, signal) =>
      act(signal, async ({ cdp }) => {
        const place = await placeOf(cdp, point, frame);
        await tap(cdp, place);
        await tap(cdp, place);
      }),
    longPress: (point, ms, frame, signal) =>
      act(signal, async ({ cdp }) => press(cdp, await placeOf(cdp, point, frame), ms, signal), ms),
    swipe: (from, to, ms, frame, signal) =>
      act(
        signal,
        async ({ cdp }) => {
          const [start, end] = [await placeOf(cdp, from, frame), await placeOf(cdp, to, frame)];
          await swipe(cdp, { from: start, to: end, ms }, signal);
        },
        ms,
      ),
    type: (text, signal) => act(signal, (tab) => insertText(tab, text)),
    back: (signal) => act(signal, (tab) => back(tab, tabs)),
    home: (signal) => act(signal, (tab) => goTo(tab, address)),
    recent: async () => {
      throw new PawlError("SCREEN_REFUSED", "a browser has no list of recent apps", { next: "use home or open." });
    },
    enter: (signal) => act(signal, ({ page }) => page.keyboard.press("Enter")),
    open: (app, signal) => act(signal, (tab) => goTo(tab, addressOfApp(app))),
    state: async () => stateOf(browser, (await tabs.front()) !== null),
    async reconnect(withinMs, signal) {
      if (!browser.isConnected()) return stateOf(browser, false);
      if ((await tabs.front()) !== null) return { kind: "ready" };
      const late = (): PawlError => notCaptured("it did not open in time");
      const again = async (): Promise<BridgeState> => {
        await goTo(await tabs.open(), at);
        isTouched = true;
        return { kind: "ready" };
      };
      return bounded(again, { signal, ms: withinMs, late }).catch((error) => {
        if (signal.aborted) throw error;
        return { kind: "gone", advice: `the page was closed, and ${error.message}` };
      });
    },
    close,
  };
}

const stateOf = (browser: Browser, hasPage: boolean): BridgeState => {
  if (!browser.isConnected()) return { kind: "gone", advice: "the browser has ended; start the run again" };
  return hasPage ? { kind: "ready" } : { kind: "gone", advice: "the page was closed" };
};

/** Two frames later what was done is on the screen. A page that does not paint, being busy or not in front, is not waited for. */
async function painted({ page }: Tab): Promise<void> {
  const frames = page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))",
  );
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise((resolve) => {
    timer = setTimeout(resolve, PAINT_MS);
  });
  await Promise.race([frames.catch(() => null), enough]);
  clearTimeout(timer);
}
const PAINT_MS = 500;

const nothing =
  (signal: AbortSignal) =>
  (error: unknown): null => {
    if (signal.aborted || (error instanceof PawlError && error.code === "SCREEN_GONE")) throw error;
    return null;
  };
const notCaptured = (why: string): PawlError =>
  new PawlError("CAPTURE_FAILED", `no picture of the screen: ${why}`, { next: "try again.", retryable: true });
const refused = (error: unknown): PawlError =>
  new PawlError("SCREEN_REFUSED", error instanceof Error ? error.message.split("\n")[0]! : String(error), {
    next: "look at the screen again.",
    cause: error,
  });
const unsure = (ms: number): PawlError =>
  new PawlError("SCREEN_UNSURE", `no answer within ${ms / 1000} s: it may have happened`, {
    next: "look at the screen.",
  });
