import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where a program is that would be started by this name, or null. */
export function programPath(name: string, env: Env, cwd: string): string | null {
  const places = name.includes("/")
    ? [isAbsolute(name) ? name : resolve(cwd, name)]
    : (env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The program that a shell text starts, as far as that can be told: its first word that is no setting of a variable. */
export function programOf(command: string | readonly string[]): string | null {
  if (typeof command !== "string") return command[0] ?? null;
  const words = command.trim().split(/\s+/);
  const first = words.find((word) => !/^[A-Za-z_]\w*=/.test(word));
  return first === undefined || !/^[\w./@+-]+$/.test(first) || SHELL_WORDS.has(first) ? null : first;
}
const SHELL_WORDS = new Set([
  "if",
  "for",
  "while",
  "case",
  "cd",
  "set",
  "export",
  "exec",
  "eval",
  "test",
  "true",
  "false",
  ".",
  "source",
  "trap",
  "umask",
  "until",
  "printf",
  "echo",
]);
