import type { Task } from "../../../domain/task.ts";
import { sayUnasked } from "../../worker/say-unasked.ts";
import type { WorkStand } from "../../worker/work-stand.ts";
import { decider } from "../ask-processor.ts";
import type { Context } from "../context.ts";
import { confirmed, type DecideOptions, decide, messageOf } from "../decide.ts";
import { EXIT } from "../exit-code.ts";
import { oneLine } from "../printable.ts";
import { workMeant } from "../work-or-task.ts";

/** `pawl cancel TASK -m M`: the task ends as failed; its branch and worktree stay. */
export async function run(ctx: Context, [id]: readonly string[], options: DecideOptions): Promise<number> {
  const message = messageOf("cancel", id ?? "TASK", options);
  const work = await workMeant(ctx, id);
  if (work !== null) return cancelWork(ctx, id!, { work, message, as: options.as });
  return decide(ctx, { id, as: options.as, confirm: whatGoes }, () => ({ do: "cancel", message }));
}

async function cancelWork(
  ctx: Context,
  id: string,
  { work, message, as }: { readonly work: WorkStand; readonly message: string; readonly as: string | undefined },
): Promise<number> {
  if (
    !(await confirmed(ctx, [
      `cancel ${id}, a ticket of pawl work: it ends as failed; its branch and its worktree stay.`,
    ]))
  )
    return EXIT.no;
  const by = await decider(as, await ctx.repo());
  sayUnasked(work.run, { message_type: "END", reason: message, by });
  if (ctx.flags.json) ctx.json({ ok: true, task: id, said: "END", run: work.run });
  else
    ctx.out(
      `END is noted for ${id}; ${work.isAlive ? "it ends after what it does just now" : "the same pawl work command ends it"}.`,
    );
  return EXIT.done;
}

function whatGoes({ id, terms, status, doing }: Task): readonly string[] {
  const worker = doing.kind === "running" ? " Its worker is told to stop." : "";
  return [
    `cancel ${id}, ${oneLine(terms.title)} (${status}): it ends as failed; branch ${terms.branch} and its worktree stay.${worker}`,
  ];
}
