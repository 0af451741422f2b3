import { z } from "zod";
import type { Tool } from "../../ports/tool.ts";
import { defineTool } from "../../workspace/toolbox/define.ts";
import type { WorkerHands } from "../worker-hands.ts";
import type { WorkerState } from "../worker-state.ts";

const evidence = z.strictObject({ file: z.string().min(1), line: z.int().positive() });
const row = z.strictObject({ ac: z.string().min(1), status: z.enum(["PASS", "FAIL"]), evidence: z.array(evidence) });

/** `report.submit`: takes a report whose evidence stands where it says. Tests and changed files are not asked for: we know them. */
export const reportTool = (state: () => WorkerState, hands: Pick<WorkerHands, "lines">): Tool =>
  defineTool({
    name: "report.submit",
    description: "Hands in the report: for each acceptance criterion its status, and changed lines that show it.",
    input: z.strictObject({
      summary: z.string(),
      ac_verification: z.array(row),
      notes: z.array(z.string()).optional(),
    }),
    writes: false,
    run: async ({ ac_verification, summary, notes = [] }) => {
      const { faults, rows } = checked(ac_verification, state(), hands);
      if (faults.length > 0)
        return { ok: false, text: `the report is not taken:\n${faults.map((fault) => `- ${fault}`).join("\n")}` };
      return { ok: true, text: "the report is taken", data: { valid: true, summary, ac_verification: rows, notes } };
    },
  });

function checked(
  rows: readonly z.infer<typeof row>[],
  { assignment, committed }: WorkerState,
  hands: Pick<WorkerHands, "lines">,
) {
  const faults: string[] = [];
  const said = rows.map(({ ac }) => ac);
  const criteria = assignment.acceptance_criteria.map(({ id }) => id);
  for (const id of criteria) if (!said.includes(id)) faults.push(`${id} is not reported on`);
  for (const ac of said) if (!criteria.includes(ac)) faults.push(`${ac} is no acceptance criterion of this task`);
  for (const ac of new Set(said)) if (said.indexOf(ac) !== said.lastIndexOf(ac)) faults.push(`${ac} is there twice`);
  const complete = rows.map((one) => ({
    ...one,
    evidence: one.evidence.map(({ file, line }) => {
      const text = hands.lines(file)?.[line - 1];
      if (text === undefined) faults.push(`${one.ac}: ${file}:${line} is not there`);
      else if (text.trim() === "") faults.push(`${one.ac}: ${file}:${line} is blank`);
      else if (!committed.includes(file)) faults.push(`${one.ac}: ${file} was not changed by you`);
      return { file, line, text: text ?? "" };
    }),
  }));
  for (const { ac, status, evidence } of rows)
    if (status === "PASS" && evidence.length === 0 && committed.length > 0) faults.push(`${ac}: PASS needs evidence`);
  return { faults, rows: complete };
}
