import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, repository, write } from "../../../test/support/scratch.ts";
import { testGit } from "../../../test/support/test-git.ts";
import type { CodeTree } from "../../ports/code-tree.ts";
import { commitTree } from "./commit-tree.ts";
import { worktreeTree } from "./worktree-tree.ts";

const paths = async (tree: CodeTree): Promise<readonly string[]> => (await tree.list()).map(({ path }) => path);
const contents = async (tree: CodeTree): Promise<Record<string, string | null>> => {
  const files = await tree.list();
  const read = await tree.read(files, 1_000);
  return Object.fromEntries(
    files.map(({ path }, i) => [path, read[i] ? new TextDecoder().decode(read[i].bytes) : null]),
  );
};
const ODD = { "a b.ts": "1", "ä/ü.ts": "2", 'qu"ote.ts': "3", "tab\tline\n.ts": "4", "-dash.ts": "5" };

describe("the files of a worktree", () => {
  test("tracked, changed and new ones; not what is ignored, gone, a link, or no UTF-8", async () => {
    const { repo } = repository({ "a.ts": "a", "b.ts": "b", "gone.ts": "g", ".gitignore": "*.log\n", ...ODD });
    write(repo, { "b.ts": "changed", "new/c.ts": "new", "x.log": "ignored" });
    rmSync(join(repo, "gone.ts"));
    symlinkSync("/etc/passwd", join(repo, "link.ts"));
    writeFileSync(Buffer.concat([Buffer.from(`${repo}/`), Buffer.from([0xff, 0x2e, 0x74, 0x73])]), "no utf-8");
    git(repo, "add", "link.ts");
    expect(await contents(worktreeTree(testGit(), repo))).toEqual({
      ".gitignore": "*.log\n",
      "a.ts": "a",
      "b.ts": "changed",
      "new/c.ts": "new",
      ...ODD,
    });
  });

  test("a file has the hash of its content, committed or not, and when only its time changed", async () => {
    const { repo } = repository({ "a.ts": "same", "b.ts": "other" });
    write(repo, { "b.ts": "same", "c.ts": "same" });
    utimesSync(join(repo, "a.ts"), new Date(), new Date());
    const hashes = new Set((await worktreeTree(testGit(), repo).list()).map(({ hash }) => hash));
    expect([...hashes]).toEqual([git(repo, "rev-parse", "HEAD:a.ts")]);
  });

  test("a file that changed twice at once, with its time and size the same, is noticed", async () => {
    const { repo } = repository({ "a.ts": "0" });
    const tree = worktreeTree(testGit(), repo);
    const at = new Date(1_000_000_000_000);
    const seen = new Set<string>();
    for (const text of ["1", "2", "3"]) {
      write(repo, { "a.ts": text });
      utimesSync(join(repo, "a.ts"), at, at);
      seen.add((await tree.list())[0]!.hash);
    }
    expect(seen.size).toBe(3);
  });

  test("what was read has the hash of these very bytes, also when it changed since the list", async () => {
    const { repo } = repository({ "a.ts": "old" });
    const tree = worktreeTree(testGit(), repo);
    const listed = await tree.list();
    write(repo, { "a.ts": "newer" });
    const [read] = await tree.read(listed, 1_000);
    expect(new TextDecoder().decode(read!.bytes)).toBe("newer");
    expect(read!.hash).not.toBe(listed[0]!.hash);
  });

  test("what is too large, gone, or a folder by now gives nothing", async () => {
    const { repo } = repository({ "big.ts": "x".repeat(50), "gone.ts": "x", "folder.ts": "x", "link.ts": "x" });
    const tree = worktreeTree(testGit(), repo);
    const listed = await tree.list();
    for (const name of ["gone.ts", "folder.ts", "link.ts"]) rmSync(join(repo, name));
    mkdirSync(join(repo, "folder.ts"));
    symlinkSync("/etc/passwd", join(repo, "link.ts"));
    expect(await tree.read(listed, 20)).toEqual([null, null, null, null]);
  });

  test("a repository without a commit has its new files; one without a file has none", async () => {
    const { repo } = repository({});
    expect(await paths(worktreeTree(testGit(), repo))).toEqual([]);
    git(repo, "update-ref", "-d", "HEAD");
    write(repo, { "a.ts": "a" });
    expect(await paths(worktreeTree(testGit(), repo))).toEqual(["a.ts"]);
  });
});

describe("the files of a commit", () => {
  test("are as git holds them, whatever the worktree has", async () => {
    const { repo } = repository({ "a.ts": "a", "b.bin": "\0\n\0", ...ODD });
    write(repo, { "a.ts": "changed" });
    expect(await contents(commitTree(testGit(), repo, "HEAD"))).toEqual({ "a.ts": "a", "b.bin": "\0\n\0", ...ODD });
  });

  test("have the same hashes as in a worktree", async () => {
    const { repo } = repository({ "a.ts": "a", "b.ts": "" });
    const committed = await commitTree(testGit(), repo, "HEAD").list();
    expect(await worktreeTree(testGit(), repo).list()).toEqual(committed);
  });

  test("the same content at two places is read for both; what is too large is not", async () => {
    const { repo } = repository({ "a.ts": "same", "b.ts": "same", "big.ts": "x".repeat(100) });
    const tree = commitTree(testGit(), repo, "HEAD");
    const read = await tree.read(await tree.list(), 50);
    expect(read.map((one) => one && new TextDecoder().decode(one.bytes))).toEqual(["same", "same", null]);
  });
});
