import { PawlError } from "../../domain/errors.ts";
import type { Ms } from "../../domain/names.ts";
import type { CommandOrder } from "../../ports/commands.ts";

const MINUTE = 60_000;
/** How long a command may take, and say nothing, unless the order says otherwise. */
export const USUAL_TIMEOUT_MS = 10 * MINUTE;
export const USUAL_IDLE_MS = 5 * MINUTE;
/** What takes longer is a worker's run, with a driver of its own. */
export const LONGEST_MS = 120 * MINUTE;

/** An order with its bounds; throws COMMAND_INVALID for what no command could be started with. */
export function bounded(order: CommandOrder): { readonly timeoutMs: Ms; readonly idleMs: Ms } {
  for (const [name, value = ""] of Object.entries(order.env ?? {})) {
    if (!/^[^=\0]+$/.test(name)) throw invalid(`${JSON.stringify(name)} cannot be the name of a variable`);
    if (value.includes("\0")) throw invalid(`the variable ${name} holds a NUL character`);
  }
  if (order.cwd.includes("\0")) throw invalid(`the folder holds a NUL character: ${JSON.stringify(order.cwd)}`);
  return {
    timeoutMs: within("time limit", order.timeoutMs ?? USUAL_TIMEOUT_MS),
    idleMs: within("limit for silence", order.idleMs ?? USUAL_IDLE_MS),
  };
}

function within(what: string, ms: Ms): Ms {
  if (ms >= 1 && ms <= LONGEST_MS) return ms;
  throw invalid(`the ${what} is ${ms} ms, and may be 1 ms to ${LONGEST_MS / MINUTE} minutes`);
}

const invalid = (what: string): PawlError =>
  new PawlError("COMMAND_INVALID", `no command can be started: ${what}`, {
    next: "correct the order; hand bytes over in a file",
  });
