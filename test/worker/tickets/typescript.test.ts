import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { expectSurvived, runTicket } from "./run-ticket.ts";
import { FAULTS, mistakes } from "./story.ts";

/** Written before the run: what it has to come to. */
const CHANGED = ["src/search.test.ts", "src/search.ts"];
const PASSED = ["finds nothing without items", "finds what has the colour", "takes a colour in any case"];

const SEARCH = "src/search.ts";
const TESTS = "src/search.test.ts";
const FILES = {
  ".gitignore": "node_modules\n.pawl/\n",
  "package.json":
    '{"name": "shop", "private": true, "type": "module", "scripts": {"test": "vitest run --reporter=verbose"}}\n',
  "vitest.config.mjs": 'export default { test: { include: ["src/**/*.test.ts"], exclude: [], pool: "threads" } };\n',
  [SEARCH]: `export interface Item {
  readonly name: string;
  readonly colour: string;
}

/** The items of a colour; without one, all. */
export function byColour(items: readonly Item[], colour?: string): readonly Item[] {
  if (!colour) return items;
  return items.filter((item) => item.colour == colour.toUpperCase());
}
`,
  [TESTS]: `import { expect, test } from "vitest";
import { byColour } from "./search.ts";

test("finds nothing without items", () => {
  expect(byColour([], "red")).toEqual([]);
});
`,
};
const TICKET = `---
title: Red kettles are found
acceptance_criteria: ["byColour finds items whose colour is written in any case"]
test_delta: {update: [${TESTS}], regression: ["npm test"]}
authorized_files: ["src/**"]
---
\`byColour\` in src/search.ts finds nothing at all for red.
`;
const PLAN = {
  approach: "compare both in lower case",
  ac_mapping: [{ ac: "AC-001", implementation: "toLowerCase on both sides", file: SEARCH, test: TESTS }],
  files: [
    { path: SEARCH, changes: ["the comparison"] },
    { path: TESTS, changes: ["two cases"] },
  ],
  tests: [{ name: "colours", kind: "unit", text: "" }],
};
const edit = (path: string, old: string, text: string) => ({ name: "file_edit", args: { path, old, new: text } });
const CASES = `
test("finds what has the colour", () => {
  expect(byColour([{ name: "kettle", colour: "red" }], "red")).toHaveLength(1);
});
test("takes a colour in any case", () => {
  expect(byColour([{ name: "kettle", colour: "Red" }], "rED")).toHaveLength(1);
});
`;
const report = (line: number) => ({
  name: "report_submit",
  args: { summary: "colours", ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: SEARCH, line }] }] },
});

test("a TypeScript package with vitest: a bug is mended whatever the model and its provider get wrong", async () => {
  const run = await runTicket({
    files: FILES,
    ticket: TICKET,
    wire: "responses",
    stream: false,
    packages: true,
    story: {
      planner: [
        { action: "EXECUTE", task_type: "code_modify", goals: ["colours in any case"] },
        { action: "COMPLETE" },
        { action: "COMPLETE" },
      ],
      executor: {
        plan: [
          { name: "plan_submit", args: { ...PLAN, approach: " " } },
          { name: "plan_submit", args: PLAN },
        ],
        code_modify: [
          { name: "file_read", args: { path: SEARCH } },
          ...mistakes(SEARCH),
          edit(
            TESTS,
            'expect(byColour([], "red")).toEqual([]);\n});\n',
            `expect(byColour([], "red")).toEqual([]);\n});\n${CASES}`,
          ),
          { name: "test_run", args: {} },
          edit(SEARCH, "item.colour == colour.toUpperCase()", "item.colour === colour"),
          { name: "test_run", args: {} },
          edit(SEARCH, "item.colour === colour", "item.colour.toLowerCase() === colour.toLowerCase()"),
          { name: "test_run", args: {} },
          { name: "done", args: { summary: "any case" } },
        ],
        // line 1 was there before: the owner sees that, and wants the report anew
        report: [report(1), report(9)],
      },
      faults: FAULTS,
    },
  });
  expectSurvived(run);
  expect(run.changed).toEqual(CHANGED);
  const suite = execFileSync("npm", ["test"], {
    cwd: run.clone,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const passed = [...suite.matchAll(/✓ \S+ > (.*?)(?: \d+ms)?$/gm)].map(([, name]) => name).sort();
  expect(passed).toEqual(PASSED);
}, 120_000);
