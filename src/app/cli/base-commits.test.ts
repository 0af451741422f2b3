import { join } from "node:path";
import { expect, it } from "vitest";
import { git, repository, write } from "../../../test/support/scratch.ts";
import { runProgram } from "./program.ts";

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", LANG: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null" };
const FILES = {
  "pawl.yaml": "agents: {default: {command: sleep 1}}\nchecks: [x]\n",
  "tasks/task-1.md": "---\ntitle: One\n---\nDo it.\n",
};

async function dry(repo: string): Promise<string> {
  let said = "";
  const stream = { write: (text: string) => (said += text) };
  await runProgram(["run", "--dry"], { cwd: repo, env: ENV, streams: { stdout: stream, stderr: stream, stdin: {} } });
  return said;
}

it("run --dry names the commit that a task would start from", async () => {
  const { repo } = repository(FILES);
  expect(await dry(repo)).toContain(`would spawn   task-1 implement: default from main ${short(repo, "main")}\n`);
});

it("run --dry names origin's, which is what a worktree is made of, and fetches nothing", async () => {
  const { repo, origin } = repository(FILES, { origin: true });
  const other = join(repo, "../other");
  git(repo, "clone", "-q", origin!, other);
  write(other, { "news.txt": "news\n" });
  git(other, "add", "--all");
  git(other, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "News");
  git(other, "push", "-q", "origin", "main");
  expect(await dry(repo)).toContain(`from main ${short(other, "main")}\n`);
  expect(git(repo, "rev-parse", "origin/main")).toBe(git(repo, "rev-parse", "main"));
});

const short = (repo: string, ref: string): string => git(repo, "rev-parse", ref).slice(0, 7);
