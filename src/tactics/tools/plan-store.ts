import { z } from "zod";
import type { RunFolder } from "../../ports/run-folder.ts";
import type { Tool } from "../../ports/tool.ts";
import { defineTool } from "../../workspace/toolbox/define.ts";

const stepSchema = z.strictObject({
  text: z.string().min(1),
  state: z.enum(["open", "doing", "done", "dropped"]).default("open"),
});
const storeSchema = z.looseObject({ steps: z.array(stepSchema.loose()) });
const FILE = "plan.json";

/** `plan.read` and `plan.update`: a plan that outlives its session (executive-worker.md 10). `folder`: the task's, shared by its runs. */
export const planStoreTools = (folder: RunFolder): readonly Tool[] => [
  defineTool({
    name: "plan.read",
    description: "Reads the plan that earlier sessions kept for this task.",
    input: z.strictObject({}),
    writes: false,
    run: async () => {
      const steps = stepsIn(folder);
      const text = steps.map(({ text: step, state }, n) => `${n + 1}. [${state}] ${step}`).join("\n");
      return { ok: true, text: text || "no plan is kept", data: { empty: steps.length === 0, steps } };
    },
  }),
  defineTool({
    name: "plan.update",
    description: "Keeps the plan for later sessions: all of its steps, each with its state.",
    input: z.strictObject({ steps: z.array(stepSchema) }),
    writes: true,
    run: async ({ steps }) => {
      folder.replace(FILE, `${JSON.stringify({ steps }, null, 2)}\n`);
      return { ok: true, text: `${steps.length} steps are kept` };
    },
  }),
];

/** What cannot be read is no plan; it stays on disk until another one is kept. */
function stepsIn(folder: RunFolder): readonly z.infer<typeof stepSchema>[] {
  try {
    return storeSchema.parse(JSON.parse(folder.read(FILE) ?? '{"steps": []}')).steps;
  } catch {
    return [];
  }
}
