import type { Files } from "../ports/files.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { Scope } from "../workspace/edit/locate.ts";
import type { Hands } from "../workspace/hands/hands.ts";
import { filesOfPatch } from "./added-lines.ts";
import type { Research, SuiteRun } from "./record.ts";
import { researchOf } from "./research.ts";
import { runSuite } from "./run-suite.ts";
import type { FileChange, WorkerHands } from "./worker-hands.ts";

export interface HandsOf {
  readonly hands: Hands;
  readonly files: Files;
  /** what may be written */
  readonly scope: Scope;
  /** the remote that commits are pushed to; null: they stay here, somebody else publishes them */
  readonly remote: string | null;
  /** the commit that the branch began on */
  readonly base: string;
  /** folders of skills, from the top of the checkout */
  readonly skills?: readonly string[];
  /** hands on a clean checkout of a commit; it is taken away afterwards */
  readonly atCommit: <T>(commit: string, use: (hands: Hands) => Promise<T>) => Promise<T>;
}

/** A worker's hands on its checkout, made of those that everybody has. */
export function makeWorkerHands({ hands, files, scope, remote, base, skills, atCommit }: HandsOf): WorkerHands {
  const { git } = hands;
  const run = async (on: Hands, { test_delta }: Assignment, signal: AbortSignal): Promise<readonly SuiteRun[]> => {
    const runs: SuiteRun[] = [];
    for (const suite of test_delta.regression) runs.push(await runSuite(on, suite, signal));
    return runs;
  };
  return {
    head: async () => (await git.head()).commit,
    research: (assignment): Promise<Research> => researchOf(assignment, { hands, files, skills: skills ?? [] }),
    async runSuites(assignment, { on, signal }) {
      if (assignment.test_delta.regression.length === 0) return [];
      if (on === "worktree") return run(hands, assignment, signal);
      const isClean = (await git.head()).commit === base && (await git.status()).length === 0;
      return isClean ? run(hands, assignment, signal) : atCommit(base, (clean) => run(clean, assignment, signal));
    },
    dirty: async () => (await git.status()).map(({ path }) => path).filter((path) => scope(path) === null),
    asCommitted: (paths) => git.asCommitted(paths),
    commit: (order) => commit(hands, order, remote),
    changes: async (base) => (base === null ? [] : changesSince(hands, base)),
    async patch(base) {
      const to = (await git.head()).commit;
      return to === null ? "" : git.diff({ of: "commits", from: base, to });
    },
    lines(path) {
      const found = files.read(`${hands.on.top}/${path}`, 16 * 2 ** 20);
      if (found.kind !== "file" || found.bytes.includes(0)) return null;
      return new TextDecoder().decode(found.bytes).split(/\r?\n/);
    },
  };
}

async function commit(
  { git }: Hands,
  { message, paths, from, push }: Parameters<WorkerHands["commit"]>[0],
  remote: string | null,
) {
  const made = await git.commit({ message, paths });
  if (made.kind === "refused") return { commit: null, files: [], pushed: false, refused: made.message };
  // a crash between the commit and the record of it leaves nothing to commit, and a head that moved
  const head = (await git.head()).commit;
  const commit = made.kind === "committed" ? made.commit : head !== from ? head : null;
  const files = made.kind === "committed" ? made.paths : commit === null ? [] : paths;
  const pushed = commit !== null && push && remote !== null && (await git.push({ remote })).kind === "pushed";
  return { commit, files, pushed };
}

async function changesSince({ git }: Hands, from: string): Promise<readonly FileChange[]> {
  const to = (await git.head()).commit;
  if (to === null) return [];
  const files = filesOfPatch(await git.diff({ of: "commits", from, to }));
  return [...files].map(([path, { change }]) => ({ path, change }));
}
