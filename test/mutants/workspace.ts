import type { Mutant } from "./mutant.ts";

const EDITOR = ["src/workspace/edit/editor.test.ts"];
const GIT = ["src/workspace/git/git.test.ts"];
const COMMAND = ["src/adapters/system/command.test.ts"];
const SCOPE = ["src/workspace/scope/scope.test.ts"];

/** One fault or more for each scenario of the hands on a repository. */
export const WORKSPACE: readonly Mutant[] = [
  {
    id: "WRK-5.1",
    file: "src/workspace/search/arguments.ts",
    find: "...query.globs.map((glob) => `--glob=${glob}`),",
    put: "",
    tests: ["src/adapters/system/ripgrep.test.ts"],
  },
  {
    id: "WRK-5.1",
    file: "src/workspace/search/arguments.ts",
    find: '["--context", String(query.context)]',
    put: "[]",
    tests: ["src/adapters/system/ripgrep.test.ts"],
  },
  {
    id: "WRK-5.2",
    file: "src/workspace/index/language.ts",
    find: '  rb: "ruby",\n',
    put: "",
    tests: ["src/workspace/index/language.test.ts"],
  },
  {
    id: "WRK-5.3",
    file: "src/workspace/relevance/weights.ts",
    find: "  named: ",
    put: "  named: 0 * ",
    tests: ["test/index/rank.test.ts"],
  },
  {
    id: "WRK-6.1",
    file: "src/workspace/edit/commit.ts",
    find: "  await begin(desk, journal);\n",
    put: "",
    tests: [...EDITOR, "test/edit/sweep.test.ts"],
  },
  { id: "WRK-6.2", file: "src/workspace/edit/create-delete.ts", find: "  entry.now = null;\n", put: "", tests: EDITOR },
  {
    id: "WRK-6.3",
    file: "src/workspace/edit/less-context.ts",
    find: "const LESS = 2;",
    put: "const LESS = 0;",
    tests: EDITOR,
  },
  {
    id: "WRK-7.1",
    file: "src/workspace/commands/strays.ts",
    find: '(await endBy("SIGKILL", KILL_MS, asked, of))',
    put: "true",
    tests: COMMAND,
  },
  {
    id: "WRK-7.2",
    file: "src/workspace/commands/redact.ts",
    find: "...SHAPES.map(asGroup)",
    put: "",
    tests: ["src/workspace/commands/redact.test.ts"],
    title: "has",
  },
  {
    id: "WRK-7.2",
    file: "src/workspace/commands/redact.ts",
    find: "...known.map(({ form }) => literal(form)), ",
    put: "",
    tests: COMMAND,
  },
  { id: "WRK-8.1", file: "src/workspace/git/commit.ts", find: '"--only"', put: '"--include"', tests: GIT },
  {
    id: "WRK-8.1",
    file: "src/workspace/git/push.ts",
    find: "const REBASES = 2;",
    put: "const REBASES = 0;",
    tests: GIT,
  },
  {
    id: "WRK-9.1",
    file: "src/workspace/scope/guard.ts",
    find: 'how !== "repository" && parts.scope(path) !== null',
    put: 'how === "made" && parts.scope(path) !== null',
    tests: SCOPE,
  },
  {
    id: "WRK-9.2",
    file: "src/workspace/scope/rollback.ts",
    find: "  await shadow.putBack(green, putBack);\n",
    put: "",
    tests: SCOPE,
  },
  {
    id: "WRK-10.2",
    file: "src/workspace/results/read-results.ts",
    find: 'state: exitCode === 0 && !isBad ? "passed" : "failed",',
    put: 'state: exitCode === 0 ? "passed" : "failed",',
    tests: ["src/workspace/results/read-results.test.ts"],
  },
];
