import { existsSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../../domain/errors.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The browser of this machine: PAWL_BROWSER, else the first on the path. Throws BROWSER_MISSING. */
export function findBrowser(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.PAWL_BROWSER;
  if (named && !existsSync(named)) throw missing(`PAWL_BROWSER names ${named}, which is not there`);
  const found = named || browsersOn(env.PATH ?? "").find(existsSync);
  if (found) return found;
  throw missing("no Chromium and no Chrome is installed here");
}

const browsersOn = (path: string): readonly string[] => [
  ...path.split(":").flatMap((folder) => (folder === "" ? [] : NAMES.map((name) => join(folder, name)))),
  ...ELSEWHERE,
];

const missing = (what: string): PawlError =>
  new PawlError("BROWSER_MISSING", what, {
    next: "apt install chromium (Debian), or name one: PAWL_BROWSER=/path/to/chrome",
  });
