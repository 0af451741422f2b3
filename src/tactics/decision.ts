import { z } from "zod";
import { readSaid } from "./said.ts";

/** What is to be done, by the planner (tactics.md; architecture 9.6). */
export const plannerDecisionSchema = z.looseObject({
  _type: z.literal("PLANNER_DECISION").default("PLANNER_DECISION"),
  action: z.enum(["EXECUTE", "COMPLETE", "ESCALATE"]),
  task_type: z.string().default("generic"),
  goals: z.array(z.string()).default([]),
  reasoning: z.string().default(""),
  /** what the attention is on in the next task; left out: nothing in particular (executive-worker.md, Entity of Interest) */
  eoi: z
    .looseObject({
      kind: z.enum(["function", "region", "class", "file", "pattern", "concern"]).catch("concern"),
      label: z.string().min(1),
      path: z.string().nullable().default(null),
    })
    .nullish()
    .catch(null)
    .transform((eoi) => eoi ?? null),
});
export type PlannerDecision = z.infer<typeof plannerDecisionSchema>;

/** The next call, by the executor (tactics.md). `state` is what it believes: ours counts. */
export const executorDecisionSchema = z
  .looseObject({
    _type: z.literal("EXECUTOR_DECISION").default("EXECUTOR_DECISION"),
    action: z.enum(["CALL_TOOL", "DONE", "ESCALATE"]),
    // strict: with "args" misspelt a call would be made without any
    tool: z
      .strictObject({ name: z.string().min(1), args: z.record(z.string(), z.unknown()).default({}) })
      .nullish()
      .transform((tool) => tool ?? null),
    state: z.looseObject({}).nullish(),
    reasoning: z.string().default(""),
  })
  .refine((decision) => decision.action !== "CALL_TOOL" || decision.tool !== null, {
    message: "CALL_TOOL needs a tool",
    path: ["tool"],
  });
export type ExecutorDecision = z.infer<typeof executorDecisionSchema>;

/** A decision, or why there is none: what the model is told when it is asked again. */
export type Read<T> = { readonly decision: T } | { readonly misread: string };
export const isMisread = <T>(read: Read<T>): read is { readonly misread: string } => "misread" in read;

export const readPlannerDecision = (text: string): Read<PlannerDecision> => {
  const read = readAs(text, plannerDecisionSchema);
  if (isMisread(read) || read.decision.action !== "EXECUTE" || read.decision.goals.length > 0) return read;
  return { misread: "EXECUTE needs at least one goal in goals" };
};

export const readExecutorDecision = (text: string): Read<ExecutorDecision> => readAs(text, executorDecisionSchema);

export function readAs<T>(text: string, schema: z.ZodType<T>): Read<T> {
  const said = readSaid(text);
  if (said.kind === "words") return { misread: "there is no JSON object in the answer" };
  if (said.kind === "unclear") return { misread: said.why };
  const { data, error } = schema.safeParse(said.object);
  return error ? { misread: faultsOf(error) } : { decision: data };
}

/** What does not fit, by path: at most five, so that it can be read. */
export const faultsOf = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join(".") || "the object"}: ${issue.message}`)
    .join("; ");
