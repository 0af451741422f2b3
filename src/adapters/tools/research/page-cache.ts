import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "./page.ts";

/** Pages as they were fetched, a file each; all of it may be deleted at any time. */
export interface PageCache {
  /** not older than a day */
  get(url: string, now: number): Page | null;
  put(page: Page): void;
}

const FRESH_MS = 24 * 3_600_000;
const MOST_PAGES = 300;

/** `folder`: absolute; made where it is not there. */
export function pageCache(folder: string): PageCache {
  const fileOf = (url: string) => join(folder, `${createHash("sha256").update(url).digest("hex").slice(0, 40)}.json`);
  return {
    get(url, now) {
      const page = pageIn(fileOf(url));
      return page?.url === url && now - page.at < FRESH_MS && page.at <= now ? page : null;
    },
    put(page) {
      mkdirSync(folder, { recursive: true });
      const made = join(folder, `.${randomUUID()}.tmp`);
      writeFileSync(made, JSON.stringify(page));
      renameSync(made, fileOf(page.url));
      prune(folder);
    },
  };
}

function pageIn(file: string): Page | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Page;
  } catch {
    return null;
  }
}

/** The oldest go first. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST_PAGES) return;
  const aged = names.map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  for (const { path } of aged.sort((a, b) => a.at - b.at).slice(0, names.length - MOST_PAGES))
    rmSync(path, { force: true });
}
