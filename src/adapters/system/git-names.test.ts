import { execFile } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { until } from "../../../test/support/host.ts";
import { git as plain, repository, scratch, write } from "../../../test/support/scratch.ts";
import { gitProcess } from "./git-process.ts";
import { oftenGit } from "./git-reads.ts";
import { systemProcesses } from "./processes.ts";

const processes = systemProcesses();
const tip = (name: string, cwd: string) => oftenGit(["rev-parse", "--verify", "--quiet", name], { cwd });
const itself = (name: string, cwd: string) => gitProcess(["rev-parse", "--verify", "--quiet", name], { cwd });

/** A repository whose programs that stay can be told from others', past the first questions that need none. */
async function asked() {
  const { repo } = repository({ "a.txt": "a" });
  vi.stubEnv("PAWL_TEST_NAMES", repo);
  onTestFinished(() => void vi.unstubAllEnvs());
  const staying = async () => {
    const all = await processes.withEnv("PAWL_TEST_NAMES", repo);
    const ours = await processes.descendants(process.pid);
    return all.filter(({ pid }) => ours.some((one) => one.pid === pid));
  };
  for (let n = 0; n < 3; n++) await tip("HEAD", repo);
  return { repo, staying };
}

describe("what a name stands for, by a git that stays", () => {
  it("is what git itself says, for whatever name", async () => {
    const { repo } = await asked();
    plain(repo, "tag", "-a", "-m", "one", "v1");
    plain(repo, "branch", "v1");
    plain(repo, "branch", "a/b");
    const head = plain(repo, "rev-parse", "HEAD");
    const bare = join(scratch(), "bare.git");
    plain(repo, "clone", "-q", "--bare", repo, bare);
    const names = [
      ...[
        "HEAD",
        "HEAD^{tree}",
        "HEAD^1",
        "HEAD^0",
        "refs/tags/v1",
        "refs/tags/v1^{commit}",
        "v1",
        "v1^{commit}",
        "a/b",
        "a",
      ],
      ...[
        head,
        head.slice(0, 7),
        `${head}^{tree}`,
        "0".repeat(40),
        "f".repeat(40),
        "refs/heads/nothing",
        "refs/heads/nothing^{commit}",
      ],
      ...["main..v1", "HEAD@{0}", ":/Start", "HEAD:a.txt", "-x", "", "a b", "main\nmain", "stash", "@", "ä"],
    ];
    for (const name of names)
      for (const cwd of [repo, bare]) expect(await tip(name, cwd), name).toEqual(await itself(name, cwd));
  });

  it("is asked once more for each question: a ref that moved, was packed, or is gone", async () => {
    const { repo, staying } = await asked();
    const before = await staying();
    for (let n = 0; n < 4; n++) {
      write(repo, { "a.txt": `${n}` });
      plain(repo, "commit", "-qam", `${n}`);
      if (n % 2 === 1) plain(repo, "pack-refs", "--all");
      expect((await tip("refs/heads/main^{commit}", repo)).stdout).toBe(`${plain(repo, "rev-parse", "HEAD")}\n`);
    }
    plain(repo, "branch", "other");
    expect(await tip("refs/heads/other", repo)).toMatchObject({ code: 0 });
    plain(repo, "branch", "-D", "other");
    expect(await tip("refs/heads/other", repo)).toEqual({ code: 1, stdout: "", stderr: "" });
    expect(before.length).toBeGreaterThan(0);
    expect(await staying()).toEqual(expect.arrayContaining([...before]));
  });

  it("is of the checkout that is asked, and of the repository that is there now", async () => {
    const { repo } = await asked();
    const other = join(scratch(), "tree");
    plain(repo, "worktree", "add", "-q", "-b", "side", other);
    plain(other, "commit", "-q", "--allow-empty", "-m", "side");
    for (let n = 0; n < 4; n++)
      for (const cwd of [repo, other, join(repo, ".git"), scratch()])
        expect(await tip("HEAD", cwd)).toEqual(await itself("HEAD", cwd));
    plain(repo, "gc", "-q");
    const old = `${plain(repo, "rev-parse", "HEAD")}^{commit}`;
    expect(await tip(old, repo)).toMatchObject({ code: 0 });
    const next = repository({ "b.txt": "another" }).repo;
    rmSync(repo, { recursive: true });
    expect(await tip("HEAD", repo)).toEqual(await itself("HEAD", repo));
    renameSync(next, repo);
    plain(repo, "commit", "-q", "--allow-empty", "-m", "another");
    expect((await tip(old, repo)).code).not.toBe(0);
    for (let n = 0; n < 4; n++) expect(await tip("HEAD", repo)).toEqual(await itself("HEAD", repo));
  });

  it("an object that was taken away is missed", async () => {
    const { repo } = await asked();
    plain(repo, "commit", "-q", "--allow-empty", "-m", "soon gone");
    const gone = plain(repo, "rev-parse", "HEAD");
    expect(await tip(`${gone}^{commit}`, repo)).toMatchObject({ code: 0 });
    plain(repo, "reset", "-q", "--hard", "HEAD^");
    plain(repo, "reflog", "expire", "--expire=now", "--all");
    plain(repo, "prune", "--expire=now");
    expect(await tip(`${gone}^{commit}`, repo)).toEqual(await itself(`${gone}^{commit}`, repo));
  });

  it("is told all the same when somebody ends or halts the program, which stands in no checkout", async () => {
    const { repo, staying } = await asked();
    expect(await processes.within(repo)).toEqual([]);
    for (const { pid } of await staying()) process.kill(pid, "SIGKILL");
    for (let n = 0; n < 4; n++) expect(await tip("HEAD", repo)).toEqual(await itself("HEAD", repo));
    for (const { pid } of await staying()) process.kill(pid, "SIGSTOP");
    expect(await tip("HEAD", repo)).toEqual(await itself("HEAD", repo));
  });

  it("holds no process that is done, and goes with it", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const program = `import { oftenGit } from ${JSON.stringify(resolve("src/adapters/system/git-reads.ts"))};
for (let n = 0; n < 6; n++) console.log((await oftenGit(["rev-parse", "HEAD"], { cwd: ${JSON.stringify(repo)} })).stdout.trim());`;
    const file = join(scratch(), "asks.mts");
    write(join(file, ".."), { "asks.mts": program });
    const env = { ...process.env, PAWL_TEST_NAMES: file };
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", file], { env });
    expect(new Set(stdout.trim().split("\n"))).toEqual(new Set([plain(repo, "rev-parse", "HEAD")]));
    await until(async () => (await processes.withEnv("PAWL_TEST_NAMES", file)).length === 0, "nothing stays");
  });
});
