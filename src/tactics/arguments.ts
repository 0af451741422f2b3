import type { ModelCall } from "../ports/model.ts";
import { readSaid } from "./said.ts";

export type ReadArgs = { readonly args: Readonly<Record<string, unknown>> } | { readonly unreadable: string };

/** The arguments of a call as an object; what a model wrote otherwise is read where nothing has to be guessed. */
export function readArgs({ args }: Pick<ModelCall, "args">): ReadArgs {
  if ("json" in args) return ofValue(args.json);
  if (args.text.trim() === "") return { args: {} };
  const said = readSaid(args.text);
  if (said.kind === "object") return { args: said.object };
  return { unreadable: said.kind === "words" ? "there is no JSON object" : said.why };
}

/** null is no argument at all; a text may hold the object once more encoded. */
function ofValue(value: unknown): ReadArgs {
  if (value === null || value === undefined) return { args: {} };
  if (typeof value === "string") return readArgs({ args: { text: value } });
  if (typeof value === "object" && !Array.isArray(value)) return { args: value as Record<string, unknown> };
  return { unreadable: `they are ${Array.isArray(value) ? "a list" : `a ${typeof value}`}, and not an object` };
}
