import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const CLI = resolve("dist/cli.mjs");

/** A repository with one task, and Pawl over it as a program. */
export interface Project {
  readonly repo: string;
  git(...args: string[]): string;
  /** one command to its end: its exit code and its output */
  pawl(...args: string[]): { readonly code: number; readonly out: string };
  run(): ChildProcess;
  /** the task's state: completed, failed, in-progress … */
  state(): string;
  log(): string;
  /** pid of what the driver of the newest leg drives; null: there is none */
  agentPid(): number | null;
}

export function makeProject(yaml: string, env: NodeJS.ProcessEnv): Project {
  const repo = mkdtempSync(join(tmpdir(), "pawl-agents-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, encoding: "utf8" }).trim();
  mkdirSync(join(repo, "tasks"));
  writeFileSync(join(repo, "README.md"), "A shop\n");
  writeFileSync(join(repo, "pawl.yaml"), yaml);
  writeFileSync(
    join(repo, "tasks/task-001.md"),
    "---\ntitle: Write hello.txt\nauthorized_files: ['*.txt']\n---\nWrite the file hello.txt with the text hello.\n",
  );
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Tester");
  git("config", "user.email", "tester@example.org");
  git("add", "--all");
  git("commit", "-qm", "Start");
  const pawl = (...args: string[]) => {
    try {
      const out = execFileSync(process.execPath, [CLI, ...args], {
        cwd: repo,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      return { code: 0, out };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { code: status, out: `${stdout}${stderr}` };
    }
  };
  const legs = () => {
    const { out } = {
      out: execFileSync("sh", ["-c", "ls -d .pawl/runs/task-001/*-implement-*/leg-1 2>/dev/null || true"], {
        cwd: repo,
        encoding: "utf8",
      }),
    };
    return out
      .split("\n")
      .filter(Boolean)
      .map((leg) => join(repo, leg));
  };
  return {
    repo,
    git,
    pawl,
    run: () =>
      spawn(process.execPath, [CLI, "run", "--until-idle", "--no-live"], {
        cwd: repo,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    state: () => {
      const { out } = pawl("status", "--json");
      try {
        return (JSON.parse(out) as { tasks: { state?: string; status?: string }[] }).tasks[0]?.status ?? "not-started";
      } catch {
        return out;
      }
    },
    log: () =>
      legs()
        .map((leg) => `${leg}\n${readFileSync(join(leg, "output.log"), "utf8")}`)
        .join("\n"),
    agentPid() {
      const leg = legs().at(-1);
      if (leg === undefined) return null;
      return (
        (JSON.parse(readFileSync(join(leg, "claim.json"), "utf8")) as { agent: { pid: number } | null }).agent?.pid ??
        null
      );
    },
  };
}
