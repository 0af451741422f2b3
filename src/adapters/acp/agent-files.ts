import { isAbsolute, posix, relative, resolve } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import type { Files } from "../../ports/files.ts";
import type { Editor } from "../../workspace/edit/editor.ts";
import type { Quirk } from "./quirk.ts";

/** The files that an agent reads and writes through us: those of its worktree. */
export interface AgentFiles {
  /** the whole text, or `limit` lines from the 1-based `line` on. Throws RequestError: not there, no text, outside */
  read(of: { readonly path: string; readonly line?: number | null; readonly limit?: number | null }): string;
  /** all of it or nothing, durable; one after the other. Throws RequestError: outside the worktree or the scope */
  write(path: string, text: string): Promise<void>;
  /** why a path may not be changed; null: it may */
  barred(path: string): string | null;
}

const MOST_BYTES = 16 * 1024 * 1024;

/** `top`: the real path of the worktree. `scope`: why a path from there may not be written. */
export function agentFiles(of: {
  readonly top: string;
  readonly files: Files;
  readonly editor: Editor;
  readonly scope: (path: string) => string | null;
  readonly quirks: readonly Quirk[];
}): AgentFiles {
  const { top, files, editor, scope, quirks } = of;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (path: string, text: string): Promise<void> => {
    const key = inside(top, path);
    if (key === null) throw refused(`${path} is outside of ${top}`);
    const plan = await editor.plan([{ op: "create", path: key, text, overwrite: true }]);
    const result = plan.error ? { ok: false as const, error: plan.error } : await editor.apply(plan);
    // the very text is there already: that is what was wanted
    if (!result.ok && result.error.code !== "ALREADY_APPLIED")
      throw refused(`${result.error.code}: ${result.error.message}`);
  };
  return {
    read({ path, line, limit }) {
      const key = inside(top, path);
      if (key === null) throw refused(`${path} is outside of ${top}`);
      const text = textOf(path, resolve(top, key), files);
      if (text === null && !quirks.includes("missing-as-empty")) throw RequestError.resourceNotFound(path);
      return part(text ?? "", line, limit);
    },
    write(path, text) {
      const mine = last.then(() => write(path, text));
      last = mine.catch(() => {});
      return mine;
    },
    barred(path) {
      const key = inside(top, path);
      return key === null ? `${path} is outside of the worktree` : scope(key);
    },
  };
}

/** From the top, with /; null: it is not below it. Links are the editor's to look at. */
function inside(top: string, path: string): string | null {
  const key = relative(top, isAbsolute(path) ? path : resolve(top, path)).replaceAll("\\", "/");
  return key === "" || key === ".." || key.startsWith("../") || isAbsolute(key) ? null : posix.normalize(key);
}

/** null: there is none */
function textOf(path: string, absolute: string, files: Files): string | null {
  const { real, missing } = files.resolve(absolute);
  const found = missing.length > 0 ? ({ kind: "none" } as const) : files.read(real, MOST_BYTES);
  if (found.kind === "none") return null;
  if (found.kind !== "file") throw refused(`${path} is ${found.kind === "too-big" ? "too big" : `a ${found.kind}`}`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(found.bytes);
  } catch {
    throw refused(`${path} is no text in UTF-8`);
  }
}

function part(text: string, line?: number | null, limit?: number | null): string {
  if (line == null && limit == null) return text;
  const lines = text.split(/(?<=\n)/);
  const from = Math.max(1, line ?? 1) - 1;
  return lines.slice(from, limit == null ? undefined : from + Math.max(0, limit)).join("");
}

const refused = (why: string): RequestError => RequestError.invalidParams({ details: why }, why);
