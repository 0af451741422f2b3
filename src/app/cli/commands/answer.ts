import { join } from "node:path";
import { type OpenQuestion, openQuestion } from "../../../adapters/agents/question.ts";
import { SCREEN_FOLDER } from "../../../adapters/agents/screen-work.ts";
import { PawlError } from "../../../domain/errors.ts";
import { parseLeg } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import { findRunFolder } from "../../../protocol/run-folder.ts";
import { answerQuestion } from "../../device/asked-in-folder.ts";
import { decider } from "../ask-processor.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { namesIn } from "../look/run-folders.ts";
import { taskNamed } from "../look/task.ts";
import { oneLine } from "../printable.ts";
import { lookingAt } from "../work-or-task.ts";

/** `pawl answer TASK TEXT`: what a worker on a screen asked is answered, once. Exit code: 0 it was, 1 nothing is asked. */
export async function run(
  ctx: Context,
  [id, ...words]: readonly string[],
  options: { readonly as?: string },
): Promise<number> {
  const answer = words.join(" ").trim();
  if (answer === "")
    throw new PawlError("USAGE", "pawl answer needs a text: what is answered", {
      next: `pawl answer ${id ?? "TASK"} "the cheaper one"`,
    });
  return lookingAt(ctx, id, async (look) => {
    const task = await taskNamed(id ?? "", look);
    const by = await decider(options.as, look.repo);
    const found = askedBy(task, look.state);
    if (found === null || !answerQuestion(found.folder, found.asked, answer, by)) return nothingAsked(ctx, task);
    const { question } = found.asked;
    if (ctx.flags.json) ctx.json({ ok: true, task: task.id, question, answer, by });
    else ctx.out(`${task.id} is told: ${oneLine(answer)} (it asked: ${oneLine(question)})`);
    return EXIT.done;
  });
}

function askedBy({ doing }: Task, state: string): { readonly folder: string; readonly asked: OpenQuestion } | null {
  if (doing.kind !== "running") return null;
  const runs = join(state, "runs", parseLeg(doing.leg).task);
  const name = findRunFolder(namesIn(runs), doing.leg);
  if (name === null) return null;
  const folder = join(runs, name, SCREEN_FOLDER);
  const asked = openQuestion(folder);
  return asked === null ? null : { folder, asked };
}

function nothingAsked(ctx: Context, { id, status, phase }: Task): number {
  const reply = `${id} asks nothing now (${status}${phase === null ? "" : ` at ${phase}`}), or was answered already`;
  if (ctx.flags.json) ctx.json({ ok: false, task: id, reply });
  else ctx.say(`${reply}; pawl why ${id}`);
  return EXIT.no;
}
