import { closeSync, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Ms } from "../../domain/names.ts";
import type { CommandOrder, CommandResult, OutputPart } from "../../ports/commands.ts";
import { type BoundedLog, boundedLog } from "../../workspace/commands/bounded-log.ts";
import type { Redactor } from "../../workspace/commands/redact.ts";
import { type KeptStream, keptStream } from "./kept-stream.ts";

const KEPT_BYTES = 64 * 1024;
const LOG_BYTES = 64 * 1024 * 1024;

/** What a result says about output. */
export type Told = Pick<CommandResult, "stdout" | "stderr" | "cut" | "log" | "log_cut">;

/** What becomes of a command's output: both its streams, each decoded and redacted for itself. */
export interface CommandOutput {
  read(name: OutputPart["stream"], stream: Readable): void;
  /** by performance.now(), when it last said something, or the reader let it go on */
  lastAt(): number;
  /** while the reader is waited for, silence is not the command's */
  isPaused(): boolean;
  /** how long the reader was waited for, all in all */
  pausedMs(): Ms;
  /** what was written last, on a line that has no end; null: nothing */
  openLine(): string | null;
  /** no more is taken: the log is whole and closed; called again, it says the same */
  finish(): Told;
}

/** Throws where the log file cannot be made; later on a full disk cuts the log, never the command. */
export function commandOutput({ onOutput, logFile }: CommandOrder, redactor: Redactor): CommandOutput {
  const log = logFile === undefined ? null : openLog(logFile);
  const reader = patientReader(onOutput);
  const kept = { stdout: keptStream(KEPT_BYTES), stderr: keptStream(KEPT_BYTES) };
  const redactions = { stdout: redactor.stream(), stderr: redactor.stream() };
  let told: Told | null = null;
  let last = performance.now();
  let spoke: OutputPart["stream"] = "stdout";
  const say = (stream: OutputPart["stream"], bytes: Uint8Array, from: Readable | null): void => {
    if (bytes.length === 0) return;
    kept[stream].push(bytes);
    log?.bounded.push(bytes);
    reader.tell({ stream, bytes }, from, () => {
      last = performance.now();
    });
  };
  return {
    read(name, stream) {
      stream.on("error", () => {}); // destroyed while somebody still wrote into it
      stream.on("data", (part: Buffer) => {
        last = performance.now();
        spoke = name;
        kept[name].sniff(part);
        say(name, redactions[name].push(part), stream);
      });
    },
    lastAt: () => last,
    isPaused: reader.isPaused,
    pausedMs: reader.pausedMs,
    openLine: () => kept[spoke].openLine().trim() || null,
    finish() {
      if (told !== null) return told;
      for (const name of ["stdout", "stderr"] as const) say(name, redactions[name].end(), null);
      told = { ...texts(kept), ...closeLog(log, logFile) };
      return told;
    },
  };
}

function texts(kept: Readonly<Record<"stdout" | "stderr", KeptStream>>): Pick<Told, "stdout" | "stderr" | "cut"> {
  const [stdout, stderr] = [kept.stdout.text(), kept.stderr.text()];
  const cut = stdout.cut + stderr.cut > 0 ? { cut: { stdout: stdout.cut, stderr: stderr.cut } } : {};
  return { stdout: stdout.text, stderr: stderr.text, ...cut };
}

interface Log {
  readonly file: number;
  readonly bounded: BoundedLog;
}

function openLog(path: string): Log {
  const file = openSync(path, "a", 0o600);
  const bounded = boundedLog(LOG_BYTES, (bytes) => {
    try {
      return writeSync(file, bytes);
    } catch {
      return 0;
    }
  });
  return { file, bounded };
}

function closeLog(log: Log | null, path: string | undefined): Pick<Told, "log" | "log_cut"> {
  if (log === null || path === undefined) return {};
  const { cut } = log.bounded.finish();
  closeSync(log.file);
  return { log: path, ...(cut > 0 ? { log_cut: cut } : {}) };
}

/** Tells the reader each part; where it gives a promise, the stream waits. One that fails is told no more. */
function patientReader(onOutput: CommandOrder["onOutput"]) {
  let tell = onOutput;
  let waiting = 0;
  let since = 0;
  let paused = 0;
  const fail = (): void => {
    tell = undefined;
  };
  const wait = async (ready: Promise<void>, from: Readable | null, resumed: () => void): Promise<void> => {
    if (waiting++ === 0) since = performance.now();
    from?.pause();
    await ready.catch(fail);
    if (--waiting === 0) paused += performance.now() - since;
    resumed();
    from?.resume();
  };
  return {
    isPaused: () => waiting > 0,
    pausedMs: () => paused + (waiting > 0 ? performance.now() - since : 0),
    tell(part: OutputPart, from: Readable | null, resumed: () => void): void {
      try {
        const ready = tell?.(part);
        if (ready) void wait(ready, from, resumed);
      } catch {
        fail();
      }
    },
  };
}
