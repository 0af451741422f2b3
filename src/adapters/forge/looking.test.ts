import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { permit } from "../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../test/support/commits.ts";
import { landable, readyToLand } from "../../../test/support/forge-steps.ts";
import { localWorld } from "../../../test/support/local-forge.ts";
import { git } from "../../../test/support/scratch.ts";
import { testGit } from "../../../test/support/test-git.ts";
import type { Commit, TaskId } from "../../domain/names.ts";
import type { BranchQuestion } from "../../ports/forge.ts";
import { createLocalForge } from "./local.ts";

const BRANCH = "pawl/task-1";

/** A look that counts the processes of git it costs. */
function watched(repo: string) {
  const calls: string[] = [];
  const real = testGit();
  const forge = createLocalForge({
    repo,
    git: {
      ...real,
      run: (args, options) => {
        calls.push(args.join(" "));
        return real.run(args, options);
      },
    },
  });
  const cost = async (questions: readonly BranchQuestion[]) => {
    calls.length = 0;
    const { seen } = await forge.branches(questions, permit);
    return { calls: [...calls], seen: seen.map(({ branch }) => branch) };
  };
  return cost;
}
const question = (pr: string | null, branch = BRANCH): BranchQuestion => ({
  task: "task-1" as TaskId,
  branch,
  base: "main",
  pr,
});

it("an unchanged far end costs one process of git, and a head that moved is counted once", async () => {
  const { world, pr, head } = await landable({ origin: true });
  const look = watched(world.repo);
  const first = await look([question(pr)]);
  expect(first.seen[0]).toMatchObject({ head, pr: "open", change: { commits: 1 } });
  const again = await look([question(pr)]);
  expect(again.seen).toEqual(first.seen);
  expect(again.calls).toHaveLength(1);

  await world.move("main", commitOn(world.repo, "main", { "elsewhere.txt": "1\n" }));
  const moved = await look([question(pr)]);
  expect(moved.seen[0]).toEqual(first.seen[0]);
  expect(moved.calls.filter((call) => call.includes("numstat"))).toEqual([]);
});

it("counts a change from where the branch left its base, and gives one patch-id for one patch", async () => {
  const world = localWorld({ origin: false });
  const files = { "a.txt": "1\n2\n3\n", "b.bin": "\0\u0001", "c d.txt": "x\n" };
  const { head } = await readyToLand(world, files);
  const look = watched(world.repo);
  const { seen } = await look([question(null)]);
  expect(seen[0]!.change).toMatchObject({ commits: 1, files: 3, added: 4, deleted: 0 });

  const base = commitOn(world.repo, "main", { "other.txt": "1\n" });
  await world.move("main", base);
  const rebased = commitOn(world.repo, base, files, "The same on another base");
  const other = commitOn(world.repo, base, { ...files, "b.bin": "\0\u0002" });
  git(world.repo, "branch", "same", rebased);
  git(world.repo, "branch", "other", other);
  const [one, same, differs] = (await look([question(null), question(null, "same"), question(null, "other")])).seen;
  expect(one!.head).toBe(head);
  expect(same!.change!.patchId).toBe(one!.change!.patchId);
  expect(differs!.change!.patchId).not.toBe(one!.change!.patchId);
});

it("a branch that was set back to the base is not taken for merged", async () => {
  const { world, pr, tip } = await landable({ origin: false });
  await world.move(BRANCH, tip);
  expect((await watched(world.repo)([question(pr)])).seen[0]).toMatchObject({ head: tip, pr: "open", merged: null });
});

it("a fast-forward by hand is merged with the head itself, whatever comes after it", async () => {
  const { world, pr, head } = await landable({ origin: false });
  await world.move("main", head);
  const look = watched(world.repo);
  expect((await look([question(pr)])).seen[0]).toMatchObject({ pr: "merged", merged: head });
  await world.move("main", commitOn(world.repo, head, { "later.txt": "1\n" }));
  expect((await look([question(pr)])).seen[0]).toMatchObject({ pr: "merged", merged: head });
});

it("a merge by hand is named also where the base went on before and after it", async () => {
  const { world, pr } = await landable({ origin: true });
  await world.move("main", commitOn(world.repo, "main", { "before.txt": "1\n" }));
  const merge = await world.mergeByHand(BRANCH);
  await world.bringHome("main");
  await world.move("main", commitOn(world.repo, merge, { "after.txt": "1\n" }));
  expect((await watched(world.repo)([question(pr)])).seen[0]).toMatchObject({ pr: "merged", merged: merge });
});

it("a pull request is closed by removing its ref, also when its number is given to another branch", async () => {
  const { world, pr, wish, head } = await landable({ origin: false });
  git(world.repo, "update-ref", "-d", "refs/pawl/pr/1");
  const look = watched(world.repo);
  expect((await look([question(pr)])).seen[0]).toMatchObject({ pr: "closed" });
  git(world.repo, "branch", "other", head);
  const other = { ...wish.open(head, "Other", 7), branch: "other" };
  expect(await world.forge.perform(other, "", permit)).toMatchObject({ made: { url: pr } });
  expect((await look([question(pr)])).seen[0]).toMatchObject({ pr: "closed" });
  expect(await world.forge.perform(wish.ready(pr, head), null, permit)).toMatchObject({ code: "closed" });
});

it("what others keep under refs/pawl/pr is passed over, and its number is left to them", async () => {
  const world = localWorld({ origin: false });
  const blob = git(world.repo, "hash-object", "-w", "README.md");
  git(world.repo, "update-ref", "refs/pawl/pr/4", blob);
  git(world.repo, "update-ref", "refs/pawl/pr/note", blob);
  expect((await readyToLand(world)).pr).toBe("pawl://pr/5");
});

it("fields that somebody added to a pull request stay in it", async () => {
  const { world, pr, land } = await landable({ origin: false });
  const was = JSON.parse(git(world.repo, "cat-file", "blob", "refs/pawl/pr/1")) as object;
  const file = `${world.repo}/pull.json`;
  writeFileSync(file, JSON.stringify({ ...was, labels: ["blue"] }));
  git(world.repo, "update-ref", "refs/pawl/pr/1", git(world.repo, "hash-object", "-w", file) as Commit);
  expect(await world.forge.perform(land, null, permit)).toMatchObject({ kind: "done" });
  const now = JSON.parse(git(world.repo, "cat-file", "blob", "refs/pawl/pr/1")) as object;
  expect([pr, now]).toEqual(["pawl://pr/1", { ...was, labels: ["blue"], state: "merged", merged: land.candidate }]);
});
