import { z } from "zod";
import type { Tool, ToolCallContext, ToolResult } from "../../ports/tool.ts";
import { fitted } from "./fitted.ts";

/** A tool whose arguments are described once: as the schema that a model sees, and as the check before it is run. */
export function defineTool<T extends z.ZodObject>(of: {
  readonly name: string;
  readonly description: string;
  readonly input: T;
  readonly writes: boolean;
  readonly run: (args: z.infer<T>, context: ToolCallContext) => Promise<ToolResult>;
}): Tool {
  const { $schema: _, additionalProperties: __, ...input } = z.toJSONSchema(of.input, { io: "input" });
  return {
    name: of.name,
    description: of.description,
    input,
    writes: of.writes,
    async run(args, context) {
      const read = of.input.safeParse(fitted(args, input));
      return read.success ? of.run(read.data, context) : unfit(read.error);
    },
  };
}

function unfit(error: z.ZodError): ToolResult {
  const faults = error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join(".") || "the arguments"}: ${message}`);
  return { ok: false, text: `nothing was done, the arguments do not fit: ${faults.join("; ")}` };
}
