import { PawlError } from "../../../domain/errors.ts";
import type { Tab, Tabs } from "./tabs.ts";

/** Opens an address, and waits until it can be seen, not until its last picture is there. */
export async function goTo(tab: Tab, address: string): Promise<void> {
  const { page, cdp } = tab;
  try {
    await page.goto(address, { waitUntil: "domcontentloaded", timeout: OPEN_MS });
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    throw new PawlError("SCREEN_REFUSED", `${address} cannot be opened: ${why}`, {
      next: "see whether its server answers.",
      cause: error,
    });
  }
  if (!tab.isOpened) tab.first = (await cdp.send("Page.getNavigationHistory")).currentIndex;
  tab.isOpened = true;
}
const OPEN_MS = 15_000;

/** One page back; from the first page of one that another had opened, to that other; from the first of all, nowhere. */
export async function back({ page, cdp, first }: Tab, tabs: Tabs): Promise<void> {
  const { currentIndex, entries } = await cdp.send("Page.getNavigationHistory");
  const before = entries[currentIndex - 1];
  if (currentIndex <= first || before === undefined) return void (await tabs.leave());
  const loaded = page.waitForEvent("domcontentloaded", { timeout: BACK_MS }).catch(() => null);
  await cdp.send("Page.navigateToHistoryEntry", { entryId: before.id });
  // Within one document nothing is loaded; the settle time is the caller's.
  if (new URL(before.url).href.split("#")[0] !== page.url().split("#")[0]) await loaded;
}
const BACK_MS = 2_000;
