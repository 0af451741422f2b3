import { describe, expect, it } from "vitest";
import { intents, permit } from "../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../test/support/commits.ts";
import { landable } from "../../../test/support/forge-steps.ts";
import { localWorld } from "../../../test/support/local-forge.ts";
import { git, write } from "../../../test/support/scratch.ts";
import { testGit } from "../../../test/support/test-git.ts";
import type { Commit } from "../../domain/names.ts";
import { createLocalForge } from "./local.ts";

describe("preparing a merge", () => {
  it("names the paths of conflicts of renames, and of a file with a folder", async () => {
    const world = localWorld({ origin: false });
    const text = "a\nb\nc\nd\ne\nf\ng\n";
    const start = commitOn(world.repo, "main", { "gone.txt": text, "two.txt": `${text}2\n`, thing: "1\n" });
    await world.move("main", start);
    const mine = commitOn(world.repo, start, {
      "gone.txt": null,
      "here.txt": text,
      "two.txt": null,
      "mine.txt": `${text}2\n`,
    });
    const theirs = {
      "gone.txt": null,
      "two.txt": null,
      "theirs.txt": `${text}2\n`,
      thing: null,
      "thing/a": "another text\n",
    };
    const head = commitOn(world.repo, mine, { thing: "2\n" });
    const wish = intents("main");
    await world.forge.perform(wish.publish(null, head), null, permit);
    await world.move("main", commitOn(world.repo, start, theirs));
    const result = await world.forge.perform(wish.prepare(head), null, permit);
    if (result.kind !== "refused") throw new Error(JSON.stringify(result));
    expect(result.code).toBe("conflict");
    for (const path of ["gone.txt", "here.txt", "mine.txt", "theirs.txt"]) expect(result.files).toContain(path);
    expect(result.files.some((path) => path.startsWith("thing"))).toBe(true);
  });

  it("names a submodule that both moved", async () => {
    const world = localWorld({ origin: false });
    const link = (parent: string, to: string) => {
      git(world.repo, "read-tree", parent);
      git(world.repo, "update-index", "--add", "--cacheinfo", `160000,${to},lib`);
      const tree = git(world.repo, "write-tree");
      return git(world.repo, "commit-tree", tree, "-p", parent, "-m", "Link") as Commit;
    };
    const start = link("main", "1".repeat(40));
    await world.move("main", start);
    const head = link(start, "2".repeat(40));
    const wish = intents("main");
    await world.forge.perform(wish.publish(null, head), null, permit);
    await world.move("main", link(start, "3".repeat(40)));
    expect(await world.forge.perform(wish.prepare(head), null, permit)).toMatchObject({
      code: "conflict",
      files: ["lib"],
    });
  });

  it("touches neither a dirty checkout nor its index, whatever is checked out", async () => {
    const world = localWorld({ origin: true, onBase: true });
    write(world.repo, { "README.md": "mine\n", "new.txt": "mine\n" });
    git(world.repo, "add", "new.txt");
    const before = git(world.repo, "status", "--porcelain");
    const head = commitOn(world.repo, "main", { "README.md": "theirs\n" });
    const wish = intents("main");
    await world.forge.perform(wish.publish(null, head), null, permit);
    expect(await world.forge.perform(wish.prepare(head), null, permit)).toMatchObject({ kind: "done" });
    expect(git(world.repo, "status", "--porcelain")).toBe(before);
    expect(git(world.repo, "worktree", "list").split("\n")).toHaveLength(1);
  });

  it("says who made it, what for, and by which key; a name that is not configured comes from the branch", async () => {
    const world = localWorld({ origin: false });
    git(world.repo, "config", "--unset", "user.email");
    git(world.repo, "config", "user.name", "Lead");
    const head = commitOn(world.repo, "main", { "a.txt": "1\n" });
    const wish = intents("main");
    await world.forge.perform(wish.publish(null, head), null, permit);
    const odd = { ...wish.prepare(head), title: " Search\n\nby  colour " };
    const result = await world.forge.perform(odd, null, permit);
    const commit = result.kind === "done" && result.made.what === "candidate" ? result.made.commit : "";
    expect(git(world.repo, "show", "-s", "--format=%an %ae %cn %ce %cd%n%B", "--date=raw", commit).trim()).toBe(
      "Test test@example.org Lead test@example.org 1700000000 +0100\n" +
        "Search by colour\n\nPawl-Task: task-1\nPawl-Key: task-1/1/prepare-merge/1",
    );
    expect(git(world.repo, "for-each-ref", "--format=%(objectname)", "refs/pawl/candidate")).toBe(commit);
  });

  it("a branch of another history is refused, not half merged", async () => {
    const world = localWorld({ origin: false });
    const tree = git(world.repo, "rev-parse", "main^{tree}");
    const head = git(world.repo, "commit-tree", tree, "-m", "Another root") as Commit;
    const wish = intents("main");
    await world.forge.perform(wish.publish(null, head), null, permit);
    expect(await world.forge.perform(wish.prepare(head), null, permit)).toMatchObject({ code: "invalid" });
  });

  it("a git before 2.38 is said, with what to do", async () => {
    const world = localWorld({ origin: false });
    const real = testGit();
    const run: typeof real.run = async (args, options) =>
      args[0] === "version" ? { code: 0, stdout: "git version 2.30.2\n", stderr: "" } : real.run(args, options);
    const forge = createLocalForge({ repo: world.repo, git: { ...real, run } });
    const head = (await world.tip("main")) as Commit;
    await expect(forge.perform(intents("main").prepare(head), null, permit)).rejects.toMatchObject({
      code: "GIT_TOO_OLD",
      next: expect.stringContaining("2.38"),
    });
  });

  it("a landing is found by its key where the far end wrote the commit anew", async () => {
    const { world, land, commit, tip } = await landable({ origin: false });
    const tree = git(world.repo, "rev-parse", `${commit}^{tree}`);
    const message = git(world.repo, "show", "-s", "--format=%B", commit);
    const anew = git(world.repo, "commit-tree", tree, "-p", tip, "-m", message) as Commit;
    await world.move("main", anew);
    const made = { what: "merge", commit: anew, onBase: true };
    expect(await world.another().find(land, permit)).toEqual({ kind: "done", made });
    expect((await world.pulls("pawl/task-1"))[0]).toMatchObject({ state: "merged" });
    expect(await world.forge.perform(land, null, permit)).toMatchObject({ kind: "done", found: true, made });
  });
});
