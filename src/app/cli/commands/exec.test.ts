import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { needs } from "../../../../test/support/needs.ts";
import { git, repository, scratch } from "../../../../test/support/scratch.ts";
import { SANDBOX_ARGS } from "../../../workspace/commands/sandbox.ts";

const CLI = resolve("dist/cli.mjs");

function pawl(cwd: string, args: readonly string[], of: { input?: string; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd,
    input: of.input ?? "",
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: cwd, ...of.env },
    maxBuffer: 1e8,
  });
  return { code: status, out: stdout, err: stderr };
}

describe("pawl exec", () => {
  test("passes output on as it is, each stream to its own, and the exit code", () => {
    const cwd = scratch();
    expect(pawl(cwd, ["exec", "--", "printf 'a\\033[31mb'; printf c >&2; exit 3"])).toEqual({
      code: 3,
      out: "a\u001b[31mb",
      err: "c",
    });
    expect(pawl(cwd, ["exec", "--", "printf", "%s|", "$HOME", "a b"]).out).toBe("$HOME|a b|");
  });

  test("with --json prints the result, and has the same exit code", () => {
    const cwd = scratch();
    const { code, out, err } = pawl(cwd, ["exec", "--json", "--", "sh", "-c", "echo out; echo err >&2; exit 4"]);
    const result = JSON.parse(out);
    expect(result).toEqual({
      ok: false,
      success: false,
      exit_code: 4,
      ending: "exit",
      stdout: "out\n",
      stderr: "err\n",
      duration_ms: result.duration_ms,
    });
    expect([code, err]).toEqual([4, ""]);
  });

  test("takes a request as JSON on stdin: cmd, cwd, env, timeout", () => {
    const cwd = scratch();
    const ask = (request: unknown) => {
      const { code, out } = pawl(cwd, ["exec", "--json", "--request", "-"], { input: JSON.stringify(request) });
      return { code, ...JSON.parse(out) };
    };
    expect(ask({ cmd: 'pwd; echo "$A"', cwd: "/", env: { A: "b" }, timeout: 30 })).toMatchObject({
      code: 0,
      stdout: "/\nb\n",
    });
    expect(ask({ cmd: ["echo", "$A"], timeout: "30s" })).toMatchObject({ code: 0, stdout: "$A\n" });
    expect(ask({ cmd: "sleep 30", timeout: 0.3 })).toMatchObject({ code: 124, ending: "timeout", exit_code: -1 });
    for (const request of [
      {},
      { cmd: 1 },
      { cmd: "a", timeout: "soon" },
      { cmd: "a", shell: true },
      { cmd: "a", env: { A: 1 } },
      [],
    ])
      expect(ask(request), JSON.stringify(request)).toMatchObject({
        code: 2,
        ok: false,
        errors: [{ code: "REQUEST_BAD" }],
      });
    expect(pawl(cwd, ["exec", "--json", "--request", "-"], { input: "{" }).code).toBe(2);
    expect(ask({ cmd: "true", cwd: "/no/such/folder" })).toMatchObject({ code: 2, errors: [{ code: "CWD_MISSING" }] });
    expect(ask({ cmd: "a\0b" })).toMatchObject({ code: 2, errors: [{ code: "COMMAND_INVALID" }] });
  });

  test("ends like a shell where the command did not end by itself", () => {
    const cwd = scratch();
    expect(pawl(cwd, ["exec", "--", "no-such-program-here", "x"]).code).toBe(127);
    expect(pawl(cwd, ["exec", "--", "/etc/passwd", "x"]).code).toBe(126);
    expect(pawl(cwd, ["exec", "--", "kill -SEGV $$"]).code).toBe(139);
    const late = pawl(cwd, ["exec", "--timeout", "1s", "--", "sleep 30"]);
    expect([late.code, late.err]).toEqual([124, "note: the command was ended after 1 s\n"]);
    expect(pawl(cwd, ["exec", "--timeout", "soon", "--", "true"]).err).toContain("error[USAGE] --timeout takes a time");
    expect(pawl(cwd, ["exec"]).err).toContain("no command was named");
  });

  test("is told when something lived on", () => {
    expect(pawl(scratch(), ["exec", "--", "setsid sleep 300 >/dev/null 2>&1 & sleep 0.2"]).err).toBe(
      "note: 1 of its processes lived on, and were ended\n",
    );
  });

  test("stopped, it ends its command first", async () => {
    const cwd = scratch();
    const child = spawn(
      process.execPath,
      [CLI, "exec", "--", "trap 'echo asked; exit 0' TERM; echo begun; while :; do sleep 0.05; done"],
      { cwd },
    );
    let out = "";
    child.stdout.on("data", (part) => {
      out += part;
      if (out === "begun\n") child.kill("SIGTERM");
    });
    const [code] = await once(child, "close");
    expect([code, out]).toEqual([130, "begun\nasked\n"]);
  });

  test("its reader goes away: the command is ended", async () => {
    const child = spawn(process.execPath, [CLI, "exec", "--", "yes"], { cwd: scratch() });
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    expect(code).toBe(130);
  });

  test("finds what is allowed by name, in pawl.yaml where there is one", () => {
    const { repo } = repository({ "pawl.yaml": "sandbox: {env: [PATH, COLOUR]}\n" });
    const env = { COLOUR: "red", MY_TOKEN: "abcdefgh" };
    expect(pawl(repo, ["exec", "--", 'echo "$COLOUR $MY_TOKEN"; echo abcdefgh'], { env }).out).toBe(
      "red \n[redacted MY_TOKEN]\n",
    );
    expect(pawl(scratch(), ["exec", "--", 'echo "$COLOUR"'], { env }).out).toBe("\n");
    expect(pawl(repo, ["exec", "--env", "A=b=c", "--", 'echo "$A"'], { env }).out).toBe("b=c\n");
    writeFileSync(join(repo, "pawl.yaml"), "sandbox: [\n");
    expect(pawl(repo, ["exec", "--", "true"]).code).toBe(2);
  });

  test("refuses what is denied or not allowed, and what cannot be told", () => {
    const cwd = scratch();
    const denied = pawl(cwd, ["exec", "--json", "--deny", "git push", "--", "sh", "-c", "touch x; git push"]);
    expect([denied.code, JSON.parse(denied.out).errors[0].code]).toEqual([1, "COMMAND_DENIED"]);
    expect(existsSync(join(cwd, "x"))).toBe(false);
    expect(pawl(cwd, ["exec", "--deny", "git push", "--", "git $X"]).err).toContain("error[COMMAND_UNCLEAR]");
    expect(pawl(cwd, ["exec", "--deny", "git push", "--yes", "--", "echo $X"]).code).toBe(0);
    expect(pawl(cwd, ["exec", "--allow", "echo", "--", "printenv"]).err).toContain("error[COMMAND_DENIED]");
    expect(pawl(cwd, ["exec", "--allow", "echo", "--", "echo a | echo b"]).out).toBe("b\n");
  });

  test("writes a log", () => {
    const cwd = scratch();
    pawl(cwd, ["exec", "--log", "out.log", "--", "echo a; echo b >&2"]);
    expect(readFileSync(join(cwd, "out.log"), "utf8").split("\n").sort()).toEqual(["", "a", "b"]);
    expect(statSync(join(cwd, "out.log")).mode & 0o777).toBe(0o600);
  });
});

describe("a scope", () => {
  const MESS = "echo 2 >src/a.ts; echo 2 >b.txt; echo 2 >new.txt; echo c >src/c.ts; exit 3";

  test("WRK-9.1 puts back what a command wrote elsewhere, sets aside what it made there, and names both", () => {
    const { repo } = repository({ "src/a.ts": "1\n", "b.txt": "1\n" });
    writeFileSync(join(repo, "b.txt"), "the user's\n");
    const { code, out } = pawl(repo, ["exec", "--json", "--scope", "src/**", "--", MESS]);
    const result = JSON.parse(out);
    const to = join(repo, ".pawl/quarantine/new.txt");
    expect([code, result.exit_code]).toEqual([3, 3]);
    expect(result.scope).toEqual({
      written: ["src/a.ts", "src/c.ts"],
      put_back: ["b.txt"],
      quarantined: [{ path: "new.txt", to }],
      unread: [],
    });
    expect([readFileSync(join(repo, "b.txt"), "utf8"), existsSync(join(repo, "new.txt"))]).toEqual([
      "the user's\n",
      false,
    ]);
    expect(readFileSync(to, "utf8")).toBe("2\n");
    expect(git(repo, "status", "--short").split("\n")).toEqual([" M b.txt", " M src/a.ts", "?? src/c.ts"]);
    expect(pawl(repo, ["exec", "--scope", "src/**", "--", "echo 3 >b.txt; echo 3 >new.txt"]).err.split("\n")).toEqual([
      "note: outside the scope, put back: b.txt",
      `note: outside the scope, set aside: new.txt -> ${to}.2`,
      "",
    ]);
  });

  test("of a request narrows the one of the flags, in the words of pawl edit; without a repository there is none", () => {
    const { repo } = repository({ "src/a.ts": "1\n", "src/b/c.ts": "1\n", "d.txt": "1\n" });
    const input = JSON.stringify({
      cmd: "echo 2 >src/a.ts; echo 2 >src/b/c.ts; echo 2 >d.txt",
      scope: ["src/b/**", "d.txt"],
    });
    const asked = pawl(repo, ["exec", "--json", "--scope", "src/**", "--request", "-"], { input });
    expect(JSON.parse(asked.out).scope).toMatchObject({ written: ["src/b/c.ts"], put_back: ["d.txt", "src/a.ts"] });
    const bad = pawl(repo, ["exec", "--scope", "../x", "--", "true"]);
    expect([bad.code, bad.err]).toEqual([2, expect.stringContaining("error[GLOB_BAD]")]);
    expect(pawl(scratch(), ["exec", "--scope", "src/**", "--", "true"]).err).toContain("error[REPO_MISSING]");
    const edit = pawl(repo, ["edit", "--json", "--scope", "src/**"], {
      input: JSON.stringify({ edits: [{ op: "delete", path: "d.txt" }] }),
    });
    expect(JSON.parse(edit.out).error).toMatchObject({ code: "OUT_OF_SCOPE", path: "d.txt" });
  });

  test("holds for a command that is cut off, too; in a worker things are set aside in the folder of its run", () => {
    const { repo } = repository({ "src/a.ts": "1\n", "b.txt": "1\n" });
    const run = join(scratch(), "run");
    mkdirSync(run);
    const { code, out } = pawl(
      repo,
      ["exec", "--json", "--timeout", "1s", "--scope", "src/**", "--", "echo 2 >b.txt; echo 2 >c.txt; sleep 30"],
      { env: { PAWL_RUN_DIR: run } },
    );
    expect([code, JSON.parse(out).scope]).toEqual([
      124,
      {
        written: [],
        put_back: ["b.txt"],
        quarantined: [{ path: "c.txt", to: join(run, "quarantine/c.txt") }],
        unread: [],
      },
    ]);
  });
});

describe("a sandbox", () => {
  const sandboxed = needs("bwrap", "bubblewrap", [...SANDBOX_ARGS, "true"]);
  const inside = (cwd: string, text: string, ...flags: string[]) =>
    pawl(cwd, ["exec", "--sandbox", "require", ...flags, "--", text]);

  sandboxed("lets a command write to its checkout and commit there, and nowhere else", () => {
    const { repo } = repository({ "a.txt": "a\n" });
    git(repo, "worktree", "add", "-q", "../tree", "-b", "work");
    const tree = join(repo, "../tree");
    const result = inside(
      tree,
      "echo b >b.txt && git add b.txt && git -c user.name=J -c user.email=j@example.org commit -qm B && touch ../x ../repo/y; touch /usr/pawl-x",
    );
    expect(result.code).not.toBe(0);
    expect(result.err).toMatch(/Read-only file system/);
    expect(git(tree, "log", "-1", "--format=%s")).toBe("B");
    expect(["../x", "y", "/usr/pawl-x"].map((path) => existsSync(resolve(repo, path)))).toEqual([false, false, false]);
  });

  sandboxed("keeps git's hooks and configuration, which would run outside of it", () => {
    const { repo } = repository({ "a.txt": "a\n" });
    const result = inside(repo, "echo x >.git/hooks/pre-commit; git config core.pager x; ls .git/hooks");
    expect(result.out).not.toMatch(/^pre-commit$/m);
    expect(git(repo, "config", "--get-all", "user.name")).toBe("Test");
    expect(() => git(repo, "config", "--get", "core.pager")).toThrow();
  });

  sandboxed("sees no process outside, has a /tmp of its own, and its end is the command's", () => {
    const { repo } = repository({ "a.txt": "a\n" });
    const result = inside(repo, "ls /proc | grep -c '^[0-9]'; echo x >/tmp/only-here; setsid sleep 300 & exit 7");
    expect([result.code, Number(result.out) < 10]).toEqual([7, true]);
    expect(existsSync("/tmp/only-here")).toBe(false);
  });

  sandboxed("has no network where that is said", () => {
    const { repo } = repository({ "a.txt": "a\n" });
    expect(inside(repo, "cat /proc/net/dev | grep -vc 'lo:'", "--no-network").out).toBe("2\n");
  });

  sandboxed("runs a text that is longer than an argument", () => {
    const { repo } = repository({ "a.txt": "a\n" });
    const input = JSON.stringify({ cmd: `: ${"x".repeat(200_000)}\necho long` });
    expect(pawl(repo, ["exec", "--sandbox", "require", "--request", "-"], { input }).out).toBe("long\n");
    expect(git(repo, "status", "--short")).toBe("");
  });

  test("that cannot be made is said in one line, or is a refusal where it is required", () => {
    const { repo } = repository({ "a.txt": "a\n" });
    const bin = scratch();
    for (const name of ["git", "sh"])
      spawnSync("ln", ["-s", spawnSync("which", [name], { encoding: "utf8" }).stdout.trim(), join(bin, name)]);
    const without = (mode: string) => pawl(repo, ["exec", "--sandbox", mode, "--", "echo hi"], { env: { PATH: bin } });
    expect(without("auto")).toEqual({
      code: 0,
      out: "hi\n",
      err: "note: there was no sandbox: bubblewrap is not installed\n",
    });
    expect([without("require").code, without("require").err]).toEqual([
      2,
      expect.stringContaining("error[SANDBOX_MISSING]"),
    ]);
    expect(without("maybe").err).toContain("--sandbox is auto, require or off");
  });
});
