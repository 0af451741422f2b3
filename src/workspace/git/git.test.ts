import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkoutIn } from "../../../test/support/checkout.ts";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import { shows } from "../../../test/support/shows.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import { openCheckout } from "./checkout.ts";
import { commit } from "./commit.ts";
import { linesOf, patchOf, pathsOf } from "./diff.ts";
import { headOf, startBranch } from "./head.ts";
import { push, remoteFault } from "./push.ts";
import { rebase } from "./rebase.ts";
import { reset } from "./reset.ts";
import { restore } from "./restore.ts";
import { stage } from "./stage.ts";
import { statusOf } from "./status.ts";
import { tag } from "./tag.ts";

/** names that a line, a quote or a pattern would break */
const ODD = [
  "Auftr\u00e4ge/\u00fc b.txt",
  "a\nb.txt",
  'q"uote.txt',
  "tab\t.txt",
  "*.txt",
  "a b/ b/c.txt",
  ":(top)x",
  "-n",
  "[x]",
];
const hook = (repo: string, name: string, body: string): void => {
  mkdirSync(join(repo, ".git/hooks"), { recursive: true });
  writeFileSync(join(repo, ".git/hooks", name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(repo, ".git/hooks", name), 0o755);
};

describe("status and diff", () => {
  test("WRK-8.1 status and diff give every path as it is, whatever is in its name", async () => {
    const { repo } = repository({ "kept.txt": "1\n", "gone.txt": "1\n", "other.txt": "1\n", ".gitignore": "*.log\n" });
    const on = await checkoutIn(repo);
    write(repo, Object.fromEntries([...ODD.map((path) => [path, "x\n"]), ["kept.txt", "1\n2\n"], ["x.log", ""]]));
    rmSync(join(repo, "gone.txt"));
    const status = await statusOf(on);
    expect(
      status
        .filter(({ isUntracked }) => isUntracked)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([...ODD].sort());
    expect(status.filter(({ isUntracked }) => !isUntracked).map(({ path, unstaged }) => [path, unstaged])).toEqual([
      ["gone.txt", "deleted"],
      ["kept.txt", "modified"],
    ]);
    shows("WRK-8.1", 1);
    expect(await linesOf(on, { of: "files" })).toEqual([
      { path: "gone.txt", added: 0, deleted: 1 },
      { path: "kept.txt", added: 1, deleted: 0 },
    ]);
    expect(await patchOf(on, { of: "files" }, ["kept.txt"])).toContain("\n+2");
    shows("WRK-8.1", 2);
    expect(await stage(on, [...ODD, "gone.txt", "x.log", "other.txt", "nowhere"])).toEqual({
      kind: "staged",
      paths: expect.arrayContaining(["gone.txt", ...ODD]),
      left: [
        { path: "x.log", why: "ignored" },
        { path: "other.txt", why: "unchanged" },
        { path: "nowhere", why: "unchanged" },
      ],
    });
    expect([...(await pathsOf(on, { of: "index" }))].sort()).toEqual(["gone.txt", ...ODD].sort());
    expect(await stage(on, [])).toEqual({ kind: "staged", paths: [], left: [] });
    shows("WRK-8.1", 3);
    const done = await commit(on, { paths: [...ODD, "gone.txt"], message: "Odd" });
    expect(done).toMatchObject({ kind: "committed", hookModified: [], branch: "main" });
    expect((await statusOf(on)).map(({ path }) => path)).toEqual(["kept.txt"]);
  });

  test("a reader leaves the index alone, so that no writer meets its lock", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const on = await checkoutIn(repo);
    const index = join(repo, ".git/index");
    utimesSync(join(repo, "a.txt"), 1, 1);
    const { ino, mtimeNs } = statSync(index, { bigint: true });
    expect(await statusOf(on)).toEqual([]);
    expect(await patchOf(on, { of: "files" })).toBe("");
    expect(await pathsOf(on, { of: "files-since", from: "HEAD" })).toEqual([]);
    const after = statSync(index, { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([ino, mtimeNs]);
  });

  test("what is asked first is where git's folders are, and whether they can be written", async () => {
    const { repo } = repository({ "a.txt": "a" });
    git(repo, "worktree", "add", "-q", "-b", "side", "../side");
    const on = await checkoutIn(join(repo, "../side"));
    expect(on).toMatchObject({ gitDir: join(repo, ".git/worktrees/side"), commonDir: join(repo, ".git") });
    const bare = scratch();
    git(bare, "init", "-q", "--bare");
    await expect(checkoutIn(bare)).rejects.toMatchObject({ code: "REPO_BARE" });
    await expect(checkoutIn(scratch())).rejects.toMatchObject({ code: "REPO_MISSING" });
    const make = () => {
      throw Object.assign(new Error("EROFS"), { code: "EROFS" });
    };
    const parts = { git: on.git, files: { ...systemFiles(), make }, folder: repo, isOurs: false };
    await expect(openCheckout(parts)).rejects.toMatchObject({ code: "GIT_UNWRITABLE" });
  });
});

describe("commit", () => {
  test("WRK-8.1 commits the paths of one step; what a user staged is not in it, and still staged", async () => {
    const { repo } = repository({ "ours.txt": "1\n", "theirs.txt": "1\n", "both.txt": "1\n" });
    const on = await checkoutIn(repo);
    write(repo, { "theirs.txt": "2\n", "their-new.txt": "", "both.txt": "2\n", "secret.txt": "" });
    git(repo, "add", "theirs.txt", "their-new.txt");
    write(repo, { "ours.txt": "2\n", "new/a.txt": "n\n" });
    const done = await commit(on, { paths: ["ours.txt", "new/a.txt"], message: "One step" });
    expect(done).toMatchObject({ kind: "committed", paths: expect.arrayContaining(["ours.txt", "new/a.txt"]) });
    expect(git(repo, "show", "--format=", "--name-only").split("\n").sort()).toEqual(["new/a.txt", "ours.txt"]);
    expect(git(repo, "diff", "--cached", "--name-only").split("\n")).toEqual(["their-new.txt", "theirs.txt"]);
    expect(git(repo, "status", "--porcelain", "secret.txt", "both.txt")).toBe(" M both.txt\n?? secret.txt");
    shows("WRK-8.1", 5);
    expect(await commit(on, { paths: [], message: "All?" })).toEqual({ kind: "nothing", left: [] });
    expect(await commit(on, { paths: ["ours.txt"], message: "Again" })).toMatchObject({ kind: "nothing" });
    write(repo, { "both.txt": "3\n" });
    await commit(on, { paths: ["both.txt"], message: "Another step" });
    expect(git(repo, "log", "--format=%s")).toBe("Another step\nOne step\nStart");
    shows("WRK-8.1", 10);
  });

  test("hooks run: what they change is said, what they refuse leaves all as it was, and they cannot hang", async () => {
    const { repo } = repository({ "a.txt": "1\n" });
    const on = await checkoutIn(repo);
    write(repo, { "a.txt": "2\n", "new.txt": "n\n" });
    hook(repo, "pre-commit", "echo style is wrong >&2; exit 1");
    const index = git(repo, "ls-files", "-s");
    const order = { paths: ["a.txt", "new.txt"], message: "Step" };
    expect(await commit(on, order)).toMatchObject({
      code: "HOOK_REFUSED",
      message: expect.stringContaining("style is wrong"),
    });
    expect(git(repo, "ls-files", "-s")).toBe(index);
    hook(repo, "pre-commit", "sleep 60");
    expect(await commit(on, { ...order, timeoutMs: 500 })).toMatchObject({ code: "HOOK_TIMEOUT" });
    expect(git(repo, "ls-files", "-s")).toBe(index);
    expect(existsSync(join(repo, ".git/index.lock"))).toBe(false);
    hook(repo, "pre-commit", "echo formatted > a.txt; echo x > extra.txt; git add a.txt extra.txt");
    expect(await commit(on, order)).toMatchObject({ kind: "committed", hookModified: ["a.txt", "extra.txt"] });
    write(repo, { "a.txt": "4\n" });
    expect(await commit(on, { ...order, hooks: "skip" })).toMatchObject({ kind: "committed", hookModified: [] });
  });

  test("a signature that nobody can make, an unknown author, line ends and an unfinished merge are told apart", async () => {
    const { repo } = repository({ "a.txt": "1\n2\n3\n", "mixed.txt": "a\r\nb\n" });
    const on = await checkoutIn(repo);
    write(repo, { "a.txt": "1\r\n2\r\n3\r\n" });
    const order = { paths: ["a.txt"], message: "Step" };
    const head = git(repo, "rev-parse", "HEAD");
    for (const [program, why] of [
      ["false", "false"],
      ["sleep", "sleep"],
    ] as const) {
      const gpg = join(repo, "../gpg");
      writeFileSync(gpg, `#!/bin/sh\necho ${why} >&2\n${program === "sleep" ? "exec sleep 0.1; exit 1" : "exit 1"}\n`);
      chmodSync(gpg, 0o755);
      git(repo, "config", "gpg.program", gpg);
      git(repo, "config", "commit.gpgSign", "true");
      expect(await commit(on, order)).toMatchObject({ kind: "refused", code: "SIGNING_UNAVAILABLE" });
    }
    git(repo, "config", "commit.gpgSign", "false");
    git(repo, "config", "user.useConfigOnly", "true");
    git(repo, "config", "--unset", "user.email");
    expect(await commit(on, order)).toMatchObject({ code: "IDENTITY_MISSING" });
    git(repo, "config", "user.email", "test@example.org");
    git(repo, "config", "core.autocrlf", "input");
    git(repo, "config", "core.safecrlf", "true");
    expect(await commit(on, order)).toMatchObject({ code: "LINE_ENDINGS" });
    git(repo, "config", "--unset", "core.autocrlf");
    writeFileSync(join(repo, ".git/MERGE_HEAD"), `${head}\n`);
    expect(await commit(on, order)).toMatchObject({ code: "UNFINISHED", message: expect.stringContaining("merge") });
    rmSync(join(repo, ".git/MERGE_HEAD"));
    expect(git(repo, "rev-parse", "HEAD")).toBe(head);
    expect(await commit(on, order)).toMatchObject({ kind: "committed", lineEnds: ["a.txt"] });
  });

  test("unborn and detached HEAD, submodules and repositories within are no surprise", async () => {
    const root = scratch();
    const repo = join(root, "fresh");
    mkdirSync(repo);
    git(repo, "init", "-q", "-b", "main");
    git(repo, "config", "user.name", "T");
    git(repo, "config", "user.email", "t@example.org");
    const on = await checkoutIn(repo);
    expect(await headOf(on)).toEqual({ kind: "unborn", branch: "main", commit: null });
    expect(await push(on)).toMatchObject({ code: "NO_COMMITS" });
    write(repo, { "a.txt": "a" });
    expect(await commit(on, { paths: ["a.txt"], message: "First" })).toMatchObject({
      kind: "committed",
      branch: "main",
    });
    const { repo: inner } = repository({ "x.txt": "x" }, { at: join(root, "inner") });
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    git(repo, "commit", "-qm", "Sub");
    mkdirSync(join(repo, "nested"));
    git(join(repo, "nested"), "init", "-q");
    write(repo, { "sub/x.txt": "y", "nested/n.txt": "n" });
    expect(await commit(on, { paths: ["sub/x.txt", "sub", "nested/n.txt", "nested"], message: "Across" })).toEqual({
      kind: "nothing",
      left: expect.arrayContaining([
        { path: "sub", why: "repository" },
        { path: "sub/x.txt", why: "repository" },
        { path: "nested", why: "repository" },
      ]),
    });
    expect(await checkoutIn(join(repo, "sub"))).toMatchObject({
      top: join(repo, "sub"),
      gitDir: join(repo, ".git/modules/sub"),
    });
    git(repo, "checkout", "-q", "--detach");
    write(repo, { "a.txt": "b" });
    expect(await commit(on, { paths: ["a.txt"], message: "Loose" })).toMatchObject({ kind: "committed", branch: null });
    expect(await push(on)).toMatchObject({ code: "DETACHED_HEAD" });
    expect(await startBranch(on, "work")).toMatchObject({ kind: "branch", branch: "work" });
    expect(await startBranch(on, "main")).toMatchObject({ code: "REF_REFUSED" });
  });
});

describe("taking back", () => {
  test("WRK-8.1 restore touches what is named, reset only a branch of ours, tags are never moved", async () => {
    const { repo, origin } = repository({ "a.txt": "1\n", "b.txt": "1\n" }, { origin: true });
    const on = await checkoutIn(repo);
    write(repo, { "a.txt": "2\n", "b.txt": "2\n", "mine.txt": "untracked\n" });
    expect(await restore(on, { paths: ["a.txt", "mine.txt", "*.txt"], from: "index", what: "files" })).toEqual([
      "a.txt",
    ]);
    expect(git(repo, "status", "--porcelain")).toBe(" M b.txt\n?? mine.txt");
    git(repo, "add", "b.txt");
    expect(await restore(on, { paths: ["b.txt"], from: "HEAD", what: "index" })).toEqual(["b.txt"]);
    expect(git(repo, "status", "--porcelain")).toBe(" M b.txt\n?? mine.txt");
    shows("WRK-8.1", 4);
    const start = git(repo, "rev-parse", "HEAD");
    await commit(on, { paths: ["b.txt"], message: "b" });
    const second = git(repo, "rev-parse", "HEAD");
    expect(await reset(on, start)).toMatchObject({ code: "NOT_OURS" });
    const ours = await checkoutIn(repo, true);
    write(repo, { "b.txt": "3\n" });
    expect(await reset(ours, start)).toMatchObject({ code: "TREE_DIRTY" });
    expect(readFileSync(join(repo, "b.txt"), "utf8")).toBe("3\n");
    await restore(on, { paths: ["b.txt"], from: "index", what: "files" });
    expect(await reset(ours, start)).toMatchObject({ kind: "reset", commit: start, was: second });
    expect(git(repo, "rev-parse", `refs/pawl/reset/${second}`)).toBe(second);
    expect(readFileSync(join(repo, "mine.txt"), "utf8")).toBe("untracked\n");
    shows("WRK-8.1", 7);
    expect(await tag(on, "green-1")).toMatchObject({ kind: "tagged", isNew: true });
    expect(await tag(on, "green-1", start)).toMatchObject({ isNew: false });
    expect(await tag(on, "green-1", second)).toMatchObject({ code: "REF_REFUSED" });
    expect(await tag(on, "a..b")).toMatchObject({ code: "REF_REFUSED" });
    shows("WRK-8.1", 8);
    git(repo, "reset", "-q", "--hard", second);
    git(repo, "push", "-q", origin!, "HEAD:main");
    git(repo, "fetch", "-q");
    expect(await reset(ours, start)).toMatchObject({ code: "PUSHED" });
  });
});

describe("push and rebase", () => {
  const file = (repo: string, name: string) => readFileSync(join(repo, name), "utf8");

  test("WRK-8.1 our commits go on top of what others pushed, or to a branch of their own; nothing is forced or lost", async () => {
    const root = scratch();
    const { repo, origin } = repository({ "a.txt": "1\n", "b.txt": "1\n" }, { origin: true, at: root });
    git(root, "clone", "-q", origin!, "other");
    const other = join(root, "other");
    for (const [key, value] of [
      ["user.name", "O"],
      ["user.email", "o@example.org"],
    ] as const)
      git(other, "config", key, value);
    const theirs = (path: string, text: string) => {
      git(other, "pull", "-q", "--rebase");
      write(other, { [path]: text });
      git(other, "commit", "-qam", `theirs ${text.trim()}`);
      git(other, "push", "-q");
    };
    const on = await checkoutIn(repo);
    expect(await remoteFault(on)).toBeNull();
    expect(await remoteFault(on, "nowhere")).toMatchObject({ code: "REMOTE_UNREACHABLE" });
    theirs("a.txt", "2\n");
    write(repo, { "b.txt": "2\n" });
    await commit(on, { paths: ["b.txt"], message: "ours" });
    expect(await push(on)).toMatchObject({ kind: "pushed", branch: "main", rebases: 1 });
    expect(git(origin!, "log", "--format=%s", "main")).toBe("ours\ntheirs 2\nStart");
    shows("WRK-8.1", 9);

    theirs("a.txt", "3\n");
    write(repo, { "a.txt": "ours\n" });
    await commit(on, { paths: ["a.txt"], message: "conflicting" });
    const mine = git(repo, "rev-parse", "HEAD");
    const tip = git(origin!, "rev-parse", "main");
    const branch = `main-${mine.slice(0, 12)}`;
    expect(await push(on)).toMatchObject({ kind: "pushed-aside", branch, why: expect.stringContaining("a.txt") });
    expect([git(origin!, "rev-parse", "main"), git(origin!, "rev-parse", branch)]).toEqual([tip, mine]);
    expect([git(repo, "rev-parse", "HEAD"), git(repo, "status", "--porcelain"), file(repo, "a.txt")]).toEqual([
      mine,
      "",
      "ours\n",
    ]);
    expect(await rebase(on, "origin/main")).toMatchObject({ code: "PUSHED" });

    git(repo, "switch", "-q", "-c", "side", "origin/main~1");
    write(repo, { "b.txt": "side\n" });
    await commit(on, { paths: ["b.txt"], message: "side" });
    write(repo, { "b.txt": "dirty\n" });
    expect(await rebase(on, "origin/main")).toMatchObject({ code: "TREE_DIRTY", paths: ["b.txt"] });
    expect(file(repo, "b.txt")).toBe("dirty\n");
    await restore(on, { paths: ["b.txt"], from: "index", what: "files" });
    expect(await rebase(on, "origin/main")).toMatchObject({ kind: "rebased" });
    expect(git(repo, "log", "--format=%s", "-2")).toBe("side\ntheirs 3");
    expect(await rebase(on, "origin/main")).toMatchObject({ kind: "up-to-date" });
    shows("WRK-8.1", 6);

    theirs("a.txt", "4\n");
    const isGood = () => Promise.resolve(false);
    expect(await push(on, { branch: "main", isGood })).toMatchObject({
      kind: "pushed-aside",
      why: expect.stringContaining("pass"),
    });
    mkdirSync(join(origin!, "hooks"), { recursive: true });
    writeFileSync(join(origin!, "hooks/pre-receive"), "#!/bin/sh\necho not today >&2\nexit 1\n");
    chmodSync(join(origin!, "hooks/pre-receive"), 0o755);
    expect(await push(on, { branch: "fresh" })).toMatchObject({ code: "PUSH_DECLINED" });
  });
});
