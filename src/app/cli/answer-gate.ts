import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Command } from "../../domain/input.ts";
import { hasRuns } from "../lost-store.ts";
import { answerWork, noneWaits, waitingWork } from "../worker/answer-work.ts";
import { decider } from "./ask-processor.ts";
import type { Context } from "./context.ts";
import { type DecideOptions, decide } from "./decide.ts";
import { EXIT } from "./exit-code.ts";
import { oneLine } from "./printable.ts";

/** `pawl go|next|feedback|fix|block TASK`: an answer to the submission that the store shows now. */
export async function answerGate(
  ctx: Context,
  id: string | undefined,
  of: { readonly word: "go" | "next" | "feedback" | "fix" | "block"; readonly options: DecideOptions },
): Promise<number> {
  const { word, options } = of;
  const message = options.message ?? null;
  const isYes = word === "go" || word === "next";
  if (!isYes && (message === null || oneLine(message) === ""))
    throw new PawlError("USAGE", `pawl ${word} needs a message: what has to become otherwise, or why not`, {
      next: `pawl ${word} ${id ?? "TASK"} -m "…"`,
    });
  const state = join(await ctx.repo(), ".pawl");
  const work = id === undefined ? null : waitingWork(join(state, "runs"), id);
  if (work !== null) {
    const by = await decider(options.as, await ctx.repo());
    const said = answerWork(work, { word, message, by });
    if (ctx.flags.json) ctx.json({ ok: true, task: id, said, run: work.run });
    else ctx.out(`${said} is noted for ${id}; the same pawl work command goes on with it.`);
    return EXIT.done;
  }
  return decide(ctx, { id, as: options.as }, ({ doing }): Command => {
    const seq = doing.kind === "at-gate" ? doing.seq : null;
    return isYes ? { do: word, seq, message } : { do: word, seq, message: message! };
  }).catch((error: unknown) => {
    const isNew = error instanceof PawlError && error.code === "STORE_MISSING" && !hasRuns({ state });
    throw isNew && id !== undefined ? noneWaits(join(state, "runs"), id) : error;
  });
}
