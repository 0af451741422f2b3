import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import type { Ms } from "../../domain/names.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import type { Identity } from "../../ports/system.ts";
import type { Reason } from "./bounds.ts";
import type { DriverParts } from "./drive.ts";
import { isFull } from "./full-disk.ts";
import type { Ended } from "./leg.ts";
import type { Output } from "./output.ts";
import { endStrays } from "./strays.ts";

export type ProcessEnd = Pick<Ended, "exit_code" | "signal" | "ending" | "why" | "disk_full">;

interface Run {
  readonly command: CommandLine;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** path of the file that is its input; null: it has none */
  readonly stdin: string | null;
  /** of the leg that it belongs to */
  readonly folder: string;
  readonly output: Output;
  /** told of its stdout */
  readonly hear?: (part: Buffer) => void;
  readonly parts: DriverParts;
  readonly started: (agent: Identity) => void;
  readonly reasonToEnd: () => Promise<Reason | null>;
}

const LOOK_MS = 150;
const GRACE_MS = 2_000;
/** Who has ended may leave children that hold the pipes: their output is waited for so long, no longer. */
const DRAIN_MS = 2_000;

/** One program in a session of its own, from its start until nothing of it lives. Never throws for what the program did. */
export async function runProcess(run: Run): Promise<ProcessEnd> {
  const early = await run.reasonToEnd();
  if (early) return { ...early, exit_code: null, signal: null };
  const child = await start(run);
  if (child instanceof Error) return { ending: "spawn-failed", why: child.message, exit_code: null, signal: null };
  const { exited, closed } = listen(child, run);
  await noteIdentity(child, run);

  const reason = await untilEnd(exited, run);
  if (reason) await end(child, exited, run);
  const { code, signal } = await exited;
  const full = isFull(run.folder) ? { disk_full: true as const } : {};
  await first(closed, DRAIN_MS, run);
  await endStrays({ group: child.pid ?? null, folder: run.folder, ...run.parts });
  child.stdout?.destroy();
  child.stderr?.destroy();
  return { ending: "exit", why: null, ...reason, exit_code: code, signal, ...full };
}

async function start({ command, cwd, env, stdin, parts }: Run): Promise<ChildProcess | Error> {
  if (!existsSync(cwd)) return new Error(`the worktree ${cwd} is gone`);
  let input: number | "ignore" = "ignore";
  try {
    if (stdin !== null) input = openSync(stdin, "r");
    const { file, args } = parts.commandLine(command);
    const child = spawn(file, args, { cwd, env, detached: true, stdio: [input, "pipe", "pipe"] });
    return await new Promise((resolve) => {
      child.once("spawn", () => resolve(child));
      child.once("error", (error) => resolve(new Error(`${file} cannot be started: ${error.message}`)));
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    if (typeof input === "number") closeSync(input);
  }
}

function listen(child: ChildProcess, { output, hear }: Run) {
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal })),
  );
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", output.push);
    stream?.on("error", () => {}); // destroyed while a stray still wrote into it
  }
  if (hear) child.stdout?.on("data", hear);
  return { exited, closed };
}

async function noteIdentity(child: ChildProcess, { parts, started }: Run): Promise<void> {
  const agent = child.pid === undefined ? "gone" : await parts.processes.identity(child.pid);
  if (typeof agent === "object") started(agent);
}

async function untilEnd(exited: Promise<unknown>, run: Run): Promise<Reason | null> {
  for (;;) {
    if (await first(exited, LOOK_MS, run)) return null;
    const reason = await run.reasonToEnd();
    if (reason) return reason;
  }
}

/** Asks the program, then its whole group, then kills: it gets the time to write down where it stands. */
async function end(child: ChildProcess, exited: Promise<unknown>, run: Run): Promise<void> {
  child.kill("SIGTERM");
  if (await first(exited, GRACE_MS, run)) return;
  signalGroup(child, "SIGTERM");
  if (await first(exited, GRACE_MS, run)) return;
  signalGroup(child, "SIGKILL");
}

/** The child has not been waited for (it has no exit code), so its pid is still its own. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

/** Whether `fact` came within that time. */
async function first(fact: Promise<unknown>, ms: Ms, { parts }: Run): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([fact.then(() => true), parts.clock.sleep(ms, late.signal).then(() => false)]);
  } finally {
    late.abort();
  }
}
