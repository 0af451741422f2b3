import type { BrowserContext, CDPSession, Page } from "playwright-core";

/** A page, and what speaks to it. */
export interface Tab {
  readonly page: Page;
  readonly cdp: CDPSession;
  /** the entry of its history that it began with: back goes no further */
  first: number;
  /** an address was opened in it by us */
  isOpened: boolean;
}

/** The pages that are open, the newest in front, as on a phone. */
export interface Tabs {
  /** the one in front; null: all are closed */
  front(): Promise<Tab | null>;
  /** a new one in front */
  open(): Promise<Tab>;
  /** closes the one in front, where another is behind it */
  leave(): Promise<boolean>;
}

export function tabsOf(context: BrowserContext): Tabs {
  const tabs = new Map<Page, Tab>();
  const open = (): Page | undefined => context.pages().findLast((page) => !page.isClosed());
  const tabOf = async (page: Page): Promise<Tab> => {
    const known = tabs.get(page);
    if (known) return known;
    const cdp = await context.newCDPSession(page);
    const { currentIndex } = await cdp.send("Page.getNavigationHistory");
    const tab: Tab = { page, cdp, first: currentIndex, isOpened: false };
    tabs.set(page, tab);
    page.once("close", () => tabs.delete(page));
    return tab;
  };
  return {
    async front() {
      const page = open();
      return page ? tabOf(page) : null;
    },
    open: async () => tabOf(await context.newPage()),
    async leave() {
      const others = context.pages().filter((page) => !page.isClosed());
      if (others.length < 2) return false;
      await others.at(-1)!.close();
      await others.at(-2)!.bringToFront();
      return true;
    },
  };
}
