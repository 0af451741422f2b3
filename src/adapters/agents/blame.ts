import { type Conclusion, type Evidence, isCommand } from "./conclude.ts";
import { lastLines } from "./text.ts";

/** What was found of a run's work. */
interface Found {
  /** its worktree is not there any more */
  readonly isGone: boolean;
  /** no commit, no changed file, nothing that it says it spent */
  readonly isNothing: boolean;
  /** a script that it could not find, because nobody committed it */
  readonly script: string | null;
}

/**
 * An end that looks like the agent's fault, and is not: its worktree was taken away under it, or its command never began
 * (126 and 127 are a shell's words for that; an interpreter has its own for a script that is not there). What a worker wrote itself is never put right.
 */
export function unblamed(first: Conclusion, evidence: Evidence, { isGone, isNothing, script }: Found): Conclusion {
  if (isCommand(evidence.drive) || !isBlamed(first, evidence)) return first;
  const { drive, ended } = evidence;
  if (isGone) return takenAway(drive.worktree);
  const isUnstarted = ended?.ending === "exit" && (NOT_STARTED.has(ended.exit_code) || script !== null);
  if (!isUnstarted || !isNothing) return first;
  const words = `its command could not be started (exit ${ended.exit_code}); it runs in a worktree, which holds what is committed`;
  return { how: "setup", detail: `${words}\n${lastLines(ended.tail)}`.trim() };
}

/** Whether the output speaks of the very program that was to be started: where no worktree shows whether it did anything. */
export function saysItsName({ drive, ended }: Evidence): boolean {
  const { command } = drive.program;
  const name = typeof command === "string" ? /^\s*(\S+)/.exec(command)?.[1] : command[0];
  return name !== undefined && (ended?.tail.includes(name) ?? false);
}

const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

const isBlamed = (first: Conclusion, { verdict }: Evidence): boolean =>
  first.how === "no-verdict" || (first.how === "verdict" && first.verdict === "FAIL" && verdict.kind !== "verdict");

const takenAway = (worktree: string): Conclusion => ({
  how: "killed",
  by: "kill",
  detail: `its worktree ${worktree} was deleted while it worked, by itself or by somebody else`,
});
