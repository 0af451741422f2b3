import { isServer, openStore } from "../adapters/store/index.ts";
import type { Inbox } from "../ports/inbox.ts";
import type { Settings } from "../ports/settings.ts";
import type { Store } from "../ports/store.ts";
import type { Git } from "../ports/system.ts";
import { hasRuns, isNew, lostOnServer, lostStore } from "./lost-store.ts";

/**
 * The store of these settings, made where there is none: but not where runs of an earlier one lie (STORE_MISSING), which
 * an empty one would do again. On a server it is looked at that it is this repository's (STORE_FOREIGN).
 */
export async function openStoreOf(settings: Settings, git: Git): Promise<Store & Inbox> {
  const lost = lostStore(settings);
  if (lost) throw lost;
  if (!isServer(settings.store)) return openStore(settings.store, { create: true });
  const create = !hasRuns(settings);
  try {
    return await openStore(settings.store, { create, project: await projectOf(settings, git) });
  } catch (error) {
    throw !create && isNew(error) ? lostOnServer(settings) : error;
  }
}

/** The commit that the base begins with is in every clone, also in one whose base was merged with another history. */
async function projectOf({ repo, base }: Settings, git: Git) {
  const { stdout } = await git.run(["rev-list", "--max-parents=0", "--first-parent", base], { cwd: repo });
  const has = async (commit: string): Promise<boolean> =>
    (await git.run(["cat-file", "-e", `${commit}^{commit}`], { cwd: repo })).code === 0;
  return { commit: stdout.trim().split("\n").at(-1)!, has };
}
