import type { Story } from "./story.ts";

/** A small ticket, its repository, and what a model says to carry it out. */
export const TICKET = `---
title: add adds
acceptance_criteria: ["add(1, 2) is 3"]
test_delta: {regression: ["sh suite.sh"]}
authorized_files: ["src/**"]
---
\`add\` subtracts. Mend it.
`;
export const FILES = {
  "TICKET.md": TICKET,
  "src/add.mjs": "export const add = (a, b) => a - b;\n",
  "suite.sh": 'grep -q "a + b" src/add.mjs\n',
};
const EDIT = { path: "src/add.mjs", old: "a - b", new: "a + b" };
export const STORY: Story = {
  planner: [{ action: "EXECUTE", task_type: "code_modify", goals: ["add adds"] }, { action: "COMPLETE" }],
  executor: {
    plan: [
      {
        name: "plan_submit",
        args: {
          approach: "swap the sign",
          ac_mapping: [{ ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "suite" }],
          files: [{ path: "src/add.mjs", changes: ["plus"] }],
          tests: [],
        },
      },
    ],
    code_modify: [
      { name: "file_read", args: { path: "src/add.mjs" } },
      { name: "file_edit", args: EDIT },
      { name: "test_run", args: {} },
      { name: "done", args: { summary: "mended" } },
    ],
    report: [
      {
        name: "report_submit",
        args: {
          summary: "add adds",
          ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: "src/add.mjs", line: 1 }] }],
        },
      },
    ],
  },
  faults: {},
};
