import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Ms } from "../../domain/names.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import type { Processes } from "../../ports/system.ts";

export interface Ended {
  readonly ending: "exit" | "timeout" | "cancelled" | "killed" | "spawn-failed";
  /** -1 where it did not end by itself */
  readonly code: number;
  /** what happened, where it was not an exit */
  readonly detail: string;
  /** at most 64 KiB each, the beginning */
  readonly stdout: string;
  readonly stderr: string;
}

interface Order {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: Ms;
  readonly signal: AbortSignal;
  readonly processes: Processes | undefined;
}

const KEPT_BYTES = 64 * 1024;
const DRAIN_MS = 500;
const GRACE_MS = 2_000;

/**
 * Runs a short command in a process group of its own and ends that group when the command ends, is cancelled or is
 * too slow. Never throws: each ending is a result. A grandchild that holds the pipe delays it by at most 0.5 s.
 */
export async function runCommand(order: Order): Promise<Ended> {
  const mark = randomUUID();
  const child = start(order, mark);
  const stdout = keep(child.stdout);
  const stderr = keep(child.stderr);
  const stop = new AbortController();
  const why = Promise.race([
    exitOf(child),
    tooSlow(order.timeoutMs, stop.signal),
    cancelled(order.signal, stop.signal),
  ]);
  const end = await why;
  stop.abort();
  if (end.ending === "timeout" || end.ending === "cancelled") await ask(child);
  endGroup(child, "SIGKILL");
  await endEscaped(order.processes, mark);
  await drained(child);
  return { ...end, stdout: stdout(), stderr: stderr() };
}

type Ending = Omit<Ended, "stdout" | "stderr">;

function start({ command, cwd, env }: Order, mark: string): ChildProcess {
  const [file, args] =
    typeof command === "string" ? ["/bin/sh", ["-c", command]] : [command[0] ?? "", command.slice(1)];
  return spawn(file, args, {
    cwd,
    env: { ...env, [MARK]: mark },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
/** By this its processes are known, wherever they went. */
const MARK = "PAWL_SIGNAL_RUN";

const exitOf = (child: ChildProcess): Promise<Ending> =>
  new Promise((resolve) => {
    child.once("error", (error) =>
      resolve({ ending: "spawn-failed", code: -1, detail: `could not be started: ${error.message}` }),
    );
    child.once("exit", (code, signal) =>
      resolve(
        code === null
          ? { ending: "killed", code: -1, detail: `was ended by ${signal}` }
          : { ending: "exit", code, detail: "" },
      ),
    );
  });

const tooSlow = (timeoutMs: Ms, stop: AbortSignal): Promise<Ending> =>
  new Promise((resolve) => {
    const detail = `was ended after ${timeoutMs / 1_000} s`;
    const timer = setTimeout(() => resolve({ ending: "timeout", code: -1, detail }), timeoutMs);
    stop.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });

const cancelled = (signal: AbortSignal, stop: AbortSignal): Promise<Ending> =>
  new Promise((resolve) => {
    const end = () => resolve({ ending: "cancelled", code: -1, detail: "was cut off" });
    if (signal.aborted) return end();
    signal.addEventListener("abort", end, { once: true, signal: stop });
  });

/** TERM, and two seconds to go by itself. */
async function ask(child: ChildProcess): Promise<void> {
  endGroup(child, "SIGTERM");
  if (child.exitCode !== null || child.signalCode !== null) return;
  await within(GRACE_MS, (done) => child.once("exit", done));
}

/** The group keeps its number as long as one of its processes lives; ESRCH: none does. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // nobody left
  }
}

async function endEscaped(processes: Processes | undefined, mark: string): Promise<void> {
  if (processes === undefined) return;
  for (const who of await processes.withEnv(MARK, mark)) await processes.signal(who, "SIGKILL", "process");
}

async function drained(child: ChildProcess): Promise<void> {
  if (child.stdout?.readableEnded === false || child.stderr?.readableEnded === false)
    await within(DRAIN_MS, (done) => child.once("close", done));
  child.stdout?.destroy();
  child.stderr?.destroy();
}

async function within(ms: Ms, when: (done: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    when(resolve);
  });
  clearTimeout(timer);
}

/** Keeps the beginning of a stream and goes on reading it: a full pipe would hold the command up. */
function keep(stream: Readable | null): () => string {
  const decoder = new StringDecoder("utf8");
  let text = "";
  let bytes = 0;
  stream?.on("error", () => undefined);
  stream?.on("data", (chunk: Buffer) => {
    text += decoder.write(chunk.subarray(0, Math.max(0, KEPT_BYTES - bytes)));
    bytes += chunk.length;
  });
  return () => text + decoder.end();
}
