import { BY_NAME, type Checkout, exclusive, mustGit, named } from "../git/checkout.ts";
import { pathsOf } from "../git/diff.ts";
import { headOf, unfinished } from "../git/head.ts";
import { type GitRefusal, refused } from "../git/refused.ts";
import type { Shadow } from "../git/shadow.ts";
import { lastGreen, type Snapshot, takeSnapshot } from "../git/snapshot.ts";
import { type Moved, quarantine } from "./quarantine.ts";

export interface RollbackOrder {
  readonly shadow: Shadow;
  /** the paths that we wrote since: nothing else is touched */
  readonly written: Iterable<string>;
  readonly quarantineDir: string;
}

export type RollbackOutcome =
  | {
      readonly kind: "rolled-back";
      readonly putBack: readonly string[];
      readonly quarantined: readonly Moved[];
      /** null: the branch is at the green commit; else why it stays where it is */
      readonly branchStays: string | null;
      /** how all was just before: nothing is lost by going back */
      readonly snapshot: Snapshot;
    }
  | GitRefusal;

/**
 * Takes the paths that we wrote back to how they were when `markGreen` was last called, new files too; and the branch, where
 * the checkout is ours and the commits since hold nothing else and are at no remote.
 */
export async function rollback({ shadow, written, quarantineDir }: RollbackOrder): Promise<RollbackOutcome> {
  const { on } = shadow;
  const barred = unfinished(on);
  if (barred) return barred;
  const green = await lastGreen(on);
  if (green === null) return noGreen(on);
  const mine = new Set(written);
  const snapshot = await takeSnapshot(shadow, `before-rollback/${crypto.randomUUID()}`);
  const changes = (await shadow.changes(green, snapshot)).filter(({ path }) => mine.has(path));
  const made = changes.filter(({ how }) => how === "made");
  const quarantined = made.map(({ path }) => quarantine(on.files, { top: on.top, dir: quarantineDir, path }));
  const putBack = changes.filter(({ how }) => how === "changed" || how === "gone").map(({ path }) => path);
  await shadow.putBack(green, putBack);
  const branchStays = await exclusive(on, () => branchBack(on, green, mine));
  return { kind: "rolled-back", putBack, quarantined, branchStays, snapshot };
}

/** The files are not touched: they are as they should be already. */
async function branchBack(on: Checkout, green: Snapshot, mine: ReadonlySet<string>): Promise<string | null> {
  const { commit: now } = await headOf(on);
  if (now === green.head) return null;
  if (now === null || green.head === null) return "it had no commit when it was green";
  if (!on.isOurs) return "the checkout is not one that Pawl made";
  const since = (...but: string[]) => mustGit(on, ["rev-list", "--count", now, `^${green.head}`, ...but]);
  if ((await since()) !== (await since("--not", "--remotes"))) return "commits since are at a remote already";
  const touched = await pathsOf(on, { of: "commits", from: green.head, to: now });
  const strange = touched.filter((path) => !mine.has(path));
  if (strange.length > 0) return `commits since hold what we did not write: ${strange.slice(0, 3).join(", ")}`;
  await mustGit(on, ["update-ref", "-m", "pawl: back to green", "HEAD", green.head, now]);
  if (touched.length > 0)
    await mustGit(on, ["restore", "--staged", `--source=${green.head}`, ...BY_NAME], { input: named(touched) });
  return null;
}

const noGreen = (on: Checkout): GitRefusal =>
  refused({
    code: "NO_GREEN",
    message: `nothing was ever marked green in ${on.top}`,
    next: "restore the paths that are meant from a commit",
  });
