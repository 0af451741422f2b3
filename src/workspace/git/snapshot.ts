import { createHash } from "node:crypto";
import { type Checkout, mustGit, runGit } from "./checkout.ts";
import { headOf } from "./head.ts";
import type { Shadow } from "./shadow.ts";

/** The files of a checkout, kept as a commit under a name of ours that no branch, push or gc touches. */
export interface Snapshot {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  /** where HEAD was; null: there was no commit yet */
  readonly head: string | null;
}

const WHO = {
  GIT_AUTHOR_NAME: "Pawl",
  GIT_AUTHOR_EMAIL: "pawl@localhost",
  GIT_COMMITTER_NAME: "Pawl",
  GIT_COMMITTER_EMAIL: "pawl@localhost",
};

/** `name` is used once: a snapshot is never written over. Throws GIT_FAILED. */
export const takeSnapshot = (shadow: Shadow, name: string): Promise<Snapshot> =>
  keep(shadow, `refs/pawl/snap/${name}`, name, true);

/** Remembers that all is well as it is now: where `rollback` goes back to. Durable; one per checkout. */
export const markGreen = (shadow: Shadow): Promise<Snapshot> => keep(shadow, greenRef(shadow.on), "green", false);

/** The last state that was marked green in this checkout; null: none was. */
export async function lastGreen(on: Checkout): Promise<Snapshot | null> {
  const ref = greenRef(on);
  const { code, stdout } = await runGit(on, [
    "show",
    "--no-patch",
    "--no-show-signature",
    "--format=%H%x00%T%x00%P",
    ref,
    "--",
  ]);
  if (code !== 0) return null;
  const [commit = "", tree = "", head = ""] = stdout.trim().split("\0");
  return { ref, commit, tree, head: head === "" ? null : head };
}

/** Lets go of a snapshot; one that is not there is gone already. */
export const dropSnapshot = (on: Checkout, name: string): Promise<string> =>
  mustGit(on, ["update-ref", "-d", `refs/pawl/snap/${name}`]);

export const snapshots = async (on: Checkout): Promise<readonly string[]> =>
  (await mustGit(on, ["for-each-ref", "--format=%(refname:lstrip=3)", "refs/pawl/snap"])).split("\n").filter(Boolean);

async function keep(shadow: Shadow, ref: string, name: string, isOnce: boolean): Promise<Snapshot> {
  const { on } = shadow;
  const [{ tree }, { commit: head }] = [await shadow.look(), await headOf(on)];
  const parent = head === null ? [] : ["-p", head];
  const commit = await mustGit(on, ["commit-tree", ...parent, "-m", `pawl: ${name}`, tree], { env: WHO });
  const only = isOnce ? ["0".repeat(commit.length)] : [];
  await mustGit(on, ["update-ref", ref, commit, ...only]);
  return { ref, commit, tree, head };
}

/** Refs are shared by all worktrees of a repository; what is green is a thing of one. */
const greenRef = ({ gitDir }: Checkout): string =>
  `refs/pawl/green/${createHash("sha256").update(gitDir).digest("hex").slice(0, 16)}`;
