import { z } from "zod";
import type { OpenDatabase } from "../../../ports/database.ts";
import type { Tool, ToolResult } from "../../../ports/tool.ts";
import { defineTool } from "../../../workspace/toolbox/define.ts";
import type { Cleaned } from "../cleaned.ts";
import { type Note, type Notes, openNotes } from "./notes.ts";

const MOST_CHARS = 2_000;
const MOST_FOUND = 10;

export interface MemoryOf {
  /** absolute: the file of this project's notes; it is made at the first use */
  readonly path: string;
  /** loads SQLite and says how a database is opened */
  readonly sqlite: () => Promise<OpenDatabase>;
  /** the task that learns something */
  readonly task: string;
  /** ms since 1970 */
  readonly now: () => number;
  /** takes secrets and control characters out */
  readonly cleaned: Cleaned;
}

/** `memory.search` and `memory.save`: what workers of this project learned. `close` lets go of the file. */
export function memoryTools(of: MemoryOf): { readonly tools: readonly Tool[]; close(): void } {
  let opened: Notes | null = null;
  const notes = async (): Promise<Notes> => {
    const sqlite = await of.sqlite();
    opened ??= openNotes(of.path, sqlite);
    return opened;
  };
  return {
    tools: [searchTool(notes), saveTool(notes, of)],
    close() {
      opened?.close();
      opened = null;
    },
  };
}

const searchTool = (notes: () => Promise<Notes>): Tool =>
  defineTool({
    name: "memory.search",
    description: "Looks up what is known about this project, by words.",
    input: z.strictObject({ query: z.string().min(1).max(500) }),
    writes: false,
    run: async ({ query }) => told((await notes()).search(query, MOST_FOUND)),
  });

function told(found: readonly Note[]): ToolResult {
  if (found.length === 0) return { ok: true, text: "nothing is known about that", data: { empty: true, found: [] } };
  const lines = found.map(
    ({ id, text, task, at }) => `${id} (${new Date(at).toISOString().slice(0, 10)}, ${task}) ${text}`,
  );
  return { ok: true, text: lines.join("\n"), data: { found } };
}

const saveTool = (notes: () => Promise<Notes>, { task, now, cleaned }: MemoryOf): Tool =>
  defineTool({
    name: "memory.save",
    description: "Keeps one thing that was learned about this project, for later tasks.",
    input: z.strictObject({ text: z.string().trim().min(1).max(MOST_CHARS) }),
    writes: true,
    run: async ({ text }) => {
      const isNew = (await notes()).save({ text: cleaned(text, MOST_CHARS), task, at: now() });
      return { ok: true, text: isNew ? "kept" : "that is kept already", data: { isNew } };
    },
  });
