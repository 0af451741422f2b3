import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import type { Git } from "../../ports/system.ts";
import type { SuiteRun } from "../../tactics/record.ts";
import type { Hands } from "../../workspace/hands/hands.ts";
import type { RunSuites } from "./find-by-git.ts";

interface On {
  readonly repo: string;
  /** absolute: an own folder for checkouts; what a crash left in it is taken away at the first use */
  readonly folder: string;
  readonly git: Git;
  /** what commands find in their environment */
  readonly env: Readonly<Record<string, string>>;
}

/** Suites on a commit: a checkout that is made for it, set up like a worktree, and taken away again. */
export function suitesAt({ repo, folder, git, env }: On): RunSuites {
  let swept = false;
  const worktree = (args: readonly string[]) =>
    git.worktrees(repo, () => git.run(["worktree", ...args], { cwd: repo }));
  const remove = async (top: string) => {
    await worktree(["remove", "--force", join(top, "checkout")]);
    rmSync(top, { recursive: true, force: true });
  };
  const sweep = async () => {
    if (!swept && existsSync(folder)) for (const name of readdirSync(folder)) await remove(join(folder, name));
    swept = true;
  };
  return async (commit, { suites, question, signal }) => {
    await sweep();
    mkdirSync(folder, { recursive: true });
    const top = mkdtempSync(join(folder, "at-"));
    const checkout = join(top, "checkout");
    try {
      const added = await worktree(["add", "--quiet", "--detach", checkout, commit]);
      if (added.code !== 0)
        throw new PawlError("CHECKOUT_FAILED", `no checkout of ${commit} could be made: ${added.stderr.trim()}`, {
          next: "see whether that commit is there",
        });
      copy(question.brief.copy, repo, checkout);
      // a processor without gates does without them
      const [{ openHands }, { runSuite }] = await Promise.all([
        import("../hands.ts"),
        import("../../tactics/run-suite.ts"),
      ]);
      const hands = await openHands({ folder: checkout, env, main: repo, scope: () => null, isWatched: false });
      try {
        await setUp(question.brief.setup, hands, signal);
        const ran: SuiteRun[] = [];
        for (const suite of suites) ran.push(await runSuite(hands, suite, signal));
        return ran;
      } finally {
        await hands.close();
      }
    } finally {
      await remove(top);
    }
  };
}

function copy(names: readonly string[], from: string, to: string): void {
  for (const name of names) {
    if (!existsSync(join(from, name)) || existsSync(join(to, name))) continue;
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true });
  }
}

async function setUp(setup: CommandLine | null, hands: Hands, signal: AbortSignal): Promise<void> {
  if (setup === null) return;
  const cmd = typeof setup === "string" ? setup : setup.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const { success, why, stderr } = await hands.exec({ cmd, signal });
  if (!success)
    throw new PawlError("CHECKOUT_FAILED", `worktree.setup ${why} in a checkout for a gate: ${stderr.slice(-500)}`, {
      next: "see worktree.setup in pawl.yaml",
    });
}
