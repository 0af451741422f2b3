import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/support/host.ts";
import { git as plain, repository, scratch, write } from "../../../test/support/scratch.ts";
import { gitProcess } from "./git-process.ts";
import { oftenGit } from "./git-reads.ts";
import { systemProcesses } from "./processes.ts";

/** past the first ones, that need no shell; shells are by environment */
async function warm(env: Record<string, string>, cwd: string): Promise<void> {
  for (let n = 0; n < 3; n++) await oftenGit(["version"], { cwd, env });
}
const envOf = (cwd: string) => ({ PAWL_TEST_SHELL: cwd });
const shellsOf = (cwd: string) => systemProcesses().withEnv("PAWL_TEST_SHELL", cwd);

describe("git by a shell that stays", () => {
  it("answers as git itself does, whatever is asked, and wherever", async () => {
    const { repo } = repository({ "it's\nä.txt": "x\ny", "big.txt": "line\n".repeat(1_000_000) });
    const bytes = join(repo, "bytes.bin");
    writeFileSync(bytes, Buffer.from([0, 255, 10, 0, 200]));
    plain(repo, "add", "--all");
    plain(repo, "commit", "-qm", "$(touch here) 'quoted' \"twice\" \\n");
    const env = envOf(repo);
    await warm(env, repo);
    const head = plain(repo, "rev-parse", "HEAD");
    const asked: readonly (readonly [readonly string[], string?, ("utf8" | "latin1")?])[] = [
      [["rev-parse", "--verify", "--quiet", "refs/heads/main^{commit}"]],
      [["rev-parse", "--verify", "--quiet", "refs/heads/$(id)"]],
      [["rev-parse", "it's; exit 3"]],
      [["for-each-ref", "--format=%(refname) '%(objectname)'\n\"$HOME\""]],
      [["ls-files", "-z"]],
      [["cat-file", "blob", "HEAD:it's\nä.txt"]],
      [["cat-file", "blob", "HEAD:big.txt"]],
      [["cat-file", "blob", "HEAD:bytes.bin"], repo, "latin1"],
      [["diff", "--no-ext-diff", "--no-textconv", `${head}^...${head}`, "--"].slice(0, 3)],
      [["--git-dir", join(repo, ".git"), "rev-list", "--count", "HEAD", "--"], join(repo, ".git")],
      [["rev-list", "--no-such-option"]],
      [["rev-parse", "HEAD"], scratch()],
      [["rev-parse", "HEAD"], join(repo, "gone")],
      [["remote", "get-url", "origin"]],
      [["worktree", "list", "--porcelain", "-z"]],
    ];
    for (const [args, cwd = repo, encoding = "utf8"] of asked) {
      const options = { cwd, env, encoding };
      expect(await oftenGit(args, options), args.join(" ")).toEqual(await gitProcess(args, options));
    }
    for (const input of ["", "it's\n\\n $(id) %s", "x\n".repeat(20_000)])
      for (const args of [
        ["hash-object", "-w", "--stdin"],
        ["cat-file", "--batch-check"],
      ]) {
        const options = { cwd: repo, env, input };
        expect(await oftenGit(args, options)).toEqual(await gitProcess(args, options));
      }
    const all = await Promise.all(asked.map(([args, cwd = repo]) => oftenGit(args, { cwd, env })));
    expect(all.map(({ code }) => code)).toEqual([0, 1, 128, 0, 0, 0, 0, 0, 0, 0, 129, 128, -1, 2, 0]);
  });

  it("sees a ref that another process moved a moment ago, and one shell serves many", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    const [first] = await shellsOf(repo);
    for (let n = 0; n < 5; n++) {
      write(repo, { "a.txt": `${n}` });
      plain(repo, "commit", "-qam", `${n}`);
      const seen = await oftenGit(["rev-parse", "refs/heads/main"], { cwd: repo, env });
      expect(seen.stdout.trim()).toBe(plain(repo, "rev-parse", "HEAD"));
    }
    expect(await shellsOf(repo)).toEqual([first]);
  });

  it("is done all the same when somebody ends the shell, and nothing stays for long", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    const [shell] = await shellsOf(repo);
    process.kill(shell!.pid, "SIGSTOP");
    const asked = oftenGit(["rev-parse", "--is-bare-repository"], { cwd: repo, env });
    process.kill(shell!.pid, "SIGKILL");
    expect(await asked).toMatchObject({ code: 0, stdout: "false\n" });
    await warm(env, repo);
    await until(async () => (await shellsOf(repo)).length === 0, "the shells ended");
  });

  it("is ended when it is aborted or takes too long, with all that it started", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    const [shell] = await shellsOf(repo);
    process.kill(shell!.pid, "SIGSTOP");
    const stop = new AbortController();
    const aborted = oftenGit(["version"], { cwd: repo, env, signal: stop.signal });
    stop.abort();
    process.kill(shell!.pid, "SIGCONT");
    expect(await aborted).toMatchObject({ code: -1, stderr: "ended: it was aborted" });
    await warm(env, repo);
    const [next] = await shellsOf(repo);
    expect(next).not.toEqual(shell);
    process.kill(next!.pid, "SIGSTOP");
    const slow = oftenGit(["version"], { cwd: repo, env, timeoutMs: 100 });
    setTimeout(() => process.kill(next!.pid, "SIGCONT"), 200);
    expect(await slow).toMatchObject({ code: -1, stderr: "ended: it took longer than 100 ms" });
  });

  it("what may start other programs, or is told something, has a process of its own", async () => {
    const { repo } = repository({ "a.txt": "a" });
    plain(repo, "config", "filter.slow.clean", "sleep 60 & cat");
    const env = envOf(repo);
    await warm(env, repo);
    const [shell] = await shellsOf(repo);
    process.kill(shell!.pid, "SIGSTOP");
    const others = [["status"], ["diff"], ["update-ref", "refs/x", "HEAD"], ["fetch", "."], ["show", "-s", "HEAD"]];
    for (const args of others) expect(await oftenGit(args, { cwd: repo, env }), args[0]).toMatchObject({ code: 0 });
    for (const input of ["ä\n", Buffer.from([1, 0, 2]), "x".repeat(100_000)]) {
      const told = await oftenGit(["hash-object", "--stdin"], { cwd: repo, env, input });
      expect(told).toEqual(await gitProcess(["hash-object", "--stdin"], { cwd: repo, env, input }));
    }
    process.kill(shell!.pid, "SIGKILL");
  });
});
