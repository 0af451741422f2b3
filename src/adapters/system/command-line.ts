import { PawlError } from "../../domain/errors.ts";
import type { CommandLine } from "../../ports/runtime.ts";

/** Program and arguments of a command: text goes through the shell (`/bin/sh -c`, on Windows cmd), a list is run as it is. */
export function commandLine(command: CommandLine): { readonly file: string; readonly args: readonly string[] } {
  const [file, ...args] = typeof command === "string" ? shell(command) : command;
  if (!file?.trim() || (typeof command === "string" && !command.trim())) {
    throw new PawlError("COMMAND_INVALID", "the command is empty", { next: "name a program to run" });
  }
  if ([file, ...args].some((word) => word.includes("\0"))) {
    throw new PawlError("COMMAND_INVALID", `the command holds a NUL character: ${JSON.stringify(command)}`, {
      next: "take the NUL out of the command; hand bytes over in a file",
    });
  }
  return { file, args };
}

const shell = (text: string): readonly string[] =>
  process.platform === "win32" ? [process.env.ComSpec ?? "cmd.exe", "/d", "/s", "/c", text] : ["/bin/sh", "-c", text];
