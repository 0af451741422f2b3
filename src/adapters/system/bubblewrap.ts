import { execFile } from "node:child_process";
import { PawlError } from "../../domain/errors.ts";
import type { Sandbox } from "../../ports/commands.ts";
import { SANDBOX_ARGS } from "../../workspace/commands/sandbox.ts";

export const BWRAP = "bwrap";

/** What holds a command: the sandbox, or null and why there is none. */
export interface Held {
  readonly sandbox: Sandbox | null;
  readonly word: string;
}

let known: Promise<string | null> | undefined;

/** Throws SANDBOX_MISSING where one is required and this machine cannot make it. Asked once per process. */
export async function holdIn(sandbox: Sandbox): Promise<Held> {
  known ??= whyNone();
  const why = await known;
  if (why === null) return { sandbox, word: "bubblewrap" };
  if (sandbox.mode === "auto") return { sandbox: null, word: `none: ${why}` };
  throw new PawlError("SANDBOX_MISSING", `the command is to run in a sandbox, and ${why}`, {
    next: "install bubblewrap (Debian: apt install bubblewrap), or ask for sandbox auto or off",
  });
}

const whyNone = (): Promise<string | null> =>
  process.platform !== "linux"
    ? Promise.resolve("bubblewrap is there on Linux only")
    : new Promise((resolve) => {
        execFile(BWRAP, [...SANDBOX_ARGS, "true"], { timeout: 5_000 }, (error, _, stderr) => {
          if (error === null) return resolve(null);
          const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
          const said = stderr.trim().split("\n")[0] || error.message.split("\n")[0];
          resolve(missing ? "bubblewrap is not installed" : `bubblewrap cannot make one here: ${said}`);
        });
      });
