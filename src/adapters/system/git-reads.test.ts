import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { until } from "../../../test/support/host.ts";
import { git as plain, repository, scratch, write } from "../../../test/support/scratch.ts";
import type { GitOptions } from "../../ports/system.ts";
import { gitProcess } from "./git-process.ts";
import { oftenGit } from "./git-reads.ts";
import { systemProcesses } from "./processes.ts";

/** past the first ones, that need no shell; shells are by environment */
async function warm(env: Record<string, string>, cwd: string): Promise<void> {
  for (let n = 0; n < 3; n++) await oftenGit(["version"], { cwd, env });
}
const DATES = { GIT_AUTHOR_DATE: "@1 +0000", GIT_COMMITTER_DATE: "@1 +0000" };

/** Marks the shells of this test; what it gives goes to each git. */
function envOf(cwd: string): Record<string, string> {
  vi.stubEnv("PAWL_TEST_SHELL", cwd);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { PAWL_TEST_GIT: cwd };
}
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

  it("answers as git itself does where git may start others, write, or end by a signal", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    write(repo, { "it's\nä.txt": "x" });
    const head = plain(repo, "rev-parse", "HEAD");
    const others: readonly (readonly [readonly string[], GitOptions["input"]?, Record<string, string>?])[] = [
      [["status", "--porcelain=v2", "-z", "--untracked-files=all"]],
      [["diff", "--stat"]],
      [["update-ref", "refs/x", "HEAD"]],
      [["update-ref", "refs/x", head, "0".repeat(40)]],
      [["update-ref", "--stdin"], `verify refs/x ${head}\n`],
      [["fetch", "--quiet", "."]],
      [["show", "-s", "--format=%s", "HEAD"]],
      [["show", "-s", "--no-show-signature", "--format=%s", "HEAD"]],
      [["log", "--no-show-signature", "--name-only", "--format=%s", "HEAD"]],
      [["symbolic-ref", "HEAD"]],
      [["update-ref", "-d", "refs/x"]],
      [["update-ref", "refs/x", "nothing"]],
      [["commit-tree", `${head}^{tree}`, "-F", "-"], "ä\n", DATES],
      [["config", "-z", "--get-regexp", "^user"]],
      [["no-such-verb"]],
      [["-c", "alias.x=!cat; echo said >&2; exit 7", "x"], "tölz\n"],
      [["-c", "alias.x=!kill -KILL $PPID", "x"]],
      [["-c", 'alias.x=!echo "$GIT_ONE"', "x"], undefined, { GIT_ONE: "it's $HOME" }],
    ];
    for (const [args, input, more = {}] of others) {
      const options = { cwd: repo, env: { ...env, ...more }, ...(input === undefined ? {} : { input }) };
      expect(await oftenGit(args, options), args.join(" ")).toEqual(await gitProcess(args, options));
    }
    for (const input of ["ä\n", Buffer.from([1, 0, 2]), Buffer.from([200, 10]), "x".repeat(100_000)]) {
      const told = await oftenGit(["hash-object", "--stdin"], { cwd: repo, env, input });
      expect(told).toEqual(await gitProcess(["hash-object", "--stdin"], { cwd: repo, env, input }));
    }
  });

  it("what a hook left behind writes into no other's answer", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    const [shell] = await shellsOf(repo);
    const noise = "while :; do echo noise; echo noise >&2; echo >>noise; sleep 0.01; done";
    write(repo, { ".git/hooks/reference-transaction": `#!/bin/sh\n(${noise}) &\necho $! >>noisy\n` });
    chmodSync(join(repo, ".git/hooks/reference-transaction"), 0o755);
    expect(await oftenGit(["update-ref", "refs/x", "HEAD"], { cwd: repo, env })).toMatchObject({ code: 0, stdout: "" });
    const noisy = readFileSync(join(repo, "noisy"), "utf8").trim().split("\n").map(Number);
    onTestFinished(() => noisy.forEach((pid) => void process.kill(pid, "SIGKILL")));
    const size = () => readFileSync(join(repo, "noise"), "utf8").length;
    await until(() => existsSync(join(repo, "noise")), "it began to make noise");
    for (let n = 0; n < 5; n++) {
      const before = size();
      await until(() => size() > before, "it makes noise");
      for (const args of [
        ["rev-parse", "HEAD"],
        ["show", "-s", "--format=%s", "HEAD"],
      ])
        expect(await oftenGit(args, { cwd: repo, env })).toEqual(await gitProcess(args, { cwd: repo, env }));
    }
    expect(await shellsOf(repo)).toContainEqual(shell);
  });

  it("whatever git started is ended with it when it is aborted or takes too long, and the shell serves on", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    const [shell] = await shellsOf(repo);
    const slow = ["-c", "alias.x=!echo $$ >>began; sleep 60", "x"];
    const began = () => (existsSync(join(repo, "began")) ? readFileSync(join(repo, "began"), "utf8").split("\n") : []);
    const stop = new AbortController();
    const aborted = oftenGit(slow, { cwd: repo, env, signal: stop.signal });
    await until(() => began().length === 2, "it began");
    stop.abort();
    expect(await aborted).toMatchObject({ code: -1, stderr: "ended: it was aborted" });
    const late = await oftenGit(slow, { cwd: repo, env, timeoutMs: 300 });
    expect(late).toMatchObject({ code: -1, stderr: "ended: it took longer than 300 ms" });
    const pids = began().filter(Boolean).map(Number);
    expect(pids.length).toBe(2);
    const processes = systemProcesses();
    await until(
      async () => (await Promise.all(pids.map((pid) => processes.identity(pid)))).every((one) => one === "gone"),
      "they ended",
    );
    expect(await shellsOf(repo)).toEqual([shell]);
  });

  it("nobody knows how it went where the shell was ended meanwhile, and it is not done again", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const env = envOf(repo);
    await warm(env, repo);
    const [shell] = await shellsOf(repo);
    const asked = oftenGit(["-c", "alias.x=!echo >>began; until [ -e go ]; do sleep 0.01; done; echo >>ended", "x"], {
      cwd: repo,
      env,
    });
    await until(() => existsSync(join(repo, "began")), "it began");
    process.kill(shell!.pid, "SIGKILL");
    expect(await asked).toMatchObject({ code: -1, stderr: "ended: the shell that had started it is gone" });
    write(repo, { go: "" });
    await until(() => existsSync(join(repo, "ended")), "it went on to its end");
    expect(readFileSync(join(repo, "began"), "utf8")).toBe("\n");
  });
});
