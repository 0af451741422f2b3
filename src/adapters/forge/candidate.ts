import { PawlError } from "../../domain/errors.ts";
import type { EffectResult } from "../../domain/input.ts";
import type { Commit } from "../../domain/names.ts";
import type { ForgeIntent } from "../../ports/forge.ts";
import type { Git } from "../../ports/system.ts";
import { cut, done, refused } from "./answers.ts";
import { readFar } from "./far-refs.ts";
import { mergedByHand } from "./merged-by-hand.ts";
import { LOCAL_ONLY } from "./publish.ts";
import { headFault, TITLE_LIMIT } from "./pull-request.ts";
import { isOpen } from "./pulls.ts";
import { atHome, type Hands, output, short } from "./refs.ts";

export type Prepare = Extract<ForgeIntent, { kind: "prepare-merge" }>;

/**
 * `made` is a merge where the base holds the work already, by hand. Else a candidate:
 * one squash commit of `head` on the tip of the base, made without a worktree, touching no branch. The same head, tip
 * and key give the same commit. It stays until the task lands: `refs/pawl/candidate/TASK` keeps it from gc.
 */
export async function prepareMerge(hands: Hands, intent: Prepare): Promise<EffectResult> {
  await assertGit(hands);
  const far = await readFar(hands, [intent.branch, intent.base]);
  const fault = headFault(far, intent);
  if (fault !== null) return fault;
  const tip = far.tips.get(intent.base);
  if (tip === undefined) return refused("base-gone", `there is no branch ${intent.base} to merge into`);
  await bringHome(hands, { [intent.base]: tip, [intent.branch]: intent.head });
  const open = far.pulls.findLast(({ pull }) => isOpen(pull) && pull.branch === intent.branch);
  return makeCandidate(hands, intent, { tip, opened: open?.pull.head ?? null });
}

/**
 * The candidate of commits that are in the user's repository. `opened`: the head that the branch's open pull request
 * was opened with; null: it has none.
 */
export async function makeCandidate(
  hands: Hands,
  intent: Prepare,
  { tip, opened }: { tip: Commit; opened: Commit | null },
): Promise<EffectResult> {
  await assertGit(hands);
  const byHand = opened === null ? null : await mergedByHand(hands, { opened, last: intent.head, tip });
  if (byHand !== null) return done({ what: "merge", commit: byHand, onBase: true }, true);
  const merged = await squash(hands, intent, tip);
  if ("kind" in merged) return merged;
  const commit = await commitTree(hands, intent, { tip, tree: merged.tree });
  await output(atHome(hands, ["update-ref", candidateRef(intent), commit]), "keep the candidate");
  return done({ what: "candidate", tip, commit });
}

export const candidateRef = ({ task }: { task: string }): string => `refs/pawl/candidate/${task}`;

/** merge-tree writes trees since 2.38; older ones cannot merge without a worktree. */
async function assertGit(hands: Hands): Promise<void> {
  if (fit.has(hands.git)) return;
  const said = await output(atHome(hands, ["version"]), "say its version");
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const next = "install git 2.38 or newer";
  if (Number(major) * 1_000 + Number(minor) < 2_038)
    throw new PawlError("GIT_TOO_OLD", `merging needs git 2.38 or newer, and this is ${said.trim()}`, { next });
  fit.add(hands.git);
}
/** those that have said their version */
const fit = new WeakSet<Git>();

/** Brings commits of far branches into the user's repository, where they are not there yet. No branch of theirs moves. */
export async function bringHome(hands: Hands, commits: Readonly<Record<string, Commit>>): Promise<void> {
  if (hands.far.self) return;
  const wanted = new Map(Object.entries(commits));
  const away = await notHome(hands, wanted);
  if (away.length === 0) return;
  for (const branch of away) await fetchBranch(hands, branch);
  const [missing] = await notHome(hands, wanted);
  if (missing === undefined) return;
  const what = `${short(wanted.get(missing)!)} of ${missing}`;
  throw new PawlError("GIT_FAILED", `${what} could not be fetched from ${hands.far.path}`, { retryable: true });
}

/** Branches whose commit is not here. */
export async function notHome(hands: Hands, wanted: ReadonlyMap<string, Commit>): Promise<readonly string[]> {
  if (wanted.size === 0) return [];
  const input = `${[...wanted.values()].join("\n")}\n`;
  const said = await output(atHome(hands, ["cat-file", "--batch-check"], { input }), "look for commits");
  const lines = said.split("\n");
  return [...wanted.keys()].filter((_, i) => !/ commit \d+$/.test(lines[i]!));
}

const FETCH = [...LOCAL_ONLY, "fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head"];

/** Updates refs/remotes/origin/BRANCH. Another fetch may hold its lock: what counts is what is there afterwards. */
export async function fetchBranch(hands: Hands, branch: string): Promise<void> {
  const spec = `+refs/heads/${branch}:refs/remotes/origin/${branch}`;
  const args = [...FETCH, "--no-recurse-submodules", "--no-auto-maintenance", hands.far.path, spec];
  for (let tries = 0; tries < 3; tries++) if ((await atHome(hands, args)).code === 0) return;
}

async function squash(hands: Hands, intent: Prepare, tip: Commit): Promise<{ tree: string } | EffectResult> {
  const { branch, base, head } = intent;
  const { code, stdout, stderr } = await atHome(hands, ["merge-tree", "--write-tree", "-z", "--name-only", tip, head]);
  const [tree = "", ...rest] = stdout.split("\0");
  if (code === 1) return conflict(intent, tip, conflictFiles(rest));
  if (code !== 0)
    return refused("invalid", `${branch} cannot be merged into ${base}: ${stderr.trim()}`, { actual: tip });
  const before = await output(atHome(hands, ["rev-parse", `${tip}^{tree}`]), "read the tip's tree");
  if (tree !== before.trim()) return { tree };
  // what it changes is on the base by somebody's other commit: there is nothing left to merge
  if (await changesSomething(hands, tip, head)) return done({ what: "merge", commit: tip, onBase: true }, true);
  return refused("nothing-to-do", `${branch} changes nothing`, { actual: tip });
}

async function changesSomething(hands: Hands, tip: Commit, head: Commit): Promise<boolean> {
  const { code, stderr } = await atHome(hands, ["diff", "--quiet", "--no-ext-diff", `${tip}...${head}`, "--"]);
  if (code === 0 || code === 1) return code === 1;
  throw new PawlError("GIT_FAILED", `git could not compare ${short(head)} with ${short(tip)}: ${stderr.trim()}`);
}

function conflict({ branch, base }: Prepare, tip: Commit, files: readonly string[]): EffectResult {
  const detail = `${branch} conflicts with ${base} (${short(tip)}) in ${files.join(", ")}`;
  return refused("conflict", detail, { files, actual: tip });
}

/**
 * The paths of merge-tree's answer, after its tree: names up to an empty field, then messages as `count path… type
 * text`. A conflict of a rename or a folder may name a path in its message alone.
 */
export function conflictFiles(fields: readonly string[]): readonly string[] {
  const end = fields.indexOf("");
  const files = new Set(end === -1 ? fields : fields.slice(0, end));
  for (let at = end + 1; end !== -1 && at < fields.length; ) {
    const count = Number(fields[at]);
    if (!Number.isInteger(count) || fields[at]!.trim() === "") break;
    const type = fields[at + count + 1] ?? "";
    if (type.startsWith("CONFLICT")) for (const path of fields.slice(at + 1, at + 1 + count)) files.add(path);
    at += count + 3;
  }
  return [...files].sort();
}

/** Who and when come from the branch: nothing in the commit depends on when, or how often, it was made. */
async function commitTree(
  hands: Hands,
  intent: Prepare,
  { tip, tree }: { tip: Commit; tree: string },
): Promise<Commit> {
  const format = "--format=%an%x00%ae%x00%cn%x00%ce%x00%cd%x00%ad";
  const shown = await output(
    atHome(hands, ["show", "-s", "--no-show-signature", "--date=raw", format, intent.head, "--"]),
    "read the head",
  );
  const [an = "", ae = "", cn = "", ce = "", cd = "", ad = ""] = shown.trimEnd().split("\0");
  const user = await configured(hands);
  const env = {
    GIT_AUTHOR_NAME: an || "Pawl",
    GIT_AUTHOR_EMAIL: ae,
    GIT_AUTHOR_DATE: ad,
    GIT_COMMITTER_NAME: user["user.name"] ?? (cn || "Pawl"),
    GIT_COMMITTER_EMAIL: user["user.email"] ?? ce,
    GIT_COMMITTER_DATE: cd,
  };
  const args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree, "-p", tip, "-F", "-"];
  return (await output(atHome(hands, args, { input: message(intent), env }), "make the candidate")).trim() as Commit;
}

/** The user's own name and address, where they are set. */
async function configured(hands: Hands): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await atHome(hands, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
  const pairs = stdout.split("\0").map((pair) => pair.split("\n") as [string, string?]);
  return Object.fromEntries(pairs.flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])));
}

function message({ title, task, trailer }: Prepare): string {
  const subject = cut(title.replace(/[\s\0]+/g, " ").trim() || task, TITLE_LIMIT);
  return `${subject}\n\nPawl-Task: ${task}\n${trailer}\n`;
}
