import type { Ms } from "../domain/names.ts";
import type { CommandLine } from "./runtime.ts";

/** What a command may touch, where bubblewrap is there to hold it to that. */
export interface Sandbox {
  /** auto: without a sandbox where there is none, and that is said; require: refused there */
  readonly mode: "auto" | "require";
  /** absolute paths that it may write to; the rest of the machine is read-only, but for a /tmp of its own */
  readonly writable: readonly string[];
  /** paths below these that stay as they are, like git's hooks; those that are not there are left out */
  readonly readOnly: readonly string[];
  readonly network: boolean;
}

/** A part of a command's output, as it comes; secrets are taken out already. */
export interface OutputPart {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface CommandOrder {
  /** text goes through the shell, a list is run as it is */
  readonly cmd: CommandLine;
  /** absolute path of a folder that is there */
  readonly cwd: string;
  /** on top of what is passed on by name */
  readonly env?: Readonly<Record<string, string>>;
  /** default 10 minutes; 1 ms to 2 hours */
  readonly timeoutMs?: Ms;
  /** how long it may say nothing; default 5 minutes, 1 ms to 2 hours */
  readonly idleMs?: Ms;
  /** a promise that it gives is waited for before more is read, and the command waits meanwhile */
  readonly onOutput?: (part: OutputPart) => void | Promise<void>;
  /** absolute path of a file that all of the output is appended to, at most 64 MiB of it (beginning and end) */
  readonly logFile?: string;
  /** null: none */
  readonly sandbox?: Sandbox | null;
  /** cancels it */
  readonly signal?: AbortSignal;
}

/** How a command ended, as it is on disk and on the wire. */
export interface CommandResult {
  /** it ended by itself, with 0 */
  readonly success: boolean;
  /** -1: it did not end by itself */
  readonly exit_code: number;
  /** at most 64 KiB, beginning and end; no control characters, no secrets; a word about what binary output was */
  readonly stdout: string;
  readonly stderr: string;
  readonly duration_ms: Ms;
  readonly ending: "exit" | "timeout" | "cancelled" | "killed" | "spawn-failed";
  /** in words, where it did not end by itself */
  readonly why?: string;
  /** something that it left behind held its output open until it was ended */
  readonly pipes_held?: true;
  /** how many processes it left behind that were ended */
  readonly left_behind?: number;
  /** bytes of each stream that are not in the texts above */
  readonly cut?: { readonly stdout: number; readonly stderr: number };
  /** bytes of output that are not in the log file either */
  readonly log_cut?: number;
  /** path of the log file */
  readonly log?: string;
  /** what holds it: bubblewrap, or why nothing does; only where a sandbox was asked for */
  readonly sandbox?: string;
}

/**
 * Runs commands.
 *
 * Contract: every end of a command is a result, whatever its exit code; thrown is what cannot be an order: COMMAND_INVALID
 * (empty, NUL, a bound out of range), CWD_MISSING, SANDBOX_MISSING. It has no terminal and no input, finds the variables
 * that are passed on by name (no GIT_* of ours) and those that keep programs from asking. When its process has ended
 * its output is read for 2 s more; then what it left behind is ended (TERM, 2 s, KILL), in its group and wherever it
 * went. Nothing of it lives when the result is there, as far as this machine can see. Memory does not grow with output.
 */
export interface Commands {
  run(order: CommandOrder): Promise<CommandResult>;
}
