import type { Browser, BrowserContext } from "playwright-core";
import { PawlError } from "../../../domain/errors.ts";
import { cancelled } from "./bounded.ts";

/** What the browser says it is: a phone of usual size, with fingers. CSS pixels. */
export const PHONE = {
  viewport: { width: 412, height: 915 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  userAgent:
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
} as const;

/**
 * Of several such lists a browser takes the last: this one repeats what the library leaves out for its own sake, and what
 * calls home. Resampling guesses where a finger is between two moves, so that no two swipes scroll alike.
 */
const FEATURES_OFF = [
  "ResamplingScrollEvents",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Nothing that calls home, nothing that waits for a screen that is not there. */
const ARGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${FEATURES_OFF.join(",")}`,
];

/** A profile of its own, like a new phone. */
export async function phoneIn(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext(PHONE);
  await context.addInitScript(STILL_CARET);
  return context;
}

/**
 * Starts a browser of our own, with `more` arguments; not where it is aborted while its library is loaded, which is only
 * now and takes a while. Throws BROWSER_FAILED, CANCELLED.
 */
export async function launch(
  executablePath: string,
  { more = [], signal }: { readonly more?: readonly string[]; readonly signal?: AbortSignal | undefined } = {},
): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  if (signal?.aborted) throw cancelled();
  try {
    return await chromium.launch({
      executablePath,
      args: [...ARGS, ...more],
      // A root's Chromium starts only without its sandbox.
      chromiumSandbox: process.getuid?.() !== 0,
      // Signals are the caller's: the library would end this process.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new PawlError("BROWSER_FAILED", `${executablePath} does not start: ${message}`, {
      next: "start it by hand with --headless to see why.",
      cause: error,
    });
  }
}
const START_MS = 60_000;

/** A caret that blinks makes two pictures of one screen. */
const STILL_CARET = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { caret-color: transparent !important; }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}`;
