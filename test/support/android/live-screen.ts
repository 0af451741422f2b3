import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { Size } from "./phone.ts";

/** What a phone shows instead of the apps drawn in code: a page in a real browser, as a WebView would. */
export interface LiveScreen {
  png(): Promise<Buffer>;
  /** a finger goes down, moves there in so long, and goes up; it is taken away early when `gone` aborts */
  touch(from: readonly [number, number], to: readonly [number, number], ms: number, gone: AbortSignal): Promise<void>;
  /** into what has the focus */
  text(text: string): Promise<void>;
  key(key: string): Promise<void>;
  /** the page's first address again */
  open(): Promise<void>;
  /** as `uiautomator dump` tells of a WebView */
  hierarchy(): Promise<string>;
  readonly page: Page;
  close(): Promise<void>;
}

/** One pixel of the page is one of the phone's, so that touches and pictures are of one size. */
export async function liveScreen(browser: Browser, url: string, size: Size): Promise<LiveScreen> {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: 1, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.goto(url);
  return screenOf(context, page, await context.newCDPSession(page), url);
}

function screenOf(context: BrowserContext, page: Page, cdp: CDPSession, url: string): LiveScreen {
  const finger = (type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", at?: readonly number[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [{ x: at[0]!, y: at[1]! }] : [] });
  return {
    page,
    png: () => page.screenshot({ caret: "hide" }),
    async touch(from, to, ms, gone) {
      await finger("touchStart", from);
      const moves = from[0] === to[0] && from[1] === to[1] ? 0 : Math.max(2, Math.ceil(ms / STEP_MS));
      if (moves === 0) await pause(ms, undefined, { signal: gone }).catch(() => {});
      for (let i = 1; i <= moves && !gone.aborted; i++) {
        await pause(ms / moves, undefined, { signal: gone }).catch(() => {});
        await finger(
          "touchMove",
          [0, 1].map((axis) => from[axis]! + ((to[axis]! - from[axis]!) * i) / moves),
        );
      }
      const isHeld = moves === 0 && ms >= HOLD_MS && !gone.aborted;
      await finger(gone.aborted || isHeld ? "touchCancel" : "touchEnd");
      // touches of the protocol never become a long press; what a page sees of one is that its menu is asked for
      if (isHeld) await page.mouse.click(...from, { button: "right" });
    },
    text: (text) => page.keyboard.insertText(text),
    async key(key) {
      if (key === "KEYCODE_ENTER") await page.keyboard.press("Enter");
      else if (key === "KEYCODE_BACK") await page.goBack();
      else if (key === "KEYCODE_HOME") await page.goto("about:blank");
    },
    open: async () => void (await page.goto(url)),
    hierarchy: async () =>
      `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${await page.evaluate<string>(DUMP)}</hierarchy>`,
    close: () => context.close(),
  };
}
const STEP_MS = 16;
const HOLD_MS = 500;

/** Runs in the page: nodes for what shows text or takes touches, under one for the WebView. */
const DUMP = `(() => {
  const quoted = (text) => text.replace(/[&<>"\\n]/g, (sign) => "&#" + sign.charCodeAt(0) + ";");
  const node = (of, children = "") => {
    const attributes = Object.entries(of).map(([name, value]) => name + '="' + quoted(String(value)) + '"').join(" ");
    return "<node " + attributes + (children ? ">" + children + "</node>" : " />");
  };
  const box = ({ left, top, right, bottom }) =>
    "[" + [left, top].map(Math.round) + "][" + [right, bottom].map(Math.round) + "]";
  const shows = (element) => {
    const own = [...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== "");
    const { width, height, top, bottom } = element.getBoundingClientRect();
    return (own || element.matches("input, textarea, button, a")) && width * height > 0 && bottom > 0 && top < innerHeight;
  };
  const nodes = [...document.body.querySelectorAll("*:not(script, style)")].filter(shows).map((element, index) => {
    const isField = element.matches("input, textarea");
    return node({
      index,
      text: isField ? element.value : element.textContent.trim(),
      "resource-id": element.id,
      class: "android." + (isField ? "widget.EditText" : element.matches("button") ? "widget.Button" : "view.View"),
      "content-desc": element.getAttribute("aria-label") ?? "",
      clickable: isField || element.matches("button, a") || element.onclick !== null,
      focused: document.activeElement === element,
      bounds: box(element.getBoundingClientRect()),
    });
  });
  const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return node({ index: 0, class: "android.webkit.WebView", text: document.title, bounds: box(whole) }, nodes.join(""));
})()`;
