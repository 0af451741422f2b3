import type { Ms } from "../../domain/names.ts";
import { type Checkout, exclusive, mustGit, runGit } from "./checkout.ts";
import { headOf } from "./head.ts";
import { type Pushed, readPorcelain } from "./porcelain.ts";
import { noCommits, rebaseAlone } from "./rebase.ts";
import { type GitRefusal, refused, saidBy } from "./refused.ts";

export interface PushOrder {
  /** default origin */
  readonly remote?: string;
  /** the branch there; default: the one that HEAD is on */
  readonly branch?: string;
  /** asked after each rebase, which makes a state that nobody has tested; false: it goes to a branch of its own */
  readonly isGood?: (commit: string) => Promise<boolean>;
  readonly timeoutMs?: Ms;
}

export type PushOutcome =
  | { readonly kind: "pushed"; readonly branch: string; readonly commit: string; readonly rebases: number }
  /** to a fresh branch, because it did not fit on the one that was meant */
  | { readonly kind: "pushed-aside"; readonly branch: string; readonly commit: string; readonly why: string }
  | GitRefusal;

/** How often somebody else may have been quicker. */
const REBASES = 2;

/**
 * Brings HEAD to a branch of a remote, never by force. Where others pushed meanwhile, our commits go on top of theirs, at
 * most twice; where that meets a conflict they go to a branch of their own. No commit is lost on any way.
 */
export const push = (on: Checkout, order: PushOrder = {}): Promise<PushOutcome> =>
  exclusive(on, async () => {
    const head = await headOf(on);
    if (head.commit === null) return noCommits(on);
    const branch = order.branch ?? head.branch;
    if (branch === null) return detached(on);
    const way: Way = { on, order, branch, remote: order.remote ?? "origin" };
    for (let rebases = 0; ; rebases++) {
      const tried = await pushOnce(way, branch);
      const commit = (await headOf(on)).commit!;
      if (tried.kind === "taken") return { kind: "pushed", branch, commit, rebases };
      if (tried.kind !== "behind") return tried.kind === "refused" ? tried : declined(tried.why);
      if (rebases === REBASES) return aside(way, `somebody else was quicker ${REBASES + 1} times`);
      const why = await catchUp(way);
      if (why !== null) return aside(way, why);
    }
  });

interface Way {
  readonly on: Checkout;
  readonly order: PushOrder;
  readonly branch: string;
  readonly remote: string;
}

async function pushOnce({ on, remote, order }: Way, branch: string): Promise<Pushed | GitRefusal> {
  const to = `refs/heads/${branch}`;
  const flags = ["--porcelain", "--no-follow-tags", "--no-force-with-lease", "--recurse-submodules=no"];
  const args = ["push", ...flags, "--end-of-options", remote, `HEAD:${to}`];
  const result = await runGit(on, args, order.timeoutMs === undefined ? {} : { timeoutMs: order.timeoutMs });
  return readPorcelain(result.stdout, to) ?? unreached(remote, saidBy(result));
}

/** Our commits on top of theirs; else why not, and all is as it was. */
async function catchUp({ on, remote, branch, order }: Way): Promise<string | null> {
  const from = ["fetch", "--quiet", "--no-tags", "--end-of-options", remote, `refs/heads/${branch}`];
  await mustGit(on, from);
  const done = await rebaseAlone(on, "FETCH_HEAD");
  if (done.kind === "conflict") return `it conflicts with what is there now: ${done.paths.join(", ")}`;
  if (done.kind === "refused") return done.message;
  if (order.isGood && !(await order.isGood(done.commit)))
    return "on top of what is there now it does not pass any more";
  return null;
}

/** Named after its commit: nobody else has that name, and done again it is the same. */
async function aside(way: Way, why: string): Promise<PushOutcome> {
  const commit = (await headOf(way.on)).commit!;
  const branch = `${way.branch}-${commit.slice(0, 12)}`;
  const tried = await pushOnce(way, branch);
  if (tried.kind === "taken") return { kind: "pushed-aside", branch, commit, why };
  return tried.kind === "refused" ? tried : declined(`${why}; and ${branch}: ${tried.why}`);
}

/** Whether a remote can be read without asking anybody: better known before the work than after. null: it can. */
export async function remoteFault(on: Checkout, remote = "origin", timeoutMs = 30_000): Promise<GitRefusal | null> {
  const result = await runGit(on, ["ls-remote", "--quiet", "--heads", "--end-of-options", remote], { timeoutMs });
  return result.code === 0 ? null : unreached(remote, saidBy(result));
}

const unreached = (remote: string, said: string): GitRefusal =>
  refused({
    code: "REMOTE_UNREACHABLE",
    message: `nothing came to ${remote}: ${said}`,
    next: "see whether it can be reached with no question asked, and what a pre-push hook says",
  });

const declined = (why: string): GitRefusal =>
  refused({
    code: "PUSH_DECLINED",
    message: `the remote did not take it: ${why}`,
    next: "do what it asks; nothing is lost, and nothing is forced",
  });

const detached = (on: Checkout): GitRefusal =>
  refused({
    code: "DETACHED_HEAD",
    message: `HEAD is on no branch in ${on.top}, so nothing says where its commits belong`,
    next: "start a branch there, or name the one to push to",
  });
