import { z } from "zod";
import type { Tool } from "../../ports/tool.ts";
import type { Hands } from "../hands/hands.ts";
import { defineTool } from "./define.ts";

/** `repo.map`: what files define, those first that much leans on. */
export const mapTool = (hands: Pick<Hands, "map">): Tool =>
  defineTool({
    name: "repo.map",
    description: "Shows what the files of a folder define.",
    input: z.strictObject({ folder: z.string().optional() }),
    writes: false,
    run: async ({ folder = "" }) => {
      const clean = folder.replace(/^\.?\/+|\/+$/g, "").replace(/^\.$/, "");
      const { entries, of } = await hands.map({ folder: clean, tokens: 2_000 });
      const rest = entries.length < of ? [`[${entries.length} of ${of} files]`] : [];
      return {
        ok: true,
        text: [...entries.map(({ text }) => text), ...rest].join("\n") || "no source files",
        data: { empty: of === 0 },
      };
    },
  });
