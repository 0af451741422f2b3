import { findBrowser } from "../../../src/adapters/bridges/browser/find-browser.ts";
import { suiteNeeding } from "../../support/needs.ts";

/** The browser of this machine; null: there is none. */
const browserHere = ((): string | null => {
  try {
    return findBrowser(process.env);
  } catch {
    return null;
  }
})();

/** A suite that a browser is started for; where none is, one test says what is missing. */
export function withBrowser(title: string, suite: (executable: string) => void): void {
  const works = browserHere !== null;
  suiteNeeding({ program: "chromium", debianPackage: "chromium", works }, title, () => suite(browserHere!));
}
