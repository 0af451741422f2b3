import type { ModelRequest } from "../../src/ports/model.ts";
import { isPlanner, patternIn, plannerSays, type Says } from "./scripted-mind.ts";

const one = (name: string, args: unknown): Says => ({ calls: [{ name, args }] });

/** What a plan for the ticket of test/support/ticket.ts holds. */
export const PLAN = {
  approach: "swap the sign",
  ac_mapping: [{ ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "suite" }],
  files: [{ path: "src/add.mjs", changes: ["plus"] }],
  tests: [{ name: "adds", kind: "unit", text: "" }],
};
export const REPORT = {
  summary: "add adds",
  ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: "src/add.mjs", line: 1 }] }],
  notes: ["nothing more"],
};

/** What is said where a test wants nothing else: the ticket of test/support/ticket.ts is carried out, step by step. */
export function sensible(request: ModelRequest): Says {
  if (isPlanner(request)) {
    const isDone = (request.turns[0] as { text: string }).text.includes("- code_modify: done");
    return isDone
      ? plannerSays({ action: "COMPLETE", reasoning: "the suites pass" })
      : plannerSays({ action: "EXECUTE", task_type: "code_modify", goals: ["add adds"], reasoning: "it subtracts" });
  }
  switch (patternIn(request)) {
    case "plan":
      return one("plan_submit", PLAN);
    case "report":
      return one("report_submit", REPORT);
    default:
      return modify(request);
  }
}

/** Goes by what its own calls came to: read, edit, test, done. */
function modify({ turns }: ModelRequest): Says {
  const made = turns.flatMap((turn) =>
    turn.role === "results" ? turn.results.filter(({ failed }) => !failed).map(({ name }) => name) : [],
  );
  if (!made.includes("file_read")) return one("file_read", { path: "src/add.mjs" });
  if (!made.includes("file_edit")) return one("file_edit", { path: "src/add.mjs", old: "a - b", new: "a + b" });
  if (!made.includes("test_run")) return one("test_run", {});
  return one("done", { summary: "mended" });
}
