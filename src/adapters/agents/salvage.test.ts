import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git, repository, scratch } from "../../../test/support/scratch.ts";
import { systemGit } from "../system/git.ts";
import type { Drive } from "./leg.ts";
import { type Salvage, salvage } from "./salvage.ts";

const FILES = { "README.md": "A shop\n", "src/a.txt": "a\n", ".gitignore": "*.log\n.pawl/\n" };

/** A repository with a task's worktree: made once and copied, a third of the time. */
let model: string;
beforeAll(() => {
  model = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  const { repo } = repository(FILES, { at: model });
  git(repo, "worktree", "add", "-q", "-b", "pawl/task-1", join(repo, WORKTREE));
});
afterAll(() => rmSync(model, { recursive: true, force: true }));
const WORKTREE = ".pawl/worktrees/task-1";

function copied(): { repo: string; worktree: string; gitDir: string } {
  const at = scratch();
  cpSync(model, at, { recursive: true });
  const repo = join(at, "repo");
  const [worktree, gitDir] = [join(repo, WORKTREE), join(repo, ".git/worktrees/task-1")];
  // each names the other by its whole path
  for (const file of [join(worktree, ".git"), join(gitDir, "gitdir")])
    writeFileSync(file, readFileSync(file, "utf8").replace(model, at));
  return { repo, worktree, gitDir };
}

/** A task's worktree after an agent did `command` there, and what salvage makes of it. */
async function salvaged(command: string) {
  const { repo, worktree, gitDir } = copied();
  execFileSync("sh", ["-ec", command], { cwd: worktree, stdio: ["ignore", "pipe", "pipe"] });
  const drive = { worktree, gitDir, title: "Work", wish: { run: "task-1/1/1" }, authorized: ["src/**"], protect: [] };
  const place = {
    kind: "worktree",
    branch: "pawl/task-1",
    base: "main",
    start: null,
    contains: [],
    merge: null,
  } as const;
  const again = (): Promise<Salvage> =>
    salvage(drive as unknown as Drive, place, {
      git: systemGit(),
      repo,
      signal: AbortSignal.timeout(60_000),
    } as never);
  const said = await again();
  const tree = git(worktree, "ls-tree", "-r", "-z", "pawl/task-1").split("\0").filter(Boolean);
  return {
    worktree,
    said,
    again,
    /** `mode path` of what is committed in src/ */
    src: tree.map((line) => line.replace(/ .*?\t/s, " ")).filter((line) => line.slice(7).startsWith("src/")),
    status: () => git(worktree, "status", "--porcelain"),
    files: () => git(worktree, "show", "--format=", "--name-status", "HEAD"),
  };
}

/** What an agent does with the worktree, and the lines `mode path` of src/ that are committed then. */
type Row = readonly [title: string, command: string, tree: readonly string[]];
const A = "100644 src/a.txt";
const made = (path: string) => `mkdir -p "$(dirname "${path}")" && echo "${path}" >"${path}"`;
const commits = (path: string) => `${made(path)} && git add "${path}" && git commit -qm before`;
const NAMES = [
  "a b",
  '"q"',
  "it's",
  "-dash",
  ":colon",
  ":(top)x",
  "*star",
  "[x]",
  "tab\tx",
  "back\\slash",
  "new\nline",
  "ä",
];

const WORK: readonly Row[] = [
  ["a file removed and staged", `git rm -q src/a.txt; ${made("src/n")}`, ["100644 src/n"]],
  ["the only file removed and staged", "git rm -q src/a.txt", []],
  ["a rename that is staged", "git mv src/a.txt src/b.txt", ["100644 src/b.txt"]],
  ["a file replaced by a folder", "rm src/a.txt; mkdir src/a.txt; echo x >src/a.txt/x", ["100644 src/a.txt/x"]],
  [
    "a file replaced by a folder, staged",
    "git rm -q src/a.txt; mkdir -p src/a.txt; echo x >src/a.txt/x; git add src",
    ["100644 src/a.txt/x"],
  ],
  ["a folder replaced by a file", `${commits("src/d/x")}; rm -r src/d; echo f >src/d`, [A, "100644 src/d"]],
  ["a folder replaced by a link", `${commits("src/d/x")}; rm -r src/d; ln -s . src/d`, [A, "120000 src/d"]],
  [
    "a folder replaced by a link to one that has the same files",
    `${commits("src/d/x")}; mv src/d src/e; ln -s e src/d`,
    [A, "120000 src/d", "100644 src/e/x"],
  ],
  [
    "a link replaced by a file",
    "ln -s a.txt src/l; git add src/l; git commit -qm l; rm src/l; echo l >src/l",
    [A, "100644 src/l"],
  ],
  ["a file replaced by a link", "rm src/a.txt; ln -s ../README.md src/a.txt", ["120000 src/a.txt"]],
  [
    "a file that was staged and then removed",
    `${made("src/t")}; git add src/t; rm src/t; ${made("src/n")}`,
    [A, "100644 src/n"],
  ],
  ["a rename over another file", `${commits("src/b")}; git mv -f src/b src/a.txt`, [A]],
  ["a mode that was changed", "chmod +x src/a.txt", ["100755 src/a.txt"]],
  ["a mode that was changed in the index alone", "git update-index --chmod=+x src/a.txt", ["100755 src/a.txt"]],
  [
    "a new file that is executable in the index alone",
    `${made("src/n")}; git add --chmod=+x src/n`,
    [A, "100755 src/n"],
  ],
  [
    "names of every kind",
    NAMES.map((name) => `echo x >'src/${name.replaceAll("'", "'\\''")}'`).join("; "),
    [A, ...NAMES.map((name) => `100644 src/${name}`)],
  ],
  ["a name that is not UTF-8", `printf x >"src/$(printf 'b\\377d')"`, [A, "100644 src/b\u{fffd}d"]],
  ["a file that is intended to be added", `${made("src/n")}; git add -N src/n`, [A, "100644 src/n"]],
  [
    "an intention to add what is gone",
    `${made("src/t")}; git add -N src/t; rm src/t; ${made("src/n")}`,
    [A, "100644 src/n"],
  ],
  ["a rename of case alone", "mv src/a.txt src/A.txt", ["100644 src/A.txt"]],
  ["a rename of case alone, staged", "git mv src/a.txt src/A.txt", ["100644 src/A.txt"]],
  [
    "a file that is said not to be looked at",
    `git update-index --assume-unchanged src/a.txt; rm src/a.txt; ${made("src/n")}`,
    ["100644 src/n"],
  ],
  [
    "a file that is said to be elsewhere",
    "git update-index --skip-worktree src/a.txt; ln -sf ../README.md src/a.txt",
    ["120000 src/a.txt"],
  ],
  [
    "a new file outside a sparse checkout",
    `${commits("src/d/x")}; git sparse-checkout set --no-cone /src/a.txt; ${made("src/n")}`,
    [A, "100644 src/d/x", "100644 src/n"],
  ],
  ["a file that is ignored, and staged by force", "echo s >src/x.log; git add -f src/x.log", [A, "100644 src/x.log"]],
  [
    "a file that was staged, and is ignored since",
    `${made("src/s")}; git add src/s; echo 's' >src/.gitignore`,
    [A, "100644 src/.gitignore", "100644 src/s"],
  ],
  [
    "a file that is no longer tracked, and ignored",
    "git rm -q --cached src/a.txt; echo a.txt >src/.gitignore",
    ["100644 src/.gitignore"],
  ],
];

describe("work that was not committed is", () => {
  it.each(WORK)("%s", async (_, command, tree) => {
    const { said, src, status } = await salvaged(command);
    expect(said).toEqual({ left: [], faults: [] });
    expect(src.sort()).toEqual([...tree].sort());
    expect(status()).toBe("");
  });

  it("nothing, where what was staged is gone again", async () => {
    const { said, status, worktree } = await salvaged(`${made("src/t")}; git add src/t; rm src/t`);
    expect(said).toEqual({ left: [], faults: [] });
    expect(status()).toBe("");
    expect(git(worktree, "log", "-1", "--format=%s")).toBe("Start");
  });
});

describe("what is outside the scope stays as it is", () => {
  const N = made("src/n");
  it.each<[what: string, command: string, left: readonly string[], status: string]>([
    ["removed and staged", `git rm -q README.md; ${N}`, ["README.md"], "D  README.md"],
    ["renamed into the scope", "git mv README.md src/n", ["README.md"], "D  README.md"],
    ["new and staged", `${N}; ${made("top")}; git add top`, ["top"], "A  top"],
    ["new, staged and gone", `${N}; ${made("top")}; git add top; rm top`, ["top"], "AD top"],
    ["intended to be added", `${N}; ${made("top")}; git add -N top`, ["top"], " A top"],
    [
      "staged in an index of two files",
      `${N}; git update-index --split-index; echo x >README.md; git add README.md`,
      ["README.md"],
      "M  README.md",
    ],
    [
      "hidden from git",
      `${N}; git update-index --skip-worktree README.md; echo x >>README.md`,
      ["README.md"],
      " M README.md",
    ],
  ])("%s", async (_, command, left, status) => {
    const one = await salvaged(command);
    expect(one.said).toEqual({ left, faults: [] });
    expect(one.files()).toBe("A\tsrc/n");
    expect(one.status()).toBe(status);
    expect(await one.again()).toEqual(one.said);
  });
});

describe("what no commit can hold is told with its name and the reason, and the rest is committed", () => {
  const nested = "git init -q src/in && git -C src/in commit -q --allow-empty -m in";
  const text =
    "src/in: a repository within the repository, whose files are not committed: take its .git away, or all of it";
  it.each([
    ["untracked", nested],
    ["staged", `${nested} && git add src/in 2>/dev/null`],
    ["in place of a file", `${commits("src/in")}; rm src/in; ${nested}`],
  ])("a repository within the repository, %s", async (_, command) => {
    const { said, src } = await salvaged(`${command}; ${made("src/n")}`);
    expect(said).toEqual({ left: [], faults: [{ text, file: "src/in" }] });
    expect(src).toContain("100644 src/n");
    expect(src.join()).not.toContain("160000");
  });

  it("a file that a filter refuses", async () => {
    const filter = `git config filter.no.clean "echo no such key >&2; exit 3"; git config filter.no.required true`;
    const { said, src } = await salvaged(
      `${filter}; echo 'bad* filter=no' >src/.gitattributes; ${["src/n", "src/bad1", "src/bad2", "src/o"].map(made).join(";")}`,
    );
    expect(said.faults.map(({ file }) => file)).toEqual(["src/bad1", "src/bad2"]);
    expect(said.faults[0]?.text).toMatch(/^src\/bad1: cannot be staged: .*no such key/);
    expect(src).toEqual(
      [A, "100644 src/.gitattributes", "100644 src/n", "100644 src/o"].sort((a, b) =>
        a.slice(7) < b.slice(7) ? -1 : 1,
      ),
    );
  });

  it("a conflict that nobody resolved: then nothing is committed", async () => {
    const conflict =
      "echo 1 >src/a.txt; git stash -q; echo 2 >src/a.txt; git commit -qam two; git stash pop -q || true";
    const { said, worktree } = await salvaged(`${conflict} >/dev/null; ${made("src/n")}`);
    const words = "src/a.txt: a conflict that was not resolved: resolve it, `git add` it and commit";
    expect(said).toEqual({ left: [], faults: [{ text: words, file: "src/a.txt" }] });
    expect(git(worktree, "log", "-1", "--format=%s")).toBe("two");
  });

  it("a submodule that is changed inside; its commit, where it has a new one, is taken", async () => {
    const lib = "git init -q ../lib && git -C ../lib commit -q --allow-empty -m lib";
    const add = `${lib}; git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" src/lib; git commit -qm lib`;
    const dirty = await salvaged(`${add}; ${made("src/lib/new")}; ${made("src/n")}`);
    expect(dirty.said.faults).toEqual([{ file: "src/lib", text: expect.stringContaining("commit it there first") }]);
    expect(dirty.src).toContain("100644 src/n");
    const moved = await salvaged(`${add}; git -C src/lib commit -q --allow-empty -m two; ${made("src/n")}`);
    expect(moved.said).toEqual({ left: [], faults: [] });
    expect(moved.files()).toBe("M\tsrc/lib\nA\tsrc/n");
  });
});

it("a submodule that was left behind when the branch moved on is not taken back to its old commit", async () => {
  const lib = "git init -q ../lib && git -C ../lib commit -q --allow-empty -m one";
  const add = `${lib}; git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" src/lib; git commit -qm lib`;
  const moved = `git -C ../lib commit -q --allow-empty -m two; two=$(git -C ../lib rev-parse HEAD); git update-index --cacheinfo 160000,$two,src/lib; git commit -qm moved`;
  for (const known of ["true", "git -C src/lib fetch -q"]) {
    const { said, files } = await salvaged(`${add}; ${moved}; ${known}; ${made("src/n")}`);
    expect(said).toEqual({ left: [], faults: [] });
    expect(files()).toBe("A\tsrc/n");
  }
});

it("a new submodule that .gitmodules names is work like any other", async () => {
  const lib = "git init -q ../lib && git -C ../lib commit -q --allow-empty -m lib";
  const add = `git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" src/lib`;
  const { said, src } = await salvaged(`${lib}; ${add}`);
  expect(said).toEqual({ left: [".gitmodules"], faults: [] });
  expect(src).toContain("160000 src/lib");
});

it("a copy of ours is never committed, staged or not", async () => {
  const copied = 'echo KEY >src/.env; echo \'["src/.env"]\' >"$(git rev-parse --git-dir)/pawl-copied.json"';
  const { said, src, worktree } = await salvaged(`${copied}; git add src/.env; ${made("src/n")}`);
  expect(said).toEqual({ left: [], faults: [] });
  expect(src).toEqual([A, "100644 src/n"]);
  expect(readFileSync(join(worktree, "src/.env"), "utf8")).toBe("KEY\n");
});

it("an index that was cut off when the machine went down is made anew, and the work is committed", async () => {
  const cut = 'i="$(git rev-parse --git-dir)/index"; head -c 40 "$i" >../cut; cp ../cut "$i"';
  for (const command of [cut, cut.replace("-c 40", "-c 0")]) {
    const { said, files } = await salvaged(`${made("src/n")}; echo b >src/a.txt; ${command}`);
    expect(said).toEqual({ left: [], faults: [] });
    expect(files()).toBe("M\tsrc/a.txt\nA\tsrc/n");
  }
});

it("a worktree that git cannot read is told, and not asked for ever", async () => {
  const { said } = await salvaged(`${made("src/n")}; git config status.showUntrackedFiles nonsense`);
  expect(said).toEqual({ left: [], faults: [{ text: expect.stringContaining("the worktree cannot be read: ") }] });
});

it("hooks run, and see what is committed", async () => {
  const hook = 'mkdir -p "$(git rev-parse --git-common-dir)/hooks"; cd "$(git rev-parse --git-common-dir)/hooks"';
  const text = "#!/bin/sh\ngit diff --cached --name-only >src/seen\ngit add src/seen\n";
  const command = `(${hook}; printf '${text.replaceAll("\n", "\\n")}' >pre-commit; chmod +x pre-commit)`;
  const { files } = await salvaged(`${command}; ${made("src/n")}; ${made("top")}; git add top`);
  expect(files()).toBe("A\tsrc/n\nA\tsrc/seen");
});
