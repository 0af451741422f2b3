import { PawlError } from "../../../domain/errors.ts";
import { SCRIPTS, SHELLS, type Shell } from "../completion/scripts.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";

/** `pawl completion SHELL`: what that shell reads to complete commands, flags, and ids that fit. */
export async function run(ctx: Context, [shell = ""]: readonly string[]): Promise<number> {
  if (!SHELLS.includes(shell as Shell))
    throw new PawlError("USAGE", `there is no completion for "${shell}"`, {
      next: `write one of ${SHELLS.join(", ")}`,
    });
  const script = SCRIPTS[shell as Shell];
  if (ctx.flags.json) ctx.json({ ok: true, shell, script });
  else ctx.out(script.trimEnd());
  return EXIT.done;
}
