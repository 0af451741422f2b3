import { z } from "zod";
import type { EditResult } from "../../../workspace/edit/editor.ts";
import type { Plan } from "../../../workspace/edit/plan.ts";
import { paletteOf } from "../../cli/palette.ts";
import { editedLines, refusedLines } from "../../cli/views/edit.ts";
import type { Answer, HandTool } from "../tool.ts";

const input = z.strictObject({
  edits: z
    .union([z.string().min(1), z.array(z.looseObject({ op: z.string() })).min(1)])
    .describe(
      'a unified diff, a "*** Begin Patch" text, SEARCH/REPLACE blocks, or JSON: {"edits": [{"op": "replace", "path", ' +
        '"old", "new"} | {"op": "insert", "path", "at": "start" | "end", "text"} | {"op": "create", "path", "text"} | ' +
        '{"op": "move", "from", "to"} | {"op": "delete", "path"}]}',
    ),
  dry: z.boolean().exactOptional().describe("only say what would change, as a diff; nothing is written"),
});

const ink = paletteOf(false, false);

export const editTool: HandTool<z.infer<typeof input>> = {
  name: "edit",
  title: "Change files",
  description:
    "Changes files: all of what is sent, or nothing. What is to be replaced has to be there in exactly one place; where it " +
    "is not, the answer says what is there instead. Small hunks with a few lines of context fit best.",
  input,
  behaviour: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(hands, { edits, dry = false }) {
    const plan = await hands.plan(typeof edits === "string" ? edits : JSON.stringify({ edits }));
    if (!dry && !plan.error) return told(plan, await hands.edit(plan), "");
    const diff = plan.error ? "" : Buffer.from(hands.preview(plan)).toString("utf8");
    const result: EditResult = plan.error
      ? { ok: false, error: plan.error, errors: plan.errors }
      : { ok: true, files: plan.files };
    return told(plan, result, diff, dry);
  },
};

function told(plan: Plan, result: EditResult, diff: string, dry = false): Answer {
  const lines = result.ok
    ? editedLines(result.files, { ink, dry })
    : refusedLines(plan.files, result.errors, { ink, dry });
  const text = [...lines, ...(diff === "" ? [] : ["", diff.trimEnd()])].join("\n").replaceAll(" (exit 1)", "");
  return { text, document: { ...result, ...(dry && result.ok ? { dry, diff } : {}) }, isError: !result.ok };
}
