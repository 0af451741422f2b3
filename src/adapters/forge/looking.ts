import type { BranchState } from "../../domain/input.ts";
import type { Commit, TaskId } from "../../domain/names.ts";
import type { Change } from "../../domain/task.ts";
import type { Batch, BranchQuestion } from "../../ports/forge.ts";
import { bringHome } from "./candidate.ts";
import { changeOf } from "./change.ts";
import { type FarRefs, listFar, parseRefs } from "./far-refs.ts";
import { mergedByHand, mergedHeads } from "./merged-by-hand.ts";
import { type Held, isOpen, pullOf } from "./pulls.ts";
import type { Hands } from "./refs.ts";

export interface Seen {
  readonly task: TaskId;
  readonly branch: BranchState;
}

/** What is kept from look to look; all of it can be found again. */
interface Memory {
  /** question -> what it was answered from, and the answer */
  readonly answers: Map<string, { readonly from: string; readonly branch: BranchState }>;
  /** `head base` -> what it brings */
  readonly changes: Map<string, Change>;
  /** where each branch was last, for when it is gone */
  readonly heads: Map<string, Commit>;
}

/**
 * Looks at many branches. An unchanged list of refs costs one process of git; after a change only what stands on the
 * refs that moved is read anew.
 */
export function createLook(): (hands: Hands, questions: readonly BranchQuestion[]) => Promise<Batch<Seen>> {
  const memory: Memory = { answers: new Map(), changes: new Map(), heads: new Map() };
  let listed: string | null = null;
  let far: FarRefs = { tips: new Map(), pulls: [], highest: 0 };

  return async (hands, questions) => {
    const listing = await listFar(hands);
    if (listing !== listed) {
      far = await parseRefs(hands, listing);
      listed = listing;
    }
    const look: Look = { hands, far, memory, merged: new Map() };
    const seen: Seen[] = [];
    for (const question of questions) seen.push({ task: question.task, branch: await answer(look, question) });
    forget(memory, questions, far);
    return { seen, againAfterMs: 1_000 };
  };
}

interface Look {
  readonly hands: Hands;
  readonly far: FarRefs;
  readonly memory: Memory;
  /** base tip -> heads that it holds: asked once a look, and only where something moved */
  readonly merged: Map<Commit, Promise<ReadonlySet<Commit>>>;
}

const keyOf = ({ branch, base, pr }: BranchQuestion): string => JSON.stringify([branch, base, pr]);
const changeKey = (head: Commit, base: string): string => `${head} ${base}`;

/** A question that is asked no more, and a head where no branch is, need not be remembered. */
function forget({ answers, changes, heads }: Memory, questions: readonly BranchQuestion[], { tips }: FarRefs): void {
  const asked = new Set(questions.map(keyOf));
  const branches = new Set(questions.map(({ branch }) => branch));
  const live = new Set(
    questions.flatMap(({ branch, base }) => (tips.has(branch) ? changeKey(tips.get(branch)!, base) : [])),
  );
  for (const key of answers.keys()) if (!asked.has(key)) answers.delete(key);
  for (const key of heads.keys()) if (!branches.has(key)) heads.delete(key);
  for (const key of changes.keys()) if (!live.has(key)) changes.delete(key);
}

async function answer(look: Look, question: BranchQuestion): Promise<BranchState> {
  const { far, memory } = look;
  const head = far.tips.get(question.branch) ?? null;
  const tip = far.tips.get(question.base) ?? null;
  const one = pullFor(far.pulls, question, head);
  const from = `${head} ${tip} ${one?.blob}`;
  const known = memory.answers.get(keyOf(question));
  if (known?.from === from) return known.branch;
  if (head !== null) memory.heads.set(question.branch, head);
  const branch = await stateOf(look, question, { head, tip, one });
  memory.answers.set(keyOf(question), { from, branch });
  return branch;
}

/** By the task's URL; a task that knows of none yet is told of one that is open, or that merged this very head. */
function pullFor(pulls: readonly Held[], { pr, branch }: BranchQuestion, head: Commit | null): Held | null {
  if (pr !== null) return pullOf(pulls, { pr, branch });
  const counts = ({ pull }: Held) => isOpen(pull) || (pull.state === "merged" && pull.head === head);
  return pulls.findLast((one) => one.pull.branch === branch && counts(one)) ?? null;
}

interface There {
  readonly head: Commit | null;
  readonly tip: Commit | null;
  readonly one: Held | null;
}

async function stateOf(look: Look, question: BranchQuestion, there: There): Promise<BranchState> {
  const { head, tip, one } = there;
  const change = head === null || tip === null ? null : await keptChange(look, { head, tip, base: question.base });
  if (one === null) return { head, change, pr: question.pr === null ? "none" : "closed", merged: null };
  const { pull } = one;
  // merged with another head: what the branch holds now is not in it
  if (pull.state === "merged" && head !== null && pull.head !== head)
    return { head, change, pr: "closed", merged: null };
  if (!isOpen(pull)) return { head, change, pr: pull.state, merged: pull.merged };
  const merged = tip === null ? null : await byHand(look, question, { head, tip, opened: pull.head });
  return { head, change, pr: merged === null ? pull.state : "merged", merged };
}

/** Counted from where the head left the base, so that it stays when the base goes on. */
async function keptChange(
  { hands, memory }: Look,
  { head, tip, base }: { head: Commit; tip: Commit; base: string },
): Promise<Change> {
  const known = memory.changes.get(changeKey(head, base));
  if (known !== undefined) return known;
  // what somebody pushed may be at the far end alone; then it is counted there
  await bringHome(hands, { [base]: tip }).catch(() => undefined);
  const change = await changeOf(hands, tip, head);
  memory.changes.set(changeKey(head, base), change);
  return change;
}

async function byHand(
  { hands, memory, merged }: Look,
  { branch }: BranchQuestion,
  { head, tip, opened }: { head: Commit | null; tip: Commit; opened: Commit },
): Promise<Commit | null> {
  if (head !== null) {
    const heads = merged.get(tip) ?? mergedHeads(hands, tip);
    merged.set(tip, heads);
    if (!(await heads).has(head)) return null;
  }
  return mergedByHand(hands, { opened, last: head ?? memory.heads.get(branch) ?? opened, tip });
}
