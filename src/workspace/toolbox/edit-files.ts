import { z } from "zod";
import type { Tool, ToolResult } from "../../ports/tool.ts";
import type { EditResult, Sent } from "../edit/editor.ts";
import type { PlannedFile } from "../edit/plan.ts";
import type { EditError } from "../edit/refusal.ts";
import type { Hands } from "../hands/hands.ts";
import { defineTool } from "./define.ts";
import type { Reading } from "./read-file.ts";

type EditHands = Pick<Hands, "plan" | "edit">;

/** `file.edit`: one replacement, or a patch of any size; all of it or nothing. */
export const editTool = (hands: EditHands, { known }: Pick<Reading, "known">): Tool =>
  defineTool({
    name: "file.edit",
    description:
      "Replaces text that stands in exactly one place of a file, or applies a patch (unified diff, SEARCH/REPLACE blocks).",
    input: z.strictObject({
      path: z.string().min(1).optional(),
      old: z.string().optional(),
      new: z.string().optional(),
      patch: z.string().optional().describe("instead of path, old and new"),
    }),
    writes: true,
    run: async ({ path, old, new: text, patch }) => {
      if (patch !== undefined && path === undefined) return applied(hands, patch, known);
      if (patch !== undefined || path === undefined || old === undefined || text === undefined)
        return { ok: false, text: "nothing was done: give path, old and new, or patch alone" };
      if (old === "") return { ok: false, text: "nothing was done: old is empty; file_write makes a new file" };
      return applied(hands, [{ op: "replace", path, old, new: text }], known);
    },
  });

/** `file.write`: a new file, or a file written anew. */
export const writeTool = (hands: EditHands, { known }: Pick<Reading, "known">): Tool =>
  defineTool({
    name: "file.write",
    description: "Makes a new file; with overwrite, writes one anew.",
    input: z.strictObject({
      path: z.string().min(1),
      text: z.string(),
      overwrite: z.boolean().optional(),
    }),
    writes: true,
    run: async ({ path, text, overwrite = false }) =>
      applied(hands, [{ op: "create", path, text, ...(overwrite ? { overwrite } : {}) }], known),
  });

async function applied(hands: EditHands, sent: Sent, known: Map<string, string>): Promise<ToolResult> {
  const plan = await hands.plan(sent, known);
  const result: EditResult = plan.error
    ? { ok: false, error: plan.error, errors: plan.errors }
    : await hands.edit(plan);
  if (!result.ok) return refused(result.errors);
  // what was written is what is known from now on; it is read again before it is edited by what was read
  for (const { key } of plan.changes) known.delete(key);
  return { ok: true, text: result.files.map(oneFile).join("\n"), changed: plan.changes.map(({ key }) => key) };
}

/** What stands there already is no failure, and changes nothing. */
function refused(errors: readonly EditError[]): ToolResult {
  const isThere = errors.every(({ code }) => code === "ALREADY_APPLIED");
  const words = errors.slice(0, 5).map(({ code, path, message, hint, excerpt }) => {
    const first = `${code}${path === "" ? "" : ` ${path}`}: ${message}; ${hint}`;
    return excerpt === undefined ? first : `${first}\n${excerpt}`;
  });
  return {
    ok: isThere,
    text: [...words, ...(isThere ? [] : ["nothing was written"])].join("\n"),
    data: { codes: errors.map(({ code }) => code) },
  };
}

const oneFile = ({ path, change, hunks, added, removed }: PlannedFile): string => {
  const rungs = [...new Set(hunks.map(({ rung }) => rung))].filter((rung) => rung !== "exact");
  return `${path}: ${change}, +${added} -${removed}${rungs.length > 0 ? ` (found by ${rungs.join(", ")})` : ""}`;
};
