import { z } from "zod";
import { PawlError } from "../../../domain/errors.ts";
import { mapDocument } from "../../cli/views/map.ts";
import { type HandTool, READS } from "../tool.ts";

const input = z.strictObject({
  folder: z.string().exactOptional().describe("a folder or file, from the top of the repository (default: all of it)"),
  tokens: z.int().min(50).max(100_000).exactOptional().describe("how long the answer may be (default 2000)"),
});

export const mapTool: HandTool<z.infer<typeof input>> = {
  name: "map",
  title: "What the files define",
  description:
    "Gives what the source files define, with imports and tests, as much as fits into a budget of tokens: first the " +
    "files that much of the repository leans on. A good first look at code that is not known yet.",
  input,
  behaviour: READS,
  async run(hands, { folder = "", tokens = 2_000 }) {
    const inside = folder.replace(/^\.\/|^\/|\/+$|^\.$/g, "");
    const map = await hands.map({ folder: inside, tokens });
    if (map.of === 0 && inside !== "") throw missing(folder);
    const end = `${map.entries.length} of ${map.of} files`;
    const text = [...map.entries.map((entry) => entry.text), end].join("\n");
    return { text, document: mapDocument(map, { tokens, skipped: [] }), isError: false };
  },
};

const missing = (folder: string): PawlError =>
  new PawlError("PATH_MISSING", `there are no source files in ${folder}`, {
    next: "name a folder from the top of the repository, or leave it out",
  });
