import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PawlError } from "../../domain/errors.ts";
import { pawlCommand } from "../pawl-command.ts";
import type { Stage } from "./stage.ts";
import type { Voice } from "./voice.ts";

/** How a program ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that the demo started. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<End>;
  /** false: it is gone */
  signal(name: NodeJS.Signals): boolean;
}

/** `pawl run`: the processor. On a terminal it has the screen and shows its live view; else its lines are passed on. */
export function startProcessor(stage: Stage, voice: Voice): Program {
  const child = spawn(pawlCommand()[0]!, [...pawlCommand().slice(1), "run"], {
    cwd: stage.shop,
    env: stage.env,
    stdio: voice.isTerminal ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  voice.hold(true);
  passOn(child, (line) => voice.say(`   ${line}`));
  const program = programOf(child);
  return { ...program, ended: program.ended.finally(() => voice.hold(false)) };
}

/** The reviewer's program beside it, with a voice of its own that is kept in a file. */
export function startReviewer(stage: Stage, log: number): Program {
  const args = [join(stage.shop, "agents", "reviewer.mjs"), "--leave", "task-003", "--after", "task-005=task-001"];
  return programOf(spawn(process.execPath, args, { cwd: stage.shop, env: stage.env, stdio: ["ignore", log, log] }));
}

/** Runs a command line in the shop to its end. */
export async function run(
  stage: Stage,
  line: readonly string[],
  cwd = stage.shop,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [file, ...args] = line as [string, ...string[]];
  const child = spawn(file, args, { cwd, env: stage.env, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  passOn(child, (text) => said.push(text));
  const { code } = await programOf(child).ended;
  return { code, output: said.join("\n") };
}

function passOn(child: ChildProcess, told: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", told);
}

function programOf(child: ChildProcess): Program {
  const failed = once(child, "error").then(([error]) => {
    throw new PawlError("DEMO", `${child.spawnfile} cannot be started: ${(error as Error).message}`);
  });
  // `close`, not `exit`: what it said is read to the end.
  const closed = once(child, "close").then(
    ([code, signal]): End => ({ code: code as number | null, signal: signal as NodeJS.Signals | null }),
  );
  failed.catch(() => {});
  return { pid: child.pid ?? -1, ended: Promise.race([closed, failed]), signal: (name) => child.kill(name) };
}
