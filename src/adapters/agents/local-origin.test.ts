import { expect, it } from "vitest";
import { git, repository, scratch } from "../../../test/support/scratch.ts";
import { systemGit } from "../system/git.ts";
import { hasLocalOrigin } from "./local-origin.ts";

/** Git, and how often it was asked. */
function counted() {
  const real = systemGit();
  let asked = 0;
  const run: typeof real.run = (args, options) => {
    asked++;
    return real.run(args, options);
  };
  return { git: { ...real, run }, asked: () => asked };
}

it("git is asked once as long as the repository's config is the same, and a change counts at once", async () => {
  const { repo } = repository({}, { origin: true });
  const { git: counting, asked } = counted();
  const ask = () => hasLocalOrigin({ git: counting, repo, signal: AbortSignal.timeout(20_000) });
  expect([await ask(), await ask(), await ask(), asked()]).toEqual([true, true, true, 1]);
  git(repo, "remote", "set-url", "origin", "https://example.org/x.git");
  expect([await ask(), asked()]).toEqual([false, 2]);
  git(repo, "remote", "remove", "origin");
  expect([await ask(), asked()]).toEqual([false, 3]);
  git(repo, "remote", "add", "origin", "../x.git");
  expect([await ask(), asked()]).toEqual([true, 4]);
});

it("a repository whose config lies elsewhere is asked each time", async () => {
  const { repo } = repository({}, { origin: true });
  const worktree = `${scratch()}/worktree`;
  git(repo, "worktree", "add", "-q", "--detach", worktree);
  const { git: counting, asked } = counted();
  const ask = () => hasLocalOrigin({ git: counting, repo: worktree, signal: AbortSignal.timeout(20_000) });
  expect([await ask(), await ask(), asked()]).toEqual([true, true, 2]);
});
