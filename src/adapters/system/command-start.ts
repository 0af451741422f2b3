import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Sandbox } from "../../ports/commands.ts";
import type { CommandLine } from "../../ports/runtime.ts";
import { sandboxed } from "../../workspace/commands/sandbox.ts";
import { BWRAP } from "./bubblewrap.ts";
import { commandLine } from "./command-line.ts";

/** Linux takes no argument of 128 KiB or more: a longer text is run from a file. */
const LONGEST_ARGUMENT = 100_000;

interface Start {
  readonly cmd: CommandLine;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox | null;
}

/** A command that runs, or why it cannot; `release` when it has ended. */
export type Started =
  | { readonly kind: "started"; readonly child: ChildProcess; readonly release: () => void }
  | { readonly kind: "failed"; readonly why: string };

/** Starts it in a session of its own, so that there is no terminal to ask at. Throws CWD_MISSING, COMMAND_INVALID. */
export async function startCommand(start: Start): Promise<Started> {
  const { file, args } = commandLine(start.cmd);
  if (!isFolder(start.cwd)) throw missing(start.cwd);
  const script = process.platform !== "win32" && isLong(start.cmd) ? scriptFile(start.cmd, start.sandbox) : null;
  const release = () => script?.remove();
  const plain = { file, args: script === null ? args : [script.path] };
  const { sandbox, cwd } = start;
  try {
    const line =
      sandbox === null ? plain : sandboxed(plain, { sandbox: withScript(sandbox, script), cwd, bwrap: BWRAP });
    return { kind: "started", child: await spawned(line, start), release };
  } catch (error) {
    release();
    if (!isFolder(start.cwd)) throw missing(start.cwd);
    return { kind: "failed", why: reason(file, error as NodeJS.ErrnoException) };
  }
}

const isLong = (cmd: CommandLine): cmd is string =>
  typeof cmd === "string" && Buffer.byteLength(cmd) > LONGEST_ARGUMENT;

function spawned(line: { readonly file: string; readonly args: readonly string[] }, { cwd, env }: Start) {
  return new Promise<ChildProcess>((resolve, reject) => {
    const child = spawn(line.file, line.args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    child.once("spawn", () => resolve(child));
    child.once("error", reject);
  });
}

interface Script {
  readonly path: string;
  readonly remove: () => void;
}

function scriptFile(text: string, sandbox: Sandbox | null): Script {
  // the sandbox has a /tmp of its own: what it is to read lies where it may write
  const folder = mkdtempSync(join(sandbox?.writable[0] ?? tmpdir(), ".pawl-command-"));
  const path = join(folder, "command.sh");
  writeFileSync(path, text, { mode: 0o600 });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const withScript = (sandbox: Sandbox, script: Script | null): Sandbox =>
  script === null ? sandbox : { ...sandbox, readOnly: [...sandbox.readOnly, script.path] };

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const missing = (cwd: string): PawlError =>
  new PawlError("CWD_MISSING", `there is no folder ${cwd} to run a command in`, {
    next: "name a folder that is there; a worktree that is gone has to be made again",
  });

function reason(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return `there is no program ${file}`;
  if (error.code === "EACCES") return `${file} is no program that may be run`;
  if (error.code === "E2BIG")
    return `the arguments and the environment together are longer than this machine takes; hand the long part over in a file`;
  return `${file} cannot be started: ${error.message}`;
}
