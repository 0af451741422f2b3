import { chmodSync, existsSync, readFileSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permit } from "../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../test/support/commits.ts";
import { landable, readyToLand } from "../../../test/support/forge-steps.ts";
import { localWorld } from "../../../test/support/local-forge.ts";
import { git, scratch, write } from "../../../test/support/scratch.ts";
import { impatientGit, testGit } from "../../../test/support/test-git.ts";
import { createLocalForge } from "./local.ts";

const NOON = Date.parse("2026-11-28T12:00:00Z");

/** The user stands on main, and main has files that a task changes, deletes and adds. */
async function checkedOut(options: { before?: Record<string, string>; files?: Record<string, string | null> } = {}) {
  const before = options.before ?? { "edited.txt": "1\n", "deleted.txt": "1\n", "other.txt": "1\n" };
  const files = options.files ?? { "edited.txt": "2\n", "deleted.txt": null, "ä/added.txt": "2\n" };
  const { world, ...task } = await landable({ origin: false, onBase: true, before, files });
  const { repo } = world;
  const read = (path: string) => readFileSync(join(repo, path), "utf8");
  const status = () => git(repo, "status", "--porcelain");
  const perform = (forge = world.another()) => forge.perform(task.land, null, permit);
  return { world, repo, task, read, status, perform };
}

describe("landing on a base that is checked out", () => {
  it("moves its files and its index along", async () => {
    const { repo, task, read, status, perform } = await checkedOut();
    expect(await perform()).toMatchObject({ kind: "done", found: false });
    expect(git(repo, "rev-parse", "HEAD", "main").split("\n")).toEqual([task.commit, task.commit]);
    expect(status()).toBe("");
    expect([read("edited.txt"), read("ä/added.txt"), existsSync(join(repo, "deleted.txt"))]).toEqual([
      "2\n",
      "2\n",
      false,
    ]);
  });

  it("touches nothing where something is changed or staged, and names up to five files", async () => {
    const { repo, task, status, perform } = await checkedOut();
    write(repo, { "other.txt": "mine\n" });
    const before = status();
    expect(await perform()).toMatchObject({ code: "base-dirty", files: ["other.txt"] });
    expect([git(repo, "rev-parse", "main"), status()]).toEqual([task.tip, before]);

    write(repo, Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, "staged\n"])));
    git(repo, "add", "--", "a", "b", "c", "d", "e", "f");
    const result = await perform();
    expect(result).toMatchObject({ code: "base-dirty", detail: expect.stringContaining("and 2 more") });
    expect(result.kind === "refused" && result.files).toHaveLength(5);
    expect(git(repo, "rev-parse", "main")).toBe(task.tip);
  });

  describe("with a backlog that is kept in git", () => {
    const EDITED = { "tasks/task-1.md": "edited\n" };
    const backlogged = (files: Record<string, string | null> = { "edited.txt": "2\n" }) =>
      checkedOut({ before: { "edited.txt": "1\n", "tasks/task-1.md": "1\n", "tasksrc.md": "1\n" }, files });
    const forgeOf = (repo: string, backlog = "tasks") => createLocalForge({ repo, git: testGit(), backlog });

    it.each([false, true])(
      "moves it where a task file was edited, which stays as it is (staged: %s)",
      async (isStaged) => {
        const { repo, task, read, status, perform } = await backlogged();
        write(repo, EDITED);
        if (isStaged) git(repo, "add", "tasks");
        const before = status();
        expect(await perform(forgeOf(repo, "./tasks/"))).toMatchObject({ kind: "done", found: false });
        expect([read("edited.txt"), read("tasks/task-1.md"), status()]).toEqual(["2\n", "edited\n", before]);
        expect(git(repo, "rev-parse", "HEAD")).toBe(task.commit);
      },
    );

    it("touches nothing where the candidate has another one of it, or another file is changed too", async () => {
      const { repo, task, status, perform } = await backlogged({ "tasks/task-1.md": "2\n" });
      write(repo, EDITED);
      expect(await perform(forgeOf(repo))).toMatchObject({ code: "base-dirty", files: ["tasks/task-1.md"] });
      git(repo, "checkout", "--", "tasks");
      write(repo, { "tasksrc.md": "mine\n" });
      const before = status();
      expect(await perform(forgeOf(repo))).toMatchObject({ code: "base-dirty", files: ["tasksrc.md"] });
      expect([git(repo, "rev-parse", "main"), status()]).toEqual([task.tip, before]);
    });

    it("tells an edited task file from a checkout whose branch was moved under it", async () => {
      const { repo, task, perform } = await checkedOut({ before: { "tasks/task-1.md": "1\n" }, files: { x: "2\n" } });
      git(repo, "read-tree", "--reset", "-u", "main~1");
      const detail = expect.stringContaining("bring them forward");
      expect(await perform(forgeOf(repo))).toMatchObject({ code: "base-dirty", detail });
      expect(git(repo, "rev-parse", "main")).toBe(task.tip);
    });
  });

  it("where the branch was moved under the checkout, says how its files are brought forward, and goes on then", async () => {
    const { repo, task, read, status, perform } = await checkedOut();
    // as after `git update-ref`: files and index of the commit before
    git(repo, "read-tree", "--reset", "-u", "main~1");
    const before = status();
    expect(before).not.toBe("");
    const said = await perform();
    const how = `git -C ${repo} read-tree -m -u ${git(repo, "rev-parse", "--short=7", "main~1")} HEAD`;
    expect(said).toMatchObject({ code: "base-dirty", detail: expect.stringContaining(`bring them forward: ${how}`) });
    expect([git(repo, "rev-parse", "main"), status()]).toEqual([task.tip, before]);
    git(repo, ...how.split(" ").slice(1));
    expect(status()).toBe("");
    expect(await perform()).toMatchObject({ kind: "done" });
    expect([read("edited.txt"), status()]).toEqual(["2\n", ""]);
  });

  it("leaves files alone that git does not know, also ignored ones, and names them where they are in the way", async () => {
    const { repo, task, read, perform } = await checkedOut({
      files: { "new.txt": "theirs\n", "secret.env": "theirs\n" },
    });
    write(repo, { "unrelated.txt": "mine\n", "new.txt": "mine\n", "secret.env": "mine\n" });
    git(repo, "config", "core.excludesFile", join(repo, ".git", "ignored"));
    writeFileSync(join(repo, ".git", "ignored"), "*.env\n");
    expect(await perform()).toMatchObject({ code: "base-dirty", files: ["new.txt", "secret.env"] });
    unlinkSync(join(repo, "new.txt"));
    expect(await perform()).toMatchObject({ code: "base-dirty", files: ["secret.env"] });
    expect([read("secret.env"), git(repo, "rev-parse", "main")]).toEqual(["mine\n", task.tip]);
    unlinkSync(join(repo, "secret.env"));
    expect(await perform()).toMatchObject({ kind: "done" });
    expect(read("unrelated.txt")).toBe("mine\n");
  });

  it("an untracked file below a name that becomes a folder is in the way", async () => {
    const { repo, read, perform } = await checkedOut({ files: { "docs/a.md": "theirs\n" } });
    write(repo, { docs: "mine\n" });
    expect(await perform()).toMatchObject({ kind: "refused", code: "base-dirty" });
    expect(read("docs")).toBe("mine\n");
  });

  it("a file that becomes a folder, and a folder that becomes a file, land", async () => {
    const { world, repo, read, status } = await checkedOut({ files: { "box/a": "1\n", thing: "1\n" } });
    git(repo, "merge", "-q", "--ff-only", commitOn(repo, "HEAD", { "box/a": "1\n", thing: "1\n" }));
    await world.remove("pawl/task-1");
    const task = await readyToLand(
      { ...world, forge: world.another() },
      { "box/a": null, box: "2\n", thing: null, "thing/a": "2\n" },
    );
    expect(await world.forge.perform(task.land, null, permit)).toMatchObject({ kind: "done" });
    expect([read("box"), read("thing/a"), status()]).toEqual(["2\n", "2\n", ""]);
  });

  it("in another worktree it is the same: clean goes along, dirty is refused", async () => {
    const { repo, task, perform } = await checkedOut();
    git(repo, "checkout", "-q", "--detach");
    const other = join(scratch(), "other");
    git(repo, "worktree", "add", "-q", other, "main");
    write(other, { "edited.txt": "mine\n" });
    expect(await perform()).toMatchObject({ code: "base-dirty", files: ["edited.txt"] });
    git(other, "checkout", "--", "edited.txt");
    expect(await perform()).toMatchObject({ kind: "done", found: false });
    expect([git(other, "rev-parse", "HEAD"), git(other, "status", "--porcelain")]).toEqual([task.commit, ""]);
    expect(git(repo, "rev-parse", "HEAD")).toBe(task.tip);
  });

  it("a worktree whose folder is gone holds nothing up", async () => {
    const { repo, task, perform } = await checkedOut();
    git(repo, "checkout", "-q", "--detach");
    const other = join(scratch(), "other");
    git(repo, "worktree", "add", "-q", other, "main");
    rmSync(other, { recursive: true });
    expect(await perform()).toMatchObject({ kind: "done" });
    expect(git(repo, "rev-parse", "main")).toBe(task.commit);
  });

  it("an origin with a checkout of its own moves with its files; the user's checkout stays where it is", async () => {
    const root = scratch();
    const world = localWorld({ origin: true, onBase: true, at: root });
    const far = join(root, "shared");
    git(root, "clone", "-q", join(root, "origin.git"), far);
    git(far, "config", "core.logAllRefUpdates", "always");
    git(world.repo, "remote", "set-url", "origin", far);
    const there = { ...world, forge: world.another(), tip: async () => git(far, "rev-parse", "main") as never };
    const task = await readyToLand(there);
    expect(await there.forge.perform(task.land, null, permit)).toMatchObject({ kind: "done", found: false });
    expect([git(far, "rev-parse", "HEAD"), git(far, "status", "--porcelain")]).toEqual([task.commit, ""]);
    expect(readFileSync(join(far, "colour.txt"), "utf8")).toBe("red\n");
    expect(git(world.repo, "rev-parse", "HEAD", "origin/main").split("\n")).toEqual([task.tip, task.commit]);
    expect(git(far, "for-each-ref", "refs/pawl/candidate")).toBe("");
  });
});

describe("a landing that was cut off between the files and the branch", () => {
  it("goes on where files and index are there already", async () => {
    const { repo, task, status, perform } = await checkedOut();
    git(repo, "update-index", "-q", "--refresh");
    git(repo, "read-tree", "-m", "-u", task.tip, task.commit);
    expect(git(repo, "rev-parse", "main")).toBe(task.tip);
    expect(await perform()).toMatchObject({ kind: "done", found: false });
    expect([git(repo, "rev-parse", "main"), status()]).toEqual([task.commit, ""]);
  });

  it("goes on where only some files are there, and keeps what a person changed since", async () => {
    const { repo, task, status, perform, read } = await checkedOut();
    write(repo, { "edited.txt": "2\n", "ä/added.txt": "2\n" });
    write(repo, { "other.txt": "mine\n" });
    expect(await perform()).toMatchObject({ code: "base-dirty" });
    expect(read("other.txt")).toBe("mine\n");
    git(repo, "checkout", "--", "other.txt");
    expect(await perform()).toMatchObject({ kind: "done" });
    expect([git(repo, "rev-parse", "main"), status()]).toEqual([task.commit, ""]);
  });

  it("takes no change of a person for its own: another text in a file that it deletes or changes", async () => {
    const { repo, task, status, perform } = await checkedOut();
    for (const path of ["deleted.txt", "edited.txt"]) {
      write(repo, { [path]: "mine\n" });
      const before = status();
      expect(await perform()).toMatchObject({ code: "base-dirty", files: [path] });
      expect([git(repo, "rev-parse", "main"), status()]).toEqual([task.tip, before]);
      git(repo, "checkout", "--", path);
    }
  });

  it("waits for a person where a lock is there, with its age, and looks again by itself", async () => {
    const { repo, task } = await checkedOut();
    const forge = createLocalForge({ repo, git: impatientGit(), clock: { read: () => ({ wall: NOON, mono: 0 }) } });
    for (const name of ["index", "refs/heads/main"]) {
      const lock = join(repo, ".git", `${name}.lock`);
      writeFileSync(lock, "");
      utimesSync(lock, NOON / 1_000 - 7_300, NOON / 1_000 - 7_300);
      const result = await forge.perform(task.land, null, permit);
      expect(result).toMatchObject({ kind: "later", owner: "human", until: NOON + 10_000 });
      expect(result).toMatchObject({ detail: expect.stringContaining(`${lock} is there, 2 hours old: another git`) });
      rmSync(lock);
    }
    expect(await forge.perform(task.land, null, permit)).toMatchObject({ kind: "done" });
  });

  it("by SIGKILL after the files: says which locks git left, and goes on when they are removed", async () => {
    const { repo, task, status } = await checkedOut();
    const hook = join(repo, ".git", "hooks", "reference-transaction");
    write(repo, {
      ".git/hooks/reference-transaction":
        "#!/bin/sh\n[ $1 = prepared ] && grep -q refs/heads/main && kill -9 $PPID\nexit 0\n",
    });
    git(repo, "update-index", "--refresh");
    const forge = () => createLocalForge({ repo, git: impatientGit() });
    chmodSync(hook, 0o755);
    await expect(forge().perform(task.land, null, permit)).rejects.toMatchObject({ code: "GIT_ENDED" });
    rmSync(hook);
    expect(git(repo, "rev-parse", "main")).toBe(task.tip);
    expect(status()).not.toBe("");

    expect(await forge().find(task.land, permit)).toEqual({ kind: "absent" });
    for (;;) {
      const result = await forge().perform(task.land, null, permit);
      if (result.kind === "done") break;
      expect(result).toMatchObject({ kind: "later", owner: "human" });
      const lock = /^(\S+\.lock) is there/.exec(result.kind === "later" ? result.detail : "")![1]!;
      rmSync(lock);
    }
    expect([git(repo, "rev-parse", "HEAD"), status()]).toEqual([task.commit, ""]);
  });
});
