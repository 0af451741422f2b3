import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkoutIn } from "../../../test/support/checkout.ts";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { copyFile } from "../../adapters/system/copy-file.ts";
import { openShadow } from "../git/shadow.ts";
import { takeSnapshot } from "../git/snapshot.ts";
import { guarded } from "./guard.ts";

const lock = fileLocks();
const inSrc = (path: string): string | null => (path.startsWith("src/") ? null : "outside src");
const modeOf = (repo: string, path: string) => (lstatSync(join(repo, path)).mode & 0o777).toString(8);
const nothing = { written: [], putBack: [], quarantined: [], unread: [] };

async function guard(repo: string) {
  const shadow = openShadow(await checkoutIn(repo), { copy: copyFile, lock });
  onTestFinished(() => shadow.close());
  const quarantineDir = join(scratch(), "quarantine");
  const run = (work: () => void) =>
    guarded({ shadow, scope: inSrc, quarantineDir }, async () => work()).then(({ scope }) => scope);
  return { run, shadow };
}

describe("what is put back", () => {
  test("has all its permission bits, also where a command took only these, or made the file anew", async () => {
    const { repo } = repository({ "a.txt": "1\n", "b.txt": "1\n", "c.sh": "1\n", "src/a.ts": "1\n" });
    chmodSync(join(repo, "a.txt"), 0o640);
    chmodSync(join(repo, "b.txt"), 0o600);
    chmodSync(join(repo, "c.sh"), 0o711);
    const { run } = await guard(repo);
    const bits = ["a.txt", "b.txt", "c.sh"].map((path) => modeOf(repo, path));
    const report = await run(() => {
      write(repo, { "a.new": "2\n" });
      renameSync(join(repo, "a.new"), join(repo, "a.txt"));
      rmSync(join(repo, "b.txt"));
      chmodSync(join(repo, "c.sh"), 0o777);
    });
    expect(report.putBack).toEqual(["a.txt", "b.txt", "c.sh"]);
    expect(["a.txt", "b.txt", "c.sh"].map((path) => modeOf(repo, path))).toEqual(bits);
    expect((await run(() => chmodSync(join(repo, "a.txt"), 0o444))).putBack).toEqual(["a.txt"]);
    expect(modeOf(repo, "a.txt")).toBe("640");
    chmodSync(join(repo, "a.txt"), 0o604);
    expect(await run(() => {})).toEqual(nothing);
    expect(modeOf(repo, "a.txt")).toBe("604");
  });

  test("takes the place of a folder that was made there, which is set aside with all that is in it", async () => {
    const { repo } = repository({ "a.txt": "1\n", ".gitignore": "*.log\n", "dir/x": "1\n" });
    const { run } = await guard(repo);
    const report = await run(() => {
      rmSync(join(repo, "a.txt"));
      write(repo, { "a.txt/keep.log": "ignored", "a.txt/b": "new" });
      rmSync(join(repo, "dir"), { recursive: true });
      write(repo, { dir: "a file" });
    });
    expect(report.putBack).toEqual(["a.txt", "dir/x"]);
    expect([readFileSync(join(repo, "a.txt"), "utf8"), readFileSync(join(repo, "dir/x"), "utf8")]).toEqual([
      "1\n",
      "1\n",
    ]);
    const { to } = report.quarantined.find(({ path }) => path === "a.txt")!;
    expect(readFileSync(join(to, "keep.log"), "utf8")).toBe("ignored");
  });
});

describe("other kinds of repositories", () => {
  test("a submodule is named and left alone: what is in it is a repository of its own", async () => {
    const { repo: inner } = repository({ "in.txt": "1\n" });
    const { repo } = repository({ "a.txt": "1\n", "src/a.ts": "1\n" });
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib");
    git(repo, "commit", "-qm", "With a library");
    const { run } = await guard(repo);
    const report = await run(() => {
      write(repo, { "lib/in.txt": "2\n", "a.txt": "2\n" });
      git(join(repo, "lib"), "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qam", "Elsewhere");
    });
    expect(report).toMatchObject({ putBack: ["a.txt"], quarantined: [], unread: ["lib"] });
    expect(readFileSync(join(repo, "lib/in.txt"), "utf8")).toBe("2\n");
    const inside = await guard(join(repo, "lib"));
    expect((await inside.run(() => write(repo, { "lib/in.txt": "3\n" }))).putBack).toEqual(["in.txt"]);
    expect(readFileSync(join(repo, "lib/in.txt"), "utf8")).toBe("2\n");
  });

  test("a repository that a command makes is set aside whole; one around files of ours does not hide them", async () => {
    const { repo } = repository({ "lib/a.txt": "1\n", "src/a.ts": "1\n" });
    const { run } = await guard(repo);
    const report = await run(() => {
      mkdirSync(join(repo, "clone"));
      git(join(repo, "clone"), "init", "-q");
      git(
        join(repo, "clone"),
        "-c",
        "user.name=T",
        "-c",
        "user.email=t@example.org",
        "commit",
        "-qm",
        "x",
        "--allow-empty",
      );
      git(join(repo, "lib"), "init", "-q");
      write(repo, { "lib/a.txt": "2\n" });
    });
    expect(report.putBack).toEqual(["lib/a.txt"]);
    expect(report.quarantined.map(({ path }) => path)).toEqual(["clone"]);
    expect([existsSync(join(repo, "clone")), readFileSync(join(repo, "lib/a.txt"), "utf8")]).toEqual([false, "1\n"]);
  });

  test("in a sparse checkout what is not there stays so, and what is made there is seen", async () => {
    const { repo } = repository({ "src/a.ts": "1\n", "docs/a.md": "1\n", "docs/b.md": "1\n", "c.txt": "1\n" });
    // as old as they are after a clone: git leaves those there that may have changed in its last second
    for (const path of ["docs/a.md", "docs/b.md"]) utimesSync(join(repo, path), 1e9, 1e9);
    git(repo, "status");
    git(repo, "sparse-checkout", "set", "src");
    expect(existsSync(join(repo, "docs/a.md"))).toBe(false);
    const index = git(repo, "ls-files", "--stage", "-t");
    const { run } = await guard(repo);
    const report = await run(() => write(repo, { "docs/a.md": "2\n", "c.txt": "2\n" }));
    expect(report).toMatchObject({ putBack: ["c.txt"], quarantined: [{ path: "docs/a.md" }] });
    expect([existsSync(join(repo, "docs/a.md")), git(repo, "ls-files", "--stage", "-t")]).toEqual([false, index]);
    expect(await run(() => {})).toEqual(nothing);
  });

  test("a file that git was told not to look at is looked at; an index in two parts is no index to begin with", async () => {
    const { repo } = repository({ "a.txt": "1\n", "b.txt": "1\n" });
    git(repo, "update-index", "--assume-unchanged", "a.txt");
    git(repo, "update-index", "--split-index");
    const { run } = await guard(repo);
    expect((await run(() => write(repo, { "a.txt": "2\n", "b.txt": "2\n" }))).putBack).toEqual(["a.txt", "b.txt"]);
    expect(readFileSync(join(repo, "a.txt"), "utf8")).toBe("1\n");
  });

  test("a worktree within a worktree is a repository of its own, and is guarded as one", async () => {
    const { repo } = repository({ "a.txt": "1\n", "src/a.ts": "1\n" });
    git(repo, "worktree", "add", "-q", "--detach", "outer");
    git(join(repo, "outer"), "worktree", "add", "-q", "--detach", "inner");
    const [main, inner] = [await guard(repo), await guard(join(repo, "outer/inner"))];
    const write2 = () =>
      write(repo, { "outer/a.txt": "2\n", "outer/inner/a.txt": "2\n", "outer/inner/src/a.ts": "2\n" });
    expect(await main.run(write2)).toEqual({ ...nothing, unread: ["outer"] });
    expect(await inner.run(write2)).toEqual(nothing);
    const more = () => write(repo, { "outer/inner/a.txt": "3\n", "outer/inner/src/a.ts": "3\n" });
    expect(await inner.run(more)).toEqual({ ...nothing, putBack: ["a.txt"], written: ["src/a.ts"] });
  });

  test("a repository without a commit is guarded, and a snapshot of it has no parent", async () => {
    const { repo } = { repo: scratch() };
    git(repo, "init", "-q");
    write(repo, { "a.txt": "mine\n" });
    const { run, shadow } = await guard(repo);
    const report = await run(() => write(repo, { "a.txt": "2\n", "src/a.ts": "2\n", "b.txt": "2\n" }));
    expect(report).toMatchObject({ putBack: ["a.txt"], written: ["src/a.ts"], quarantined: [{ path: "b.txt" }] });
    expect(readFileSync(join(repo, "a.txt"), "utf8")).toBe("mine\n");
    expect(await takeSnapshot(shadow, "first")).toMatchObject({ head: null });
  });

  test("two that look at one checkout at once are not in each other's way, and a lock of a dead one is none", async () => {
    const { repo } = repository({ "a.txt": "1\n" });
    const [one, two] = [await guard(repo), await guard(repo)];
    await one.shadow.look();
    await two.shadow.look();
    const folders = () => ["pawl-shadow", "pawl-shadow-2"].map((name) => existsSync(join(repo, ".git", name)));
    expect(folders()).toEqual([true, true]);
    expect(await Promise.all([one.shadow.look(), two.shadow.look()])).toHaveLength(2);
    one.shadow.close();
    writeFileSync(join(repo, ".git/pawl-shadow/index.lock"), "");
    const three = await guard(repo);
    expect((await three.run(() => write(repo, { "a.txt": "2\n" }))).putBack).toEqual(["a.txt"]);
  });
});
