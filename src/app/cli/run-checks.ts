import { statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import picomatch from "picomatch";
import { lastLines } from "../../adapters/agents/text.ts";
import type { Check } from "../../ports/runtime.ts";
import { WORKER_ENV } from "../../protocol/run-folder.ts";
import type { Verdict } from "../../protocol/verdict.ts";
import { plain } from "../../workspace/commands/plain.ts";
import { inWords } from "../config/task-terms.ts";
import { changedFiles } from "./changed-files.ts";
import { type CheckEnd, runCheck } from "./check-run.ts";
import { firstFailure } from "./first-failure.ts";

/** What became of a check. */
export interface Result {
  readonly check: Check;
  /** null: none of the changed files is one of its own */
  readonly end: CheckEnd | null;
}

/** Runs every check in order, also after one that failed; cancelled, what has not begun is left out. */
export async function runChecks(
  {
    checks,
    cwd,
    bases,
  }: { readonly checks: readonly Check[]; readonly cwd: string; readonly bases: readonly string[] },
  on: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly say: (line: string) => void;
    readonly echo: (chunk: Buffer) => void;
    readonly signal: AbortSignal;
  },
): Promise<readonly Result[]> {
  const asks = checks.some(({ when }) => when.length > 0);
  const changed = asks ? await changedFiles(cwd, bases) : null;
  if (asks && changed === null) on.say("note: no base to compare with is known here, so every check runs");
  // what it runs is no worker of its own
  const { [WORKER_ENV.runDir]: _, ...env } = on.env;
  const results: Result[] = [];
  for (const check of checks) {
    const skipped = changed !== null && check.when.length > 0 && !touches(check, changed);
    if (!skipped) on.say(`run   ${inWords(check.run)}`);
    const end = skipped ? null : await runCheck(check, { cwd, env, signal: on.signal, echo: on.echo });
    results.push({ check, end });
    if (on.signal.aborted) break;
  }
  return results;
}

function touches({ when }: Check, changed: readonly string[]): boolean {
  const matches = picomatch([...when], { dot: true });
  return changed.some((path) => matches(path));
}

export const isGood = ({ end }: Result): boolean => end === null || (end.ending === "exit" && end.code === 0);

/** What a check that failed says to the one who goes on: its first failure, and the end of its output. */
export function findingOf({ check, end }: Result, cwd: string): Verdict["findings"][number] {
  const words = inWords(check.run);
  const output = plain(end!.output);
  const failure = firstFailure(output, fileIn(cwd));
  const tail = lastLines(output);
  const head = `${words} ${end!.why}${failure?.test === undefined ? "" : `: ${failure.test}`}`;
  return {
    key: `check:${words}`,
    text: tail === "" ? head : `${head}\n${tail}`,
    ...(failure?.file === undefined ? {} : { file: failure.file }),
    ...(failure?.line === undefined ? {} : { line: failure.line }),
  };
}

/** Whether a path in an output is a file of this checkout; its name from there. */
const fileIn =
  (cwd: string) =>
  (path: string): string | null => {
    const inside = relative(cwd, resolve(cwd, path.replace(/^file:\/\//, ""))).replaceAll("\\", "/");
    if (inside === "" || inside.startsWith("..") || isAbsolute(inside) || /(^|\/)node_modules\//.test(inside))
      return null;
    return statSync(join(cwd, inside), { throwIfNoEntry: false })?.isFile() ? inside : null;
  };
