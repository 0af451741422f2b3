import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, repository, write } from "../../../test/support/scratch.ts";
import { overridesFrom } from "./overrides.ts";
import { beforeSpawns, readConfiguration } from "./reading.ts";

/** `committed` are in git, `loose` are not. */
async function warned(
  config: string,
  files: { committed?: Record<string, string>; loose?: Record<string, string>; origin?: boolean; agent?: string },
) {
  const { committed = {}, loose = {}, origin = false, agent } = files;
  const { repo } = repository({ "pawl.yaml": config, ...committed }, { origin });
  write(repo, loose);
  const overrides = overridesFrom(agent === undefined ? {} : { agent }, {}, repo);
  const look = async () => beforeSpawns((await readConfiguration({ repo, overrides })).reading);
  return { repo, look, found: await look() };
}
const AGENT = (command: string) => `agents:\n  default:\n    command: ${command}\n`;
const SCRIPT = { "fix.sh": "#!/bin/sh\n" };

describe("a command that names a file which no worktree will have", () => {
  it("is told with its place, and what to type; what is typed mends it", async () => {
    const { repo, look, found } = await warned(AGENT("./fix.sh --now"), { loose: SCRIPT });
    chmodSync(join(repo, "fix.sh"), 0o755);
    expect(found).toMatchObject([
      {
        code: "NOT_COMMITTED",
        message: "fix.sh is not committed on main: no worktree will have it",
        at: { file: "pawl.yaml", line: 3, column: 14 },
        next: 'git add fix.sh && git commit -m "Add fix.sh".',
      },
    ]);
    git(repo, "add", "fix.sh");
    expect(await look()).toHaveLength(1);
    git(repo, "commit", "-q", "-m", "Add fix.sh");
    expect(await look()).toEqual([]);
  });

  it("a program that is nowhere is told too, where git would not ignore it", async () => {
    const { found } = await warned(AGENT("./none.sh --now"), {});
    expect(found).toMatchObject([
      {
        code: "NOT_COMMITTED",
        message: "none.sh is neither here nor on main: no worktree will have it",
        at: { line: 3, column: 14 },
      },
    ]);
  });

  it.each<[string, string, Record<string, string>, string]>([
    ["of an interpreter", AGENT("node tools/agent.mjs"), { "tools/agent.mjs": "" }, "tools/agent.mjs is not"],
    ["in a list", AGENT('["python3", "agent.py"]'), { "agent.py": "" }, "agent.py is not"],
    ["that is ignored", AGENT("./fix.sh"), { ...SCRIPT, ".gitignore": "fix.sh\n" }, "and git ignores it"],
    ["of a check", `${AGENT("claude")}checks: ["sh 'a b.sh'"]\n`, { "a b.sh": "" }, "a b.sh is not"],
    ["of a check with keys", `${AGENT("claude")}checks: [{run: ./c.sh, timeout: 5m}]\n`, { "c.sh": "" }, "c.sh is not"],
    ["of setup", `${AGENT("claude")}worktree: {setup: sh setup.sh}\n`, { "setup.sh": "" }, "setup.sh is not"],
    ["of an action", `${AGENT("claude")}actions: {deploy: {command: ./d.sh}}\n`, { "d.sh": "" }, "d.sh is not"],
    [
      "of a merge check",
      `${AGENT("claude")}phases: {version: 1, phases: {implement: {run: agent implementer, on_pass: ready}, ready: {run: action mark-ready, on_pass: merge}, merge: {run: action merge, check: ./m.sh, on_pass: done, on_fail: implement}}}\n`,
      { "m.sh": "" },
      "m.sh is not",
    ],
  ])("%s", async (_, config, loose, words) => {
    const { found } = await warned(config, { loose });
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(words)]);
  });

  it("is told of --agent too, and where origin on this machine does not have it", async () => {
    const { repo, look, found } = await warned("version: 1\n", { loose: SCRIPT, origin: true, agent: "./fix.sh" });
    expect(found).toMatchObject([{ at: {}, next: expect.stringContaining("&& git push origin main") }]);
    git(repo, "add", "--chmod=+x", "fix.sh");
    git(repo, "commit", "-q", "-m", "Add");
    expect(await look()).toMatchObject([
      { message: expect.stringContaining("not committed on origin/main"), next: "git push origin main." },
    ]);
    git(repo, "push", "-q", "origin", "main");
    expect(await look()).toEqual([]);
  });

  it("and one that git does not hold as executable is told, where it is started itself", async () => {
    const { found } = await warned(AGENT("./fix.sh"), { committed: SCRIPT });
    expect(found).toMatchObject([
      { code: "NOT_EXECUTABLE", next: expect.stringContaining("git add --chmod=+x fix.sh && git commit") },
    ]);
    expect((await warned(AGENT("sh fix.sh"), { committed: SCRIPT })).found).toEqual([]);
  });
});

it.each([
  ["a file that is copied into worktrees", `${AGENT("sh fix.sh")}worktree: {copy: [fix.sh]}\n`],
  ["a program of PATH that is called like a file", AGENT("fix.sh")],
  ["a folder, a variable, an option, and what is written into", AGENT('"x tools $FIX --a=fix.sh > fix.sh"')],
  ["a program that a build may put where git ignores it", AGENT("./out/none.sh")],
  ["an argument that is no file", AGENT("echo no/file")],
])("nothing is said of %s", async (_, config) => {
  expect((await warned(config, { loose: { ...SCRIPT, "tools/x": "", ".gitignore": "out/\n" } })).found).toEqual([]);
});
