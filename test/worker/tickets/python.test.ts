import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { needs } from "../../support/needs.ts";
import { expectSurvived, runTicket } from "./run-ticket.ts";
import { FAULTS, mistakes } from "./story.ts";

/** Written before the run: what it has to come to. */
const CHANGED = ["shop/basket.py", "tests/test_basket.py"];
const PASSED = ["test_a_basket_has_a_sum", "test_a_reduction_is_taken_off", "test_a_reduction_is_no_more_than_all"];

const FILES = {
  ".gitignore": "__pycache__/\n",
  "shop/__init__.py": "",
  "shop/basket.py": `class Basket:
    def __init__(self, prices):
        self.prices = prices

    def total(self):
        return sum(self.prices)
`,
  "tests/__init__.py": "",
  "tests/test_basket.py": `import unittest

from shop.basket import Basket


class TestBasket(unittest.TestCase):
    def test_a_basket_has_a_sum(self):
        self.assertEqual(Basket([2, 3]).total(), 5)
`,
};
const TICKET = `---
title: A basket can be reduced
acceptance_criteria: ["total(reduction) takes the reduction off, and is never below 0"]
test_delta: {update: [tests/test_basket.py], regression: ["python3 -m unittest -v"]}
authorized_files: ["shop/**", "tests/**"]
---
\`Basket.total\` in shop/basket.py takes no reduction. Customers have vouchers.
`;
const PLAN = {
  approach: "an argument that is 0 where it is not given",
  ac_mapping: [{ ac: "AC-001", implementation: "max(0, …)", file: "shop/basket.py", test: "tests/test_basket.py" }],
  files: [
    { path: "shop/basket.py", changes: ["an argument"] },
    { path: "tests/test_basket.py", changes: ["two tests"] },
  ],
  tests: [{ name: "reductions", kind: "unit", text: "" }],
};
const edit = (path: string, old: string, text: string) => ({ name: "file_edit", args: { path, old, new: text } });
const BASKET = "shop/basket.py";
const TESTS = `
    def test_a_reduction_is_taken_off(self):
        self.assertEqual(Basket([2, 3]).total(1), 4)

    def test_a_reduction_is_no_more_than_all(self):
        self.assertEqual(Basket([2, 3]).total(9), 0)
`;
const report = (line: number) => ({
  name: "report_submit",
  args: {
    summary: "vouchers",
    ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: BASKET, line }] }],
  },
});

needs("python3", "python3")(
  "a Python module with unittest: the ticket is carried out whatever the model and its provider get wrong",
  async () => {
    const run = await runTicket({
      files: FILES,
      ticket: TICKET,
      wire: "anthropic",
      stream: true,
      story: {
        planner: [
          { action: "EXECUTE", task_type: "code_modify", goals: ["total takes a reduction"] },
          { action: "COMPLETE" },
          { action: "COMPLETE" },
        ],
        executor: {
          plan: [
            { name: "plan_submit", args: { ...PLAN, ac_mapping: [] } },
            { name: "plan_submit", args: PLAN },
          ],
          code_modify: [
            { name: "file_read", args: { path: BASKET } },
            ...mistakes(BASKET),
            edit(
              "tests/test_basket.py",
              "        self.assertEqual(Basket([2, 3]).total(), 5)\n",
              `        self.assertEqual(Basket([2, 3]).total(), 5)\n${TESTS}`,
            ),
            { name: "test_run", args: {} },
            edit(
              BASKET,
              "def total(self):\n        return sum(self.prices)",
              "def total(self, reduction=0):\n        return sum(self.prices) - reduction",
            ),
            { name: "test_run", args: {} },
            edit(BASKET, "return sum(self.prices) - reduction", "return max(0, sum(self.prices) - reduction)"),
            { name: "test_run", args: {} },
            { name: "done", args: { summary: "reduced" } },
          ],
          // line 1 was there before: the owner sees that, and wants the report anew
          report: [report(1), report(5)],
        },
        faults: FAULTS,
      },
    });
    expectSurvived(run);
    expect(run.changed).toEqual(CHANGED);
    const suite = execFileSync("python3 -m unittest -v 2>&1", { cwd: run.clone, encoding: "utf8", shell: "/bin/sh" });
    expect([...suite.matchAll(/^(test_\w+) .*ok$/gm)].map(([, name]) => name).sort()).toEqual([...PASSED].sort());
  },
  120_000,
);
