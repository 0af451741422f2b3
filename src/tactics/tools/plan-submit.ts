import { z } from "zod";
import type { Tool } from "../../ports/tool.ts";
import type { Plan } from "../../protocol/plan.ts";
import { defineTool } from "../../workspace/toolbox/define.ts";
import { planFaults } from "../plan-faults.ts";
import type { WorkerState } from "../worker-state.ts";

const texts = z.array(z.string());
/** what the message to the owner may not lack: else it could be made, and never be sent */
const name = z.string().min(1);

/** `plan.submit`: takes a plan that lacks nothing; what it lacks is said, and it is made again. */
export const planTool = (state: () => WorkerState): Tool =>
  defineTool({
    name: "plan.submit",
    description: "Hands in the plan.",
    input: z.strictObject({
      approach: z.string(),
      ac_mapping: z.array(z.strictObject({ ac: name, implementation: z.string(), file: z.string(), test: z.string() })),
      files: z.array(z.strictObject({ path: name, changes: texts })),
      tests: z.array(z.strictObject({ name, kind: z.string(), text: z.string() })),
      potential_issues: texts.optional(),
      questions: texts.optional(),
      answers: z
        .array(z.strictObject({ issue_id: z.string(), text: z.string() }))
        .optional()
        .describe("to each issue of the owner"),
    }),
    writes: false,
    run: async ({ approach, ac_mapping, files, tests, ...rest }) => {
      const plan: Plan = { approach, ac_mapping, files, tests };
      const faults = planFaults(plan, state().assignment);
      if (faults.length > 0)
        return { ok: false, text: `the plan is not taken:\n${faults.map((fault) => `- ${fault}`).join("\n")}` };
      return { ok: true, text: "the plan is taken", data: { valid: true, plan, ...rest } };
    },
  });
