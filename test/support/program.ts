import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** A program of test/fixtures that runs beside the test, and says things line by line. */
export interface Program {
  readonly process: ChildProcess;
  readonly pid: number;
  /** the next line that it says; null: it ended without another */
  line(): Promise<string | null>;
  tell(line: string): void;
  kill(signal: NodeJS.Signals): void;
  /** resolves when it is gone: its exit code, or null where a signal ended it */
  gone: Promise<number | null>;
}

/** Starts a fixture (a TypeScript file), killed when the test is over. `wrap`: a command that starts it, like `sh -c`. */
export function program(file: string, args: readonly string[], wrap: readonly string[] = []): Program {
  const [command, ...all] = [...wrap, process.execPath, "--import", "tsx", file, ...args] as [string, ...string[]];
  const child = spawn(command, all, { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "exit").then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  // A program that was killed reads no more: that is what the test wanted.
  child.stdin!.on("error", () => {});
  return {
    process: child,
    pid: child.pid!,
    gone,
    line: async () => {
      const { value, done } = await lines.next();
      return done ? null : value;
    },
    tell: (line) => void child.stdin!.write(`${line}\n`),
    kill: (signal) => void child.kill(signal),
  };
}
