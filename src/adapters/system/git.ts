import { realpathSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { PawlError } from "../../domain/errors.ts";
import type { Git, GitOptions, GitResult } from "../../ports/system.ts";
import { gitProcess } from "./git-process.ts";
import { oftenGit } from "./git-reads.ts";

/** Git's command line on this machine. Who finds a lock file waits for it, with back-off, up to 10 s, and never deletes it. */
export const systemGit = (): Git => gitBy(gitProcess);

/** The same for a process that asks git all the time, and has much in memory: see `oftenGit`. */
export const busyGit = (): Git => gitBy(oftenGit);

type Run = Git["run"];

function gitBy(once: Run): Git {
  const queues = new Map<string, Promise<unknown>>();
  const run: Run = (args, options) => patient(once, args, options);
  return {
    run,
    must: async (args, options) => {
      const result = await run(args, options);
      if (result.code === 0) return result.stdout.replace(/\n$/, "");
      throw failed(args, options, result);
    },
    worktrees: (repo, work) => {
      const key = realpathSync(repo);
      const mine = (queues.get(key) ?? Promise.resolve()).then(work, work);
      const settled = mine.catch(() => {}).finally(() => queues.get(key) === settled && queues.delete(key));
      queues.set(key, settled);
      return mine;
    },
  };
}

const PATIENCE_MS = 10_000;
const LOCKED =
  /Unable to create '[^\n]*\.lock': File exists|could not lock config file [^\n]*: File exists|Another git process seems to be running/;

async function patient(once: Run, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const nul = [...args, options.cwd].find((word) => word.includes("\0"));
  if (nul !== undefined) throw new PawlError("GIT_FAILED", `git was given a NUL character in ${JSON.stringify(nul)}`);
  const until = performance.now() + PATIENCE_MS;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const result = await once(args, options);
    const isLocked = result.code > 0 && LOCKED.test(result.stderr);
    if (!isLocked || options.signal?.aborted || performance.now() > until) return result;
    // half of it by chance, so that those who wait do not come back together
    await wait(pauseMs * (0.5 + Math.random() / 2));
  }
}

const failed = (args: readonly string[], options: GitOptions, { code, stderr }: GitResult): PawlError =>
  new PawlError(
    "GIT_FAILED",
    `git ${args.join(" ")} in ${options.cwd} ended with ${code}: ${stderr.trim().slice(-2_000) || "it said nothing"}`,
    {
      data: { args: [...args], code, stderr: stderr.slice(-8_000) },
      retryable: LOCKED.test(stderr),
      ...(LOCKED.test(stderr) ? { next: "another git holds a lock; look whether it still runs, then try again" } : {}),
    },
  );
