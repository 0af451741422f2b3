import type { Task } from "../../../domain/task.ts";
import type { Context } from "../context.ts";
import { type DecideOptions, decide, messageOf } from "../decide.ts";
import { oneLine } from "../printable.ts";

/** `pawl cancel TASK -m M`: the task ends as failed; its branch and worktree stay. */
export async function run(ctx: Context, [id]: readonly string[], options: DecideOptions): Promise<number> {
  const message = messageOf("cancel", id ?? "TASK", options);
  return decide(ctx, { id, as: options.as, confirm: whatGoes }, () => ({ do: "cancel", message }));
}

function whatGoes({ id, terms, status, doing }: Task): readonly string[] {
  const worker = doing.kind === "running" ? " Its worker is told to stop." : "";
  return [
    `cancel ${id}, ${oneLine(terms.title)} (${status}): it ends as failed; branch ${terms.branch} and its worktree stay.${worker}`,
  ];
}
