import { z } from "zod";
import { PawlError } from "../../domain/errors.ts";
import type { FoundFile, SearchResult } from "../../ports/searcher.ts";
import type { Tool, ToolResult } from "../../ports/tool.ts";
import type { Hands } from "../hands/hands.ts";
import { defineTool } from "./define.ts";

/** `file.search`: a regular expression over the files that git does not ignore. */
export const searchTool = (hands: Pick<Hands, "search">): Tool =>
  defineTool({
    name: "file.search",
    description: "Searches files for a regular expression.",
    input: z.strictObject({
      pattern: z.string().min(1),
      glob: z.string().optional().describe("like src/**/*.ts"),
      context: z.int().min(0).max(10).optional().describe("lines around a match"),
    }),
    writes: false,
    run: async ({ pattern, glob, context = 0 }, { signal }) => {
      try {
        const globs = glob === undefined ? [] : [glob];
        return told(await hands.search({ pattern, globs, context, limit: 100, hidden: true, signal }), context);
      } catch (error) {
        if (error instanceof PawlError) return { ok: false, text: `${error.code} ${error.message}` };
        throw error;
      }
    },
  });

function told({ files, shown, total, matchedFiles }: SearchResult, context: number): ToolResult {
  if (total === 0) return { ok: true, text: "no match", data: { empty: true } };
  const lines = files.flatMap((file) => fileLines(file, context));
  const rest = shown < total ? [`[${shown} of ${total} matches in ${matchedFiles} files]`] : [];
  return { ok: true, text: [...lines, ...rest].join("\n").slice(0, 24_000) };
}

const fileLines = ({ path, lines }: FoundFile, context: number): readonly string[] =>
  lines.map(
    ({ line, text, isMatch }) => `${path}:${line ?? "?"}${isMatch || context === 0 ? ":" : "-"} ${text.slice(0, 300)}`,
  );
