import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/support/host.ts";
import { git as plain, repository, scratch, write } from "../../../test/support/scratch.ts";
import { systemGit } from "./git.ts";
import { systemProcesses } from "./processes.ts";

const git = systemGit();

describe("git", () => {
  it("gives an exit code as a result, and throws with the command and stderr where it must succeed", async () => {
    const cwd = scratch();
    expect(await git.run(["rev-parse", "HEAD"], { cwd })).toMatchObject({ code: 128, stdout: "" });
    await expect(git.must(["rev-parse", "HEAD"], { cwd })).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringMatching(/git rev-parse HEAD in .* ended with 128: fatal: not a git repository/),
    });
  });

  it("hears nothing of the GIT_ variables around it, and asks nobody anything", async () => {
    const { repo } = repository({ "ä b.txt": "x" });
    process.env.GIT_DIR = "/nowhere";
    process.env.GIT_INDEX_FILE = "/nowhere/index";
    try {
      expect(await git.must(["ls-files"], { cwd: repo })).toBe("ä b.txt");
    } finally {
      delete process.env.GIT_DIR;
      delete process.env.GIT_INDEX_FILE;
    }
    const ask = ["-c", "credential.helper=", "credential", "fill"];
    const asked = await git.run(ask, { cwd: repo, input: "protocol=https\nhost=example.org\n\n" });
    expect(asked.code).toBe(128);
  });

  it.each([["index.lock"], ["config.lock"]])("waits for the %s of another git", async (name) => {
    const { repo } = repository({ "a.txt": "a" });
    write(repo, { "a.txt": "b" });
    const lock = join(repo, ".git", name);
    writeFileSync(lock, "");
    setTimeout(() => rmSync(lock), 300);
    const args = name === "index.lock" ? ["commit", "-qam", "b"] : ["config", "pawl.test", "1"];
    expect(await git.run(args, { cwd: repo })).toMatchObject({ code: 0 });
  });

  it("does not wait where a ref is not at the commit that was named", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const head = plain(repo, "rev-parse", "HEAD");
    const start = performance.now();
    const moved = await git.run(["update-ref", "refs/heads/main", head, "1".repeat(40)], { cwd: repo });
    expect(moved.code).toBe(128);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("is ended by SIGTERM when it is aborted, and leaves no lock and no process", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const hook = join(repo, ".git/hooks/pre-commit");
    writeFileSync(hook, "#!/bin/sh\necho here >&2\nsleep 300\n");
    chmodSync(hook, 0o755);
    write(repo, { "a.txt": "b" });
    const env = { PAWL_TEST_GIT: repo };
    const processes = systemProcesses();
    const stop = new AbortController();
    const ended = git.run(["commit", "-qam", "b"], { cwd: repo, env, signal: stop.signal });
    await until(async () => (await processes.withEnv("PAWL_TEST_GIT", repo)).length > 1, "the hook began");
    stop.abort();
    expect(await ended).toMatchObject({ code: -1, stderr: expect.stringContaining("it was aborted") });
    await until(async () => (await processes.withEnv("PAWL_TEST_GIT", repo)).length === 0, "all of it ended");
    rmSync(hook);
    expect(await git.run(["commit", "-qam", "b"], { cwd: repo })).toMatchObject({ code: 0 });
    expect(await git.run(["status"], { cwd: repo, signal: stop.signal })).toMatchObject({ code: -1 });
  });

  it("is ended after its time, and says so", async () => {
    const { repo } = repository({ "a.txt": "a" });
    const slow = await git.run(["-c", "alias.slow=!sleep 300", "slow"], { cwd: repo, timeoutMs: 200 });
    expect(slow).toMatchObject({ code: -1, stderr: expect.stringContaining("longer than 200 ms") });
  });

  it("refuses a NUL, which would cut a path short", async () => {
    await expect(git.run(["add", "a\0b"], { cwd: scratch() })).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  it("lets the worktree commands of one repository go one at a time, also after one that failed", async () => {
    const { repo } = repository({});
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    const failing = git.worktrees(repo, () => Promise.reject(new Error("no")));
    const rest = [1, 2, 3].map(() => git.worktrees(repo, work));
    await expect(failing).rejects.toThrow("no");
    await Promise.all(rest);
    expect(most).toBe(1);
  });
});
