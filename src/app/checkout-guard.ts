import { lstatSync } from "node:fs";
import { join } from "node:path";
import { fileLocks } from "../adapters/store/file-lock.ts";
import { copyFile } from "../adapters/system/copy-file.ts";
import { systemFiles } from "../adapters/system/files.ts";
import { busyGit } from "../adapters/system/git.ts";
import { WORKER_ENV } from "../protocol/run-folder.ts";
import { type Checkout, openCheckout } from "../workspace/git/checkout.ts";
import { openShadow, type Shadow } from "../workspace/git/shadow.ts";
import { prepareState } from "./config/state-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What a guard of the checkout that a folder is in needs; close the shadow. */
export interface CheckoutGuard {
  readonly on: Checkout;
  readonly shadow: Shadow;
  readonly quarantineDir: string;
}

/** `isOurs`: Pawl made it for its own work. Throws REPO_MISSING, REPO_BARE, GIT_UNWRITABLE. */
export async function guardOf(folder: string, of: { isOurs: boolean; env: Env }): Promise<CheckoutGuard> {
  const on = await openCheckout({ git: busyGit(), files: systemFiles(), folder, isOurs: of.isOurs });
  const shadow = openShadow(on, { copy: copyFile, lock: fileLocks() });
  return { on, shadow, quarantineDir: quarantineFor(on.top, of.env) };
}

/** In a worker that of its run, where all of the run lies; else, or where that is on another disk, one that the checkout ignores. */
function quarantineFor(top: string, env: Env): string {
  const run = env[WORKER_ENV.runDir];
  const disk = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.dev;
  if (run !== undefined && disk(run) === disk(top)) return join(run, "quarantine");
  return join(prepareState(join(top, ".pawl")), "quarantine");
}
