import { onTestFinished } from "vitest";
import { systemFiles } from "../../src/adapters/system/files.ts";
import { type Checkout, openCheckout } from "../../src/workspace/git/checkout.ts";
import { testGit } from "./test-git.ts";

/** The checkout that a folder is in; `isOurs`: as if Pawl had made it. */
export function checkoutIn(folder: string, isOurs = false): Promise<Checkout> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return openCheckout({ git: testGit(), files: systemFiles(), folder, isOurs, signal: stop.signal });
}
