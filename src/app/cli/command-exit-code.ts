import type { CommandResult } from "../../ports/commands.ts";
import { EXIT } from "./exit-code.ts";

/** What `pawl exec` ends with: the command's own code, or what a shell has where it did not end by itself. */
export function exitCodeFor({ ending, exit_code, why = "" }: CommandResult): number {
  if (ending === "exit") return exit_code;
  if (ending === "timeout") return EXIT.timeout;
  if (ending === "cancelled") return EXIT.interrupted;
  if (ending === "spawn-failed") return why.startsWith("there is no program") ? 127 : 126;
  return 128 + (SIGNALS[/SIG[A-Z0-9]+/.exec(why)?.[0] ?? ""] ?? 0);
}
const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGSYS: 31,
};
