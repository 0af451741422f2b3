import { parseDocument } from "yaml";
import { z } from "zod";

/** A node of a task tree, as it is told to who works by it. */
export interface TreeLine {
  readonly id: string;
  /** one line: status, coverage, title, what it waits for, what was noted; indented by its depth */
  readonly text: string;
}

const MOST_LINES = 60;
const MOST_CHARACTERS = 240;

const nodeSchema = z.looseObject({
  id: z.string(),
  title: z.string().catch(""),
  status: z.string().catch("unchanged"),
  coverage_pct: z.number().catch(0),
  deps: z.array(z.string()).catch([]),
  notes: z.string().catch(""),
  children: z.array(z.unknown()).catch([]),
});

/**
 * The nodes of a task tree in their order, children below their parents, at most 60. For context only: what cannot be read
 * has no lines, and nothing is enforced by it (executive-worker.md 3).
 */
export function treeOutline(text: string): readonly TreeLine[] {
  const document = parseDocument(text);
  if (document.errors.length > 0) return [];
  const read = z.looseObject({ nodes: z.array(z.unknown()) }).safeParse(document.toJS());
  const lines = read.success ? read.data.nodes.flatMap((node) => linesOf(node, 0)) : [];
  const rest = lines.length - MOST_LINES;
  return rest <= 0 ? lines : [...lines.slice(0, MOST_LINES), { id: "", text: `[cut: ${rest} nodes left out here]` }];
}

/** A tree in a tree in a tree …: ten levels are told. */
function linesOf(value: unknown, depth: number): readonly TreeLine[] {
  const read = nodeSchema.safeParse(value);
  if (!read.success || depth > 9) return [];
  const { id, title, status, coverage_pct, deps, notes, children } = read.data;
  const waits = deps.length > 0 ? `; after ${deps.join(", ")}` : "";
  const noted = notes.trim() === "" ? "" : `; ${notes.trim().replace(/\s+/g, " ")}`;
  const line = `${"  ".repeat(depth)}- ${id} ${status} ${coverage_pct} %: ${title}${waits}${noted}`;
  return [{ id, text: line.slice(0, MOST_CHARACTERS) }, ...children.flatMap((child) => linesOf(child, depth + 1))];
}
