import type { Scope } from "../edit/locate.ts";
import type { Checkout } from "../git/checkout.ts";
import { type CommitOrder, type CommitOutcome, commit } from "../git/commit.ts";
import { type DiffRow, linesOf, patchOf, type Sides } from "../git/diff.ts";
import { type Head, headOf, startBranch } from "../git/head.ts";
import { type PushOrder, type PushOutcome, push, remoteFault } from "../git/push.ts";
import { type RebaseOutcome, rebase } from "../git/rebase.ts";
import { type GitRefusal, refused } from "../git/refused.ts";
import { type ResetOutcome, reset } from "../git/reset.ts";
import { type RestoreOrder, restore } from "../git/restore.ts";
import { type Staged, stage } from "../git/stage.ts";
import { asCommitted, type Changed, statusOf } from "../git/status.ts";
import { type TagOutcome, tag } from "../git/tag.ts";

/** Git in one checkout, by name and never by force. Paths outside the write scope are in no commit. */
export interface HandsGit {
  head(): Promise<Head>;
  startBranch(name: string): Promise<Head | GitRefusal>;
  status(): Promise<readonly Changed[]>;
  /** those of the paths that are as the last commit has them */
  asCommitted(paths: readonly string[]): Promise<readonly string[]>;
  /** a patch that `git apply` takes, one character per byte; no paths: all */
  diff(sides: Sides, paths?: readonly string[]): Promise<string>;
  lines(sides: Sides): Promise<readonly DiffRow[]>;
  stage(paths: readonly string[]): Promise<Staged | GitRefusal>;
  restore(order: RestoreOrder): Promise<readonly string[] | GitRefusal>;
  commit(order: CommitOrder): Promise<CommitOutcome>;
  rebase(onto: string): Promise<RebaseOutcome>;
  reset(to: string): Promise<ResetOutcome>;
  tag(name: string, commit?: string): Promise<TagOutcome>;
  push(order?: PushOrder): Promise<PushOutcome>;
  /** whether a remote can be reached without asking anybody; null: it can */
  remoteFault(remote?: string): Promise<GitRefusal | null>;
}

export const handsGit = (on: Checkout, scope: Scope): HandsGit => ({
  head: () => headOf(on),
  startBranch: (name) => startBranch(on, name),
  status: () => statusOf(on),
  asCommitted: (paths) => asCommitted(on, paths),
  diff: (sides, paths) => patchOf(on, sides, paths),
  lines: (sides) => linesOf(on, sides),
  stage: async (paths) => outside(scope, paths) ?? stage(on, paths),
  restore: async (order) => outside(scope, order.paths) ?? restore(on, order),
  commit: async (order) => outside(scope, order.paths) ?? commit(on, order),
  rebase: (onto) => rebase(on, onto),
  reset: (to) => reset(on, to),
  tag: (name, of) => tag(on, name, of),
  push: (order) => push(on, order),
  remoteFault: (remote) => remoteFault(on, remote),
});

function outside(scope: Scope, paths: readonly string[]): GitRefusal | null {
  const found = paths.filter((path) => scope(path) !== null);
  if (found.length === 0) return null;
  return refused({
    code: "OUT_OF_SCOPE",
    message: `${found.slice(0, 5).join(", ")}: ${scope(found[0]!)}`,
    next: "leave it out, or ask for a wider scope",
    paths: found,
  });
}
