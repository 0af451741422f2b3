// npm run bench:start: what the built program costs before it does anything, as ratios to `node -e 0`, interleaved.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROUNDS = 20;
const cli = resolve("dist/cli.mjs");

/** A repository with ten tasks that a processor has looked at once. */
function tenTasks(): string {
  const repo = mkdtempSync(join(tmpdir(), "pawl-start-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, stdio: "ignore" });
  mkdirSync(join(repo, "tasks"));
  writeFileSync(
    join(repo, "pawl.yaml"),
    "agents: {default: {command: 'true', verdict: exit_code}}\nlimits: {max_task_rounds: 1}\n",
  );
  for (let i = 1; i <= 10; i++)
    writeFileSync(join(repo, "tasks", `task-${i}.md`), `---\ntitle: Task ${i}\n---\nDo it.\n`);
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("-c", "user.name=B", "-c", "user.email=b@example.org", "commit", "-q", "-m", "Start");
  spawnSync(process.execPath, [cli, "run", "-q"], { cwd: repo, stdio: "ignore" });
  return repo;
}

function time(args: readonly string[], cwd: string): number {
  const start = performance.now();
  spawnSync(process.execPath, args, { cwd, stdio: "ignore" });
  return performance.now() - start;
}
const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;

const repo = tenTasks();
const commands: readonly (readonly [string, readonly string[], number | null])[] = [
  ["node -e 0", ["-e", "0"], null],
  ["pawl --version", [cli, "--version"], 3],
  ["pawl status", [cli, "status"], 6],
];
const times = commands.map((): number[] => []);
for (let round = 0; round < ROUNDS; round++)
  for (const [i, [, args]] of commands.entries()) times[i]!.push(time(args, repo));
const base = median(times[0]!);
commands.forEach(([name, , target], i) => {
  const ms = median(times[i]!);
  console.log(
    `${name.padEnd(16)} ${ms.toFixed(0).padStart(5)} ms   ${(ms / base).toFixed(2)} x node -e 0${target === null ? "" : `   target ${target}`}`,
  );
});
rmSync(repo, { recursive: true, force: true });
