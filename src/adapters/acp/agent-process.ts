import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";

/** An agent's process. It stays in this process's group, so that who ends the group ends it too. */
export interface AgentProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** how it ended, in words */
  readonly gone: Promise<string>;
  /** closes its input, and ends it by TERM and KILL where that is not enough; when it resolves it has gone */
  end(patience?: Ms): Promise<void>;
}

/** What it says on stderr goes to ours. A text: why it cannot be started. */
export async function startAgent(of: {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
}): Promise<AgentProcess | string> {
  const [file = "", ...args] = of.command;
  const child = spawn(file, args, { cwd: of.cwd, env: of.env, stdio: ["pipe", "pipe", "inherit"] });
  const failed = await new Promise<string | null>((resolve) => {
    child.once("spawn", () => resolve(null));
    child.once("error", (error) => resolve(`${file} cannot be started: ${error.message}`));
  });
  if (failed !== null) return failed;
  const gone = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal === null ? `exit ${code}` : `ended by ${signal}`)),
  );
  return {
    stdin: child.stdin!,
    stdout: child.stdout!,
    gone,
    end: (patience = 1_000) => endOf(child, gone, { clock: of.clock, patience }),
  };
}

async function endOf(
  child: ChildProcess,
  gone: Promise<string>,
  { clock, patience }: { readonly clock: Clock; readonly patience: Ms },
): Promise<void> {
  child.stdin?.end();
  if (await within(gone, patience, clock)) return;
  child.kill("SIGTERM");
  if (await within(gone, 500, clock)) return;
  child.kill("SIGKILL");
  await gone;
}

/** Whether a fact came within that time. */
export async function within(fact: Promise<unknown>, ms: Ms, clock: Clock): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([fact.then(() => true), clock.sleep(ms, late.signal).then(() => false)]);
  } finally {
    late.abort();
  }
}
