import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { Files } from "../../ports/files.ts";
import type { Tool, ToolResult } from "../../ports/tool.ts";
import { defineTool } from "./define.ts";
import { inside } from "./inside.ts";

const MOST_BYTES = 16 * 2 ** 20;
const MOST_LINES = 400;
const MOST_CHARS = 24_000;

/** Where a checkout is, and what was read of it: sha256 by path, so that an edit notices what changed since. */
export interface Reading {
  readonly files: Files;
  /** absolute */
  readonly top: string;
  readonly known: Map<string, string>;
}

/** `file.read`: a file, or a part of it, with the numbers of its lines; or the names in a folder. */
export const readTool = (of: Reading): Tool =>
  defineTool({
    name: "file.read",
    description: "Reads a file: lines with their numbers. Of a folder: its names.",
    input: z.strictObject({
      path: z.string().min(1),
      from: z.int().positive().optional().describe("first line"),
      lines: z.int().positive().optional().describe(`default ${MOST_LINES}`),
    }),
    writes: false,
    run: async ({ path, from = 1, lines = MOST_LINES }) => {
      const at = inside(of, path);
      if ("refused" in at) return { ok: false, text: at.refused };
      const found = of.files.read(at.absolute, MOST_BYTES);
      if (found.kind === "folder") return folder(of.files, at.absolute);
      if (found.kind !== "file") return { ok: false, text: `${path}: ${WHY[found.kind]}` };
      of.known.set(at.path, createHash("sha256").update(found.bytes).digest("hex"));
      return told(path, found.bytes, { from, lines: Math.min(lines, MOST_LINES) });
    },
  });

const WHY = {
  none: "there is no such file",
  link: "it is a link, and not followed",
  other: "it is no file",
  "too-big": `it is bigger than ${MOST_BYTES / 2 ** 20} MiB`,
} as const;

function folder(files: Files, at: string): ToolResult {
  const names = files
    .list(at)
    .filter((name) => name !== ".git")
    .map((name) => (files.read(join(at, name), 0).kind === "folder" ? `${name}/` : name))
    .sort();
  const shown = names.slice(0, 200);
  const more = names.length > shown.length ? [`${names.length - shown.length} more`] : [];
  return { ok: true, text: [...shown, ...more].join("\n") || "(empty)" };
}

function told(path: string, bytes: Uint8Array, { from, lines }: { from: number; lines: number }): ToolResult {
  if (bytes.includes(0)) return { ok: false, text: `${path} is no text (${bytes.length} bytes)` };
  const text = new TextDecoder().decode(bytes);
  const all = text.split(/\r?\n/);
  if (all.at(-1) === "") all.pop();
  const numbered = all.slice(from - 1, from - 1 + lines).map((line, i) => `${from + i}\t${line}`);
  const shown = within(numbered, MOST_CHARS);
  const end = from + shown.length - 1;
  const rest = end < all.length ? [`[lines ${from} to ${end} of ${all.length}]`] : [];
  return { ok: true, text: [...shown, ...rest].join("\n") || "(empty)", data: { empty: all.length === 0 } };
}

function within(lines: readonly string[], chars: number): readonly string[] {
  const kept: string[] = [];
  let left = chars;
  for (const line of lines) {
    const cut = line.length > 2_000 ? `${line.slice(0, 2_000)} [cut]` : line;
    left -= cut.length + 1;
    if (left < 0) break;
    kept.push(cut);
  }
  return kept;
}
