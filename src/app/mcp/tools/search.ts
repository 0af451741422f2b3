import { z } from "zod";
import { foundDocument, foundNotes, foundText } from "../../cli/views/search.ts";
import { type HandTool, READS } from "../tool.ts";

const input = z.strictObject({
  pattern: z.string().min(1).describe("a regular expression in Rust's syntax; with literal, a text as it is"),
  paths: z
    .array(z.string())
    .exactOptional()
    .describe("files and folders, from the top of the repository (default: all)"),
  globs: z
    .array(z.string())
    .exactOptional()
    .describe("only files that fit one, like src/**/*.ts; with ! before it, none"),
  types: z.array(z.string()).exactOptional().describe("only files of these types, like ts or py"),
  literal: z.boolean().exactOptional(),
  case: z
    .enum(["smart", "sensitive", "ignore"])
    .exactOptional()
    .describe("smart (default): a capital in it makes case count"),
  word: z.boolean().exactOptional().describe("whole words only"),
  multiline: z.boolean().exactOptional().describe("a match may go over several lines"),
  hidden: z.boolean().exactOptional().describe("files too whose names begin with a dot"),
  ignored: z.boolean().exactOptional().describe("files too that .gitignore leaves out"),
  context: z.int().min(0).max(50).exactOptional().describe("lines before and after each match (default 0)"),
  limit: z.int().min(1).max(5_000).exactOptional().describe("matched lines that are shown (default 200)"),
});

export const searchTool: HandTool<z.infer<typeof input>> = {
  name: "search",
  title: "Search the files",
  description:
    "Finds lines by a regular expression in all files of the repository that are not ignored, in the order of their " +
    "paths. The answer says how much it leaves out.",
  input,
  behaviour: READS,
  async run(hands, { literal = false, word = false, case: letterCase = "smart", ...query }, signal) {
    const result = await hands.search({ ...query, letterCase, isLiteral: literal, wholeWords: word, signal });
    const lines = [...foundText(result, { context: query.context ?? 0 }), ...foundNotes(result)];
    return { text: lines.join("\n") || "nothing was found", document: foundDocument(result), isError: false };
  },
};
