import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionRecord } from "../../adapters/acp/session-record.ts";
import { parseLeg } from "../../domain/names.ts";
import { packageRoot } from "../config/package-root.ts";
import { git } from "../config/repository.ts";
import { mailboxOf } from "../worker/mailbox.ts";
import type { AcpTask } from "./task.ts";
import type { Known } from "./words.ts";

/** All that may have to be said to an agent of this leg. */
export async function knownOf(task: AcpTask, before: SessionRecord | null): Promise<Known> {
  const last = mailboxOf(task.run).at(-1);
  return {
    run: parseLeg(task.order.wish.leg).run,
    leg: task.leg,
    prompt: task.order.brief.prompt,
    manner: readFileSync(join(packageRoot(), "prompts", "acp.md"), "utf8"),
    answer: last?.answer ? { seq: last.seq, answer: last.answer } : null,
    before,
    done: await doneIn(task),
  };
}

const MOST = 8_000;

/** Commits since the base, and what is not committed, as git says it. */
async function doneIn({ worktree, bases }: AcpTask): Promise<string> {
  const { stdout: open } = await git(worktree, ["status", "--short", "--untracked-files=all"]);
  const commits = await commitsSince(worktree, bases);
  const parts = [
    commits === "" ? "" : `Commits so far:\n${commits}`,
    open === "" ? "" : `Not committed yet:\n${open}`,
  ].filter((part) => part !== "");
  return parts.join("\n\n").slice(0, MOST);
}

async function commitsSince(cwd: string, bases: readonly string[]): Promise<string> {
  for (const base of bases) {
    const { code, stdout } = await git(cwd, [
      "log",
      "--oneline",
      "--no-show-signature",
      "--no-decorate",
      "-30",
      `${base}..HEAD`,
    ]);
    if (code === 0) return stdout;
  }
  return "";
}
