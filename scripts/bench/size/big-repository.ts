import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BODY = "The quick brown fox jumps over the lazy dog, and what it finds there it writes down. ".repeat(24);

/** A repository with so many task files of 2 KB, and agents that work until they are stopped, so many at once. */
export function bigRepository(tasks: number, active: number): string {
  const repo = mkdtempSync(join(process.env.PAWL_BENCH_DIR ?? tmpdir(), "pawl-size-"));
  mkdirSync(join(repo, "tasks"));
  for (let n = 1; n <= tasks; n++)
    writeFileSync(join(repo, "tasks", `task-${n}.md`), `---\ntitle: The work of task ${n}\n---\n${BODY}\n`);
  writeFileSync(
    join(repo, "pawl.yaml"),
    `agents: {default: {command: "sleep 3600", verdict: exit_code}}\nlimits: {max_workers: ${active}}\n`,
  );
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: repo, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("add", "pawl.yaml");
  git("-c", "user.name=B", "-c", "user.email=b@example.org", "commit", "-q", "-m", "Start");
  return repo;
}
