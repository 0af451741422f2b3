import type { Phone } from "./phone.ts";
import { type Part, readScript, type Statement } from "./shell-words.ts";

/** Where a command of the device writes, and what it works on. */
export interface Terminal {
  readonly phone: Phone;
  out(bytes: Buffer | string): Promise<void>;
  err(text: string): Promise<void>;
  /** aborts when the caller went away */
  readonly gone: AbortSignal;
}
export type Program = (args: readonly string[], terminal: Terminal) => Promise<number> | number;

/** Runs a command line as the device's shell does; gives its exit code. */
export async function runShell(
  line: string,
  terminal: Terminal,
  programs: Readonly<Record<string, Program>>,
): Promise<number> {
  let statements: readonly Statement[];
  try {
    statements = readScript(line);
  } catch (error) {
    await terminal.err(`/system/bin/sh: ${(error as Error).message}\n`);
    return 1;
  }
  let status = 0;
  for (const statement of statements) {
    const skipped = statement.when !== "always" && (statement.when === "passed") !== (status === 0);
    if (!skipped && !terminal.gone.aborted) status = await runStatement(statement, status, terminal, programs);
  }
  return status;
}

async function runStatement(
  statement: Statement,
  status: number,
  terminal: Terminal,
  programs: Readonly<Record<string, Program>>,
): Promise<number> {
  const expand = (parts: readonly Part[]) => expanded(parts, status, terminal, programs);
  const words = await Promise.all(statement.words.map(expand));
  const name = words[0] ?? "true";
  const program = Object.hasOwn(programs, name) ? programs[name] : undefined;
  const collected: Buffer[] = [];
  const to = statement.out === null ? null : await expand(statement.out);
  const out =
    to === null ? terminal.out : async (bytes: Buffer | string) => void collected.push(Buffer.from(bytes as Buffer));
  const err = statement.mergesErrors ? (text: string) => out(text) : terminal.err;
  if (program === undefined) {
    await err(`/system/bin/sh: ${name}: inaccessible or not found\n`);
    return 127;
  }
  const code = await program(words.slice(1), { ...terminal, out, err });
  if (to !== null && to !== "/dev/null") terminal.phone.files.write(to, Buffer.concat(collected));
  return code;
}

async function expanded(
  parts: readonly Part[],
  status: number,
  terminal: Terminal,
  programs: Readonly<Record<string, Program>>,
): Promise<string> {
  let text = "";
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "status") text += status;
    else {
      const said: string[] = [];
      const out = async (bytes: Buffer | string): Promise<void> => void said.push(bytes.toString());
      await runShell(part.of, { ...terminal, out }, programs);
      text += said.join("").replace(/\n+$/, "");
    }
  }
  return text;
}
