import type { BranchState } from "../../../domain/input.ts";
import type { Commit } from "../../../domain/names.ts";
import type { Change } from "../../../domain/task.ts";
import type { Batch, BranchQuestion } from "../../../ports/forge.ts";
import { changeOf } from "../change.ts";
import type { Seen } from "../looking.ts";
import { mergedByHand } from "../merged-by-hand.ts";
import { isBefore } from "../refs.ts";
import type { FarPull } from "./api.ts";
import { fetchTips, type Reach, readTips } from "./far-git.ts";
import { isOpen, numberIn } from "./pull-request.ts";

/** Looks at many branches: one question for their tips, one for the open pull requests, one for each that is over. */
export function createLook(): (reach: Reach, questions: readonly BranchQuestion[]) => Promise<Batch<Seen>> {
  /** `head base` -> what it brings */
  const changes = new Map<string, Change>();
  return async (reach, questions) => {
    const names = questions.flatMap(({ branch, base }) => [branch, base]);
    const tips = await readTips(reach, names);
    const open = await reach.api.openPulls(reach.hands.signal);
    const seen: Seen[] = [];
    for (const question of questions) {
      const pull = await pullFor(reach, question, { open, head: tips.get(question.branch) ?? null });
      seen.push({ task: question.task, branch: await stateOf(reach, question, { tips, pull, changes }) });
    }
    const live = new Set(questions.map(({ branch, base }) => changeKey(tips.get(branch), base)));
    for (const key of changes.keys()) if (!live.has(key)) changes.delete(key);
    return { seen, againAfterMs: reach.api.everyMs };
  };
}

const changeKey = (head: Commit | undefined, base: string): string => `${head} ${base}`;

/** By the task's URL; a task that knows of none yet is told of one that is open, or that merged this very head. */
async function pullFor(
  { api, pullUrl, hands }: Reach,
  { pr, branch }: BranchQuestion,
  { open, head }: { open: readonly FarPull[]; head: Commit | null },
): Promise<FarPull | null> {
  if (pr === null) {
    const one = open.findLast((pull) => pull.branch === branch);
    if (one !== undefined || head === null) return one ?? null;
    const all = await api.pullsOf(branch, hands.signal);
    return all.findLast((pull) => isOpen(pull) || (pull.state === "merged" && pull.head === head)) ?? null;
  }
  const number = numberIn(pr, pullUrl);
  const listed = open.find((pull) => pull.number === number);
  const pull = listed ?? (number === null ? null : await api.pull(number, hands.signal));
  return pull?.branch === branch ? pull : null;
}

interface There {
  readonly tips: ReadonlyMap<string, Commit>;
  readonly pull: FarPull | null;
  readonly changes: Map<string, Change>;
}

async function stateOf(reach: Reach, question: BranchQuestion, there: There): Promise<BranchState> {
  const { tips, pull } = there;
  const head = tips.get(question.branch) ?? null;
  const tip = tips.get(question.base) ?? null;
  await bring(reach, question, there);
  const change = head === null || tip === null ? null : await keptChange(reach, question, there);
  if (pull === null) return { head, change, pr: question.pr === null ? "none" : "closed", merged: null };
  // merged with another head: what the branch holds now is not in it
  if (pull.state === "merged" && head !== null && pull.head !== head)
    return { head, change, pr: "closed", merged: null };
  if (pull.state === "merged") return { head, change, pr: "merged", merged: await mergeOf(reach, pull, tip) };
  if (pull.state === "closed" || head === null || tip === null) return { head, change, pr: pull.state, merged: null };
  // its commits are on the base, and the forge has not noticed yet
  const merged = await mergedByHand(reach.hands, { opened: pull.head, last: head, tip });
  return { head, change, pr: merged === null ? pull.state : "merged", merged };
}

/** What cannot be fetched now is counted another time. */
async function bring(reach: Reach, { branch, base }: BranchQuestion, { tips }: There): Promise<void> {
  const wanted = [branch, base].flatMap((name) => (tips.has(name) ? [[name, tips.get(name)!] as const] : []));
  await fetchTips(reach, new Map(wanted), { track: base }).catch(() => undefined);
}

async function keptChange(
  { hands }: Reach,
  { branch, base }: BranchQuestion,
  { tips, changes }: There,
): Promise<Change | null> {
  const key = changeKey(tips.get(branch), base);
  const known = changes.get(key) ?? (await changeOf(hands, tips.get(base)!, tips.get(branch)!).catch(() => null));
  hands.signal.throwIfAborted();
  if (known !== null) changes.set(key, known);
  return known;
}

/** The commit that the forge names, if the base holds it; else the one by which its head came there. */
async function mergeOf({ hands }: Reach, pull: FarPull, tip: Commit | null): Promise<Commit | null> {
  if (tip === null || pull.merged === null) return pull.merged;
  if (await isBefore(hands, pull.merged, tip).catch(() => false)) return pull.merged;
  const byHand = await mergedByHand(hands, { opened: pull.head, last: pull.head, tip }).catch(() => null);
  return byHand ?? pull.merged;
}
