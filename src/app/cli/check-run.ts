import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { commandLine } from "../../adapters/system/command-line.ts";
import type { Check } from "../../ports/runtime.ts";
import { keepOutput } from "./kept-output.ts";

/** How a check ended. `code` is null unless it ended by itself. */
export interface CheckEnd {
  readonly ending: "exit" | "signal" | "timeout" | "cancelled" | "spawn-failed";
  readonly code: number | null;
  readonly why: string;
  readonly output: string;
  readonly ms: number;
}

export interface CheckPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** all of its output, as it comes */
  readonly echo: (chunk: Buffer) => void;
}

const KEPT_BYTES = 64 * 1024;
const GRACE_MS = 2_000;
/** A child that it left behind may hold the pipe: its output is waited for so long, no longer. */
const DRAIN_MS = 2_000;

/** Runs a check in a process group of its own, without input, within its time. Never throws for what it did. */
export async function runCheck({ run, timeoutMs }: Check, { cwd, env, signal, echo }: CheckPlace): Promise<CheckEnd> {
  const started = performance.now();
  const kept = keepOutput(KEPT_BYTES);
  const end = (ending: CheckEnd["ending"], code: number | null, why: string): CheckEnd => ({
    ending,
    code,
    why,
    output: kept.text(),
    ms: Math.round(performance.now() - started),
  });
  if (signal.aborted) return end("cancelled", null, "was cancelled");
  const { file, args } = commandLine(run);
  const child = spawn(file, [...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      kept.push(chunk);
      echo(chunk);
    });
  const failed = await Promise.race([
    once(child, "spawn").then(() => null),
    once(child, "error").then(([error]) => error as Error),
  ]).catch((error: Error) => error);
  if (failed) return end("spawn-failed", null, `cannot be started: ${failed.message}`);
  const ended = exitOf(child);
  const stopped = stopWhen(child, { timeoutMs, signal });
  const { code, by } = await ended;
  const why = stopped.done();
  await drained(child);
  if (why === "timeout") return end("timeout", null, `timed out after ${seconds(timeoutMs)}`);
  if (why === "cancelled") return end("cancelled", null, "was cancelled");
  return by === null ? end("exit", code, `exited ${code}`) : end("signal", null, `was ended by ${by}`);
}

const seconds = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1_000}s`);

const exitOf = (child: ChildProcess): Promise<{ code: number | null; by: NodeJS.Signals | null }> =>
  new Promise((done) => child.once("exit", (code, by) => done({ code, by })));

/** Ends the whole group when the time is over or somebody cancels: TERM, then KILL for what is left of it. */
function stopWhen(child: ChildProcess, of: { timeoutMs: number; signal: AbortSignal }) {
  let why: "timeout" | "cancelled" | null = null;
  let kill: NodeJS.Timeout | undefined;
  const stop = (because: "timeout" | "cancelled") => (): void => {
    if (why !== null) return;
    why = because;
    toGroup(child, "SIGTERM");
    kill = setTimeout(() => toGroup(child, "SIGKILL"), GRACE_MS);
  };
  const timer = setTimeout(stop("timeout"), of.timeoutMs);
  const cancel = stop("cancelled");
  of.signal.addEventListener("abort", cancel, { once: true });
  // It may have come while the check was being started: a signal that has aborted tells nobody again.
  if (of.signal.aborted) cancel();
  return {
    done(): typeof why {
      clearTimeout(timer);
      clearTimeout(kill);
      of.signal.removeEventListener("abort", cancel);
      // Its leader took the TERM; what of the group did not is ended now, while the group's number is still its own.
      if (why !== null) toGroup(child, "SIGKILL");
      return why;
    },
  };
}

function toGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left, or there are no groups here.
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  }
}

async function drained(child: ChildProcess): Promise<void> {
  if (!child.stdout?.readableEnded || !child.stderr?.readableEnded) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((done) => {
      timer = setTimeout(done, DRAIN_MS);
    });
    await Promise.race([once(child, "close"), late]);
    clearTimeout(timer);
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
}
