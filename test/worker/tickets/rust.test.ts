import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { needs } from "../../support/needs.ts";
import { shows } from "../../support/shows.ts";
import { expectSurvived, runTicket } from "./run-ticket.ts";
import { FAULTS, mistakes } from "./story.ts";

/** Written before the run: what it has to come to. */
const CHANGED = [
  "crates/progression/src/level.rs",
  "crates/progression/src/lib.rs",
  "crates/progression/tests/levels.rs",
  "crates/server/src/lib.rs",
];
const PASSED = ["a_level_needs_a_hundred_points_each", "a_reward_is_given_once_a_level", "points_are_added"];

const crate = (name: string, deps = "") =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${deps}`;
const LIB = "crates/progression/src/lib.rs";
const LEVEL = "crates/progression/src/level.rs";
const SERVER = "crates/server/src/lib.rs";
const TESTS = "crates/progression/tests/levels.rs";
const FILES = {
  ".gitignore": "target/\n",
  "Cargo.toml": '[workspace]\nmembers = ["crates/progression", "crates/server"]\nresolver = "2"\n',
  "Cargo.lock": `version = 3

[[package]]
name = "progression"
version = "0.1.0"

[[package]]
name = "server"
version = "0.1.0"
dependencies = [
 "progression",
]
`,
  "crates/progression/Cargo.toml": crate("progression"),
  [LIB]: `/// What a player has gathered.
#[derive(Default)]
pub struct Progress {
    pub points: u32,
}

impl Progress {
    pub fn add(&mut self, points: u32) {
        self.points += points;
    }
}
`,
  "crates/server/Cargo.toml": crate("server", 'progression = { path = "../progression" }\n'),
  [SERVER]: `use progression::Progress;

/// Coins for what a player did.
pub fn reward(before: &Progress, _after: &Progress) -> u32 {
    let _ = before.points;
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_added() {
        let mut progress = Progress::default();
        progress.add(3);
        assert_eq!(progress.points, 3);
    }
}
`,
};
const TICKET = `---
title: Players have levels
acceptance_criteria:
  - "a level needs a hundred points"
  - "each new level is worth ten coins, once"
test_delta: {add: [${TESTS}], regression: ["cargo test --offline --workspace"]}
authorized_files: ["crates/**"]
---
\`Progress\` in crates/progression counts points. Add levels to it, and let \`reward\` of the server pay for new ones.
`;
const PLAN = {
  approach: "a level is a view of the points; the server compares two of them",
  ac_mapping: [
    { ac: "AC-001", implementation: "level()", file: LEVEL, test: TESTS },
    { ac: "AC-002", implementation: "reward()", file: SERVER, test: SERVER },
  ],
  files: [
    { path: LEVEL, changes: ["new"] },
    { path: LIB, changes: ["its module"] },
    { path: SERVER, changes: ["reward"] },
    { path: TESTS, changes: ["new"] },
  ],
  tests: [{ name: "levels", kind: "integration", text: "" }],
};
const edit = (path: string, old: string, text: string) => ({ name: "file_edit", args: { path, old, new: text } });
const write = (path: string, text: string) => ({ name: "file_write", args: { path, text } });
const level = (how: string) => `use crate::Progress;

impl Progress {
    /// A level for each hundred points.
    pub fn level(&self) -> u32 {
        ${how}
    }
}
`;
const REWARD_TEST = `
    #[test]
    fn a_reward_is_given_once_a_level() {
        let at = |points| Progress { points };
        assert_eq!(reward(&at(90), &at(310)), 30);
        assert_eq!(reward(&at(310), &at(320)), 0);
    }
}
`;
const report = (line: number) => ({
  name: "report_submit",
  args: {
    summary: "levels, and coins for them",
    ac_verification: [
      { ac: "AC-001", status: "PASS", evidence: [{ file: LEVEL, line: 6 }] },
      { ac: "AC-002", status: "PASS", evidence: [{ file: SERVER, line }] },
    ],
  },
});

needs("cargo", "cargo")(
  "WRK-1.1 a change in several crates of a Rust workspace is planned, made, built, tested, committed and pushed",
  async () => {
    const run = await runTicket({
      files: FILES,
      ticket: TICKET,
      wire: "chat",
      stream: true,
      story: {
        planner: [
          { action: "EXECUTE", task_type: "code_modify", goals: ["levels", "coins for levels"] },
          { action: "COMPLETE" },
          { action: "COMPLETE" },
        ],
        executor: {
          plan: [
            { name: "plan_submit", args: { ...PLAN, files: PLAN.files.slice(0, 3) } },
            { name: "plan_submit", args: PLAN },
          ],
          code_modify: [
            { name: "file_read", args: { path: LIB } },
            ...mistakes(LIB),
            { name: "file_read", args: { path: SERVER } },
            write(LEVEL, level("self.points / 10")),
            write(
              TESTS,
              "use progression::Progress;\n\n#[test]\nfn a_level_needs_a_hundred_points_each() {\n    assert_eq!(Progress { points: 250 }.level(), 2);\n}\n",
            ),
            // does not build: nobody knows of the module yet
            { name: "test_run", args: {} },
            edit(LIB, "/// What a player", "mod level;\n\n/// What a player"),
            edit(
              SERVER,
              "pub fn reward(before: &Progress, _after: &Progress) -> u32 {\n    let _ = before.points;\n    0\n}",
              "pub fn reward(before: &Progress, after: &Progress) -> u32 {\n    10 * after.level().saturating_sub(before.level())\n}",
            ),
            edit(
              SERVER,
              "        assert_eq!(progress.points, 3);\n    }\n}\n",
              `        assert_eq!(progress.points, 3);\n    }\n${REWARD_TEST}`,
            ),
            // builds, and is wrong by ten
            { name: "test_run", args: {} },
            edit(LEVEL, "self.points / 10", "self.points / 100"),
            { name: "test_run", args: {} },
            { name: "done", args: { summary: "levels" } },
          ],
          // line 1 was there before: the owner sees that, and wants the report anew
          report: [report(1), report(5)],
        },
        faults: FAULTS,
      },
    });
    expectSurvived(run);
    expect(run.changed).toEqual(CHANGED);
    shows("WRK-1.1", 1);
    const suite = execFileSync("cargo", ["test", "--offline", "--workspace"], {
      cwd: run.clone,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect([...suite.matchAll(/^test (?:\w+::)*(\w+) \.\.\. ok$/gm)].map(([, name]) => name).sort()).toEqual(PASSED);
    shows("WRK-1.1", 2);
    expect(run.subjects[0]).toBe("TICKET: levels");
    shows("WRK-1.1", 3);
  },
  240_000,
);
