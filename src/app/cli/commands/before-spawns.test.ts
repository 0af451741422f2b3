import { expect, it } from "vitest";
import { repository, write } from "../../../../test/support/scratch.ts";
import { runProgram } from "../program.ts";

const ENV = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  TZ: "UTC",
  GIT_CONFIG_GLOBAL: "/dev/null",
};
const CONFIG = "agents:\n  default:\n    command: ./fix.sh\n";

/** `pawl …` where the agent's own script is not committed: what it said, and the status. */
async function pawl(...args: string[]) {
  const { repo } = repository({ "pawl.yaml": CONFIG, ".gitignore": ".pawl/\n" });
  write(repo, { "fix.sh": "#!/bin/sh\n", "tasks/task-1.md": "---\ntitle: One\ndraft: true\n---\nDo it.\n" });
  let said = "";
  const stream = { write: (text: string) => (said += text) };
  const code = await runProgram(args, { cwd: repo, env: ENV, streams: { stdout: stream, stderr: stream, stdin: {} } });
  return { said, code };
}

it.each(["validate", "run --dry", "run --until-idle", "doctor"])(
  "pawl %s says that a worktree will not have the agent's script, where it is named, and what to type",
  async (line) => {
    const { said } = await pawl(...line.split(" "));
    expect(said).toContain("fix.sh is not committed on main: no worktree will have it");
    expect(said).toMatch(/pawl\.yaml:3/);
    expect(said).toContain('git add fix.sh && git commit -m "Add fix.sh"');
  },
);
