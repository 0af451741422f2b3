import { setTimeout as pause } from "node:timers/promises";
import { PawlError } from "../../../domain/errors.ts";
import { goneState } from "./devices.ts";
import { runLine, type Shell, type ShellEnd } from "./shell.ts";

export type Ended = Extract<ShellEnd, { kind: "ended" }>;

/** Some Androids say these and end with 0 all the same. */
const FAILED = /^(Error\b|Error:|Exception occurred|java\.lang\.\w+Exception|.*SecurityException)/m;

/**
 * Does something on the device. Throws SCREEN_GONE (nothing was sent), SCREEN_UNSURE (no answer came, or the program was
 * killed), SCREEN_REFUSED (it said no). `isPart`: something was done before, so that a no leaves it unsure.
 */
export async function act(
  shell: Shell,
  line: string,
  { signal, withinMs, isPart = false }: { signal: AbortSignal; withinMs: number; isPart?: boolean },
): Promise<Ended> {
  const end = await runLine(shell, line, { signal, withinMs });
  if (end.kind === "not-sent" && !isPart) throw gone(shell, end.why);
  if (end.kind !== "ended") throw unsure(shell, line, end.why);
  const said = `${end.err}\n${end.out.toString("utf8")}`.trim();
  if (end.code === 0 && !FAILED.test(said)) return end;
  if (end.code >= 128 + 1 && end.code <= 128 + 31)
    throw unsure(shell, line, `it was ended by signal ${end.code - 128}`);
  if (isPart) throw unsure(shell, line, said);
  throw refused(shell, line, said || `exit code ${end.code}`);
}

/** Asks the device something that changes nothing. Null: it has no such thing. Throws SCREEN_GONE. */
export async function look(
  shell: Shell,
  line: string,
  bounds: { signal: AbortSignal; withinMs: number },
): Promise<string | null> {
  const end = await runLine(shell, line, bounds);
  if (end.kind !== "ended") throw gone(shell, end.why);
  const said = end.out.toString("utf8").replaceAll("\r\n", "\n");
  return end.code === 0 && !FAILED.test(end.err) ? said : null;
}

export function gone(shell: Shell, why: string): PawlError {
  const { advice } = goneState(shell.serial) as { advice: string };
  const next = /unauthorized/.test(why) ? `allow debugging in the dialog that ${shell.serial} shows` : advice;
  return new PawlError("SCREEN_GONE", `${shell.serial} cannot be reached: ${firstLine(why)}`, {
    next,
    retryable: true,
  });
}

export const unsure = (shell: Shell, line: string, why: string): PawlError =>
  new PawlError("SCREEN_UNSURE", `whether ${shell.serial} did \`${program(line)}\` is not known: ${firstLine(why)}`, {
    next: "look at the screen before it is done again",
  });

function refused(shell: Shell, line: string, said: string): PawlError {
  const next = /SecurityException|INJECT_EVENTS/.test(said)
    ? "allow it on the device: in its developer options, switch on USB debugging (security settings)"
    : "look at what the screen shows now";
  return new PawlError("SCREEN_REFUSED", `${shell.serial} refused \`${program(line)}\`: ${firstLine(said)}`, { next });
}

/** without what was typed: it may be a password */
const program = (line: string): string => /^\S+( \w+)?/.exec(line)?.[0] ?? line;

function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  // "Exception occurred while executing": the reason stands in the next one
  return (lines[0]!.endsWith(":") && lines[1] ? `${lines[0]} ${lines[1]}` : lines[0]!).slice(0, 300);
}

/** Waits, and throws CANCELLED when the signal aborts. */
export async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {
    throw new PawlError("CANCELLED", "it was cancelled");
  });
}
