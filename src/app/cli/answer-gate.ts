import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Command } from "../../domain/input.ts";
import { hasRuns } from "../lost-store.ts";
import { answerWork } from "../worker/answer-work.ts";
import { toldOfWork } from "../worker/work-stand.ts";
import { decider } from "./ask-processor.ts";
import type { Context } from "./context.ts";
import { type DecideOptions, decide } from "./decide.ts";
import { EXIT } from "./exit-code.ts";
import { oneLine } from "./printable.ts";
import { workMeant } from "./work-or-task.ts";

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
  const work = await workMeant(ctx, id);
  if (work?.how === "at-work") throw toldOfWork(id!, work, "REFUSED");
  if (work?.how === "waits") {
    const by = await decider(options.as, await ctx.repo());
    const said = answerWork(work.waiting, { word, message, by });
    if (ctx.flags.json) ctx.json({ ok: true, task: id, said, run: work.run });
    else ctx.out(`${said} is noted for ${id}; ${takenBy(work)}.`);
    return EXIT.done;
  }
  return decide(ctx, { id, as: options.as }, ({ doing }): Command => {
    const seq = doing.kind === "at-gate" ? doing.seq : null;
    return isYes ? { do: word, seq, message } : { do: word, seq, message: message! };
  }).catch(async (error: unknown) => {
    const isNew = error instanceof PawlError && error.code === "STORE_MISSING";
    throw isNew && id !== undefined && !hasRuns({ state: join(await ctx.repo(), ".pawl") }) ? nothingOf(id) : error;
  });
}

const nothingOf = (id: string): PawlError =>
  new PawlError("TASK_UNKNOWN", `nothing is called "${id}": no pawl run has been here, and no pawl work on it`, {
    next: "pawl run, or pawl work TICKET.md.",
  });

/** Who goes on with what a person has said. */
const takenBy = ({ isAlive }: { readonly isAlive: boolean }): string =>
  isAlive ? "pawl work, which waits, goes on with it" : "the same pawl work command goes on with it";
