import type { BranchState } from "../../domain/input.ts";
import type { Commit, TaskId } from "../../domain/names.ts";
import type { Change } from "../../domain/task.ts";
import type { Batch, BranchQuestion } from "../../ports/forge.ts";
import { bringHome } from "./candidate.ts";
import { changeOf } from "./change.ts";
import { type FarRefs, listFar, parseRefs } from "./far-refs.ts";
import { type Held, isOpen, pullOf } from "./pulls.ts";
import { atFar, farHas, type Hands, isBefore, output } from "./refs.ts";

export interface Seen {
  readonly task: TaskId;
  readonly branch: BranchState;
}

/**
 * Looks at many branches. What it saw is kept: an unchanged list of refs costs one process of git, a changed one reads
 * only what changed.
 */
export function createLook(): (hands: Hands, questions: readonly BranchQuestion[]) => Promise<Batch<Seen>> {
  let listed = "";
  let refs: FarRefs = { tips: new Map(), pulls: [], highest: 0 };
  const answers = new Map<string, BranchState>();
  const changes = new Map<string, Change>();
  const heads = new Map<string, Commit>();

  return async (hands, questions) => {
    const listing = await listFar(hands);
    if (listing !== listed) {
      answers.clear();
      refs = await parseRefs(hands, listing);
      listed = listing;
    }
    const seen: Seen[] = [];
    for (const question of questions) {
      const key = JSON.stringify([question.branch, question.base, question.pr]);
      const branch = answers.get(key) ?? (await look(hands, refs, question, { changes, heads }));
      answers.set(key, branch);
      seen.push({ task: question.task, branch });
    }
    forget(changes, refs.tips);
    return { seen, againAfterMs: 1_000 };
  };
}

/** A change is worth keeping as long as some branch is at its head. */
function forget(changes: Map<string, Change>, tips: ReadonlyMap<string, Commit>): void {
  const live = new Set<string>(tips.values());
  for (const key of changes.keys()) if (!live.has(key.split(" ")[0]!)) changes.delete(key);
}

interface Kept {
  readonly changes: Map<string, Change>;
  /** where each branch was last, for when it is gone */
  readonly heads: Map<string, Commit>;
}

async function look(hands: Hands, refs: FarRefs, question: BranchQuestion, kept: Kept): Promise<BranchState> {
  const { branch, base } = question;
  const head = refs.tips.get(branch) ?? null;
  const tip = refs.tips.get(base) ?? null;
  if (head !== null) kept.heads.set(branch, head);
  const one = pullFor(refs.pulls, question, head);
  const change = head === null || tip === null ? null : await keptChange(hands, kept, { head, base, tip });
  if (one === null) return { head, change, pr: question.pr === null ? "none" : "closed", merged: null };
  if (!isOpen(one.pull)) return { head, change, pr: one.pull.state, merged: one.pull.merged };
  const last = head ?? kept.heads.get(branch) ?? one.pull.head;
  const merged = tip === null ? null : await mergedByHand(hands, { opened: one.pull.head, last, tip });
  return { head, change, pr: merged === null ? one.pull.state : "merged", merged };
}

/** By the task's URL; a task that knows of none yet is told of one that is open, or that merged this very head. */
function pullFor(pulls: readonly Held[], { pr, branch }: BranchQuestion, head: Commit | null): Held | null {
  if (pr !== null) return pullOf(pulls, { pr, branch });
  const counts = ({ pull }: Held) => isOpen(pull) || (pull.state === "merged" && pull.head === head);
  return pulls.findLast((one) => one.pull.branch === branch && counts(one)) ?? null;
}

/** Counted from where the head left the base, so that it stays when the base goes on. */
async function keptChange(
  hands: Hands,
  { changes }: Kept,
  { head, base, tip }: { head: Commit; base: string; tip: Commit },
): Promise<Change> {
  const key = `${head} ${base}`;
  const known = changes.get(key);
  if (known !== undefined) return known;
  // what somebody pushed may be at the far end alone; then it is counted there
  await bringHome(hands, { [base]: tip }).catch(() => undefined);
  const change = await changeOf(hands, tip, head);
  changes.set(key, change);
  return change;
}

/**
 * The commit of the base with which a plain `git merge` brought the branch in; null: it is not in. The head that the
 * pull request was opened with was ahead of the base then, so a branch that was only set back does not count.
 */
async function mergedByHand(
  hands: Hands,
  { opened, last, tip }: { opened: Commit; last: Commit; tip: Commit },
): Promise<Commit | null> {
  if (!(await farHas(hands, opened)) || !(await farHas(hands, last))) return null;
  if (!(await isBefore(hands, last, tip)) || !(await isBefore(hands, opened, tip))) return null;
  const args = ["rev-list", "--first-parent", "--ancestry-path", "--parents", `${last}..${tip}`, "--"];
  const rows = (await output(atFar(hands, args), "find the merge")).trim().split("\n");
  const [oldest = "", parent] = rows.at(-1)!.split(" ");
  return oldest === "" || parent === last ? last : (oldest as Commit);
}

/** Which of these commits a branch of the far end holds now. */
export async function contained(hands: Hands, base: string, commits: readonly Commit[]): Promise<ReadonlySet<Commit>> {
  const asked = [...new Set(commits)].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
  if (asked.length === 0) return new Set();
  const there = await existing(hands, asked);
  const input = `${there.join("\n")}\n^refs/heads/${base}\n`;
  const tips = await atFar(hands, ["rev-parse", "--verify", "--quiet", `refs/heads/${base}`]);
  if (tips.code === 1 || there.length === 0) return new Set();
  const outside = await output(atFar(hands, ["rev-list", "--stdin"], { input }), `compare commits with ${base}`);
  const missing = new Set(outside.split("\n"));
  return new Set(there.filter((commit) => !missing.has(commit)));
}

async function existing(hands: Hands, commits: readonly Commit[]): Promise<readonly Commit[]> {
  const input = `${commits.join("\n")}\n`;
  const args = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const lines = (await output(atFar(hands, args, { input }), "look for commits")).split("\n");
  const there = new Set(lines.filter((line) => line.endsWith(" commit")).map((line) => line.split(" ")[0]));
  return commits.filter((commit) => there.has(commit));
}
