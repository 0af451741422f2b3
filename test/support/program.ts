import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { bundle } from "./bundle.ts";

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
export async function program(file: string, args: readonly string[], wrap: readonly string[] = []): Promise<Program> {
  const [command, ...all] = [...wrap, process.execPath, await built(file), ...args] as [string, ...string[]];
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

/** One JavaScript file of a fixture and what it imports, made once by each test file: it starts in a fifth of the time. */
function built(file: string): Promise<string> {
  const known = programs.get(file);
  if (known) return known;
  const made = bundled(file);
  programs.set(file, made);
  return made;
}
const programs = new Map<string, Promise<string>>();

async function bundled(file: string): Promise<string> {
  const name = basename(file, ".ts");
  // Within the project, so that packages are found; then renamed, as other test files may do the same just now.
  const cache = "node_modules/.cache/pawl-fixtures";
  const outDir = join(cache, `${process.pid}`);
  mkdirSync(outDir, { recursive: true });
  await bundle({ [name]: file }, outDir);
  renameSync(join(outDir, `${name}.mjs`), join(cache, `${name}.mjs`));
  rmSync(outDir, { recursive: true });
  return join(cache, `${name}.mjs`);
}
