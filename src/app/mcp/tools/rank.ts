import { z } from "zod";
import { type HandTool, READS } from "../tool.ts";

const input = z.strictObject({
  ticket: z.string().min(1).max(1_000_000).describe("what is to be done, in words: a title, or all of an issue"),
  limit: z.int().min(1).max(200).exactOptional().describe("files that are given (default 10)"),
});

export const rankTool: HandTool<z.infer<typeof input>> = {
  name: "rank",
  title: "Files that a ticket is about",
  description:
    "Gives the files that a ticket is most likely about, the best first, each with the reasons: words, names, history, " +
    "imports, tests. To find where a change belongs.",
  input,
  behaviour: READS,
  async run(hands, { ticket, limit = 10 }) {
    const files = await hands.rank(ticket, limit);
    const text = files.map(({ path, reasons }) => `${path}   ${reasons.join(" · ")}`).join("\n");
    return { text: text || "nothing here fits", document: { ok: true, files }, isError: false };
  },
};
