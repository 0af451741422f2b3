import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import type { CommandLine } from "../../ports/runtime.ts";
import type { Conclusion, Evidence } from "./conclude.ts";

/**
 * The script that a command names, which is why it did not begin: it lies in the checkout and not in the worktree, and
 * the command's own output speaks of it. Null: there is none.
 */
export function missingScript({ drive, ended }: Evidence, repo: string): string | null {
  if (ended === null || ended.exit_code === 0) return null;
  const said = `${ended.tail}\n${ended.why ?? ""}`;
  const command = ended.ending === "setup-failed" ? drive.setup : drive.program.command;
  const isMissing = (word: string) =>
    isInside(word) && said.includes(word) && isFile(join(repo, word)) && !existsSync(join(drive.worktree, word));
  const script = command && wordsOf(command).find(isMissing);
  return script ? normalize(script) : null;
}

/** An end of a command that never began, with what to type where a script is missing. */
export function namingScript(end: Conclusion, evidence: Evidence, repo: string): Conclusion {
  const path = end.how === "setup" ? missingScript(evidence, repo) : null;
  if (end.how !== "setup" || path === null) return end;
  const { baseRef } = evidence.drive;
  const push = baseRef.startsWith("origin/") ? ` && git push origin ${baseRef.slice("origin/".length)}` : "";
  const type = `git add ${quoted(path)} && git commit -m "Add ${path}"${push}`;
  const words = `${path} is not committed on ${baseRef}, so that it is not in the worktree: ${type}`;
  return { ...end, detail: `${words}\n${end.detail}` };
}

const isInside = (word: string): boolean =>
  !isAbsolute(word) && !word.startsWith("-") && !normalize(word).startsWith("..");

const wordsOf = (command: CommandLine): readonly string[] =>
  typeof command === "string" ? (command.match(/[^\s"';&|()<>]+/g) ?? []) : command;

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const quoted = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
