import { PawlError } from "../../domain/errors.ts";
import type { Command } from "../../domain/input.ts";
import type { Commit } from "../../domain/names.ts";
import type { Task } from "../../domain/task.ts";
import type { Context } from "./context.ts";
import { type DecideOptions, decide, messageOf } from "./decide.ts";

export interface JudgeOptions extends DecideOptions {
  readonly head?: string;
}

/** `pawl approve` and `pawl reject`: an answer about the head that the store shows now, or about the one that is named. */
export async function judge(
  ctx: Context,
  id: string | undefined,
  of: { readonly verdict: "approve" | "reject"; readonly options: JudgeOptions },
): Promise<number> {
  const { verdict, options } = of;
  const message = verdict === "reject" ? messageOf("reject", id ?? "TASK", options) : (options.message ?? null);
  return decide(ctx, { id, as: options.as }, (task): Command => {
    const head = options.head === undefined ? task.head : headNamed(options.head, task);
    return verdict === "reject" ? { do: "reject", head, message: message! } : { do: "approve", head, message };
  });
}

/** The head that was named by its first digits; one in full goes on as it is, and is refused if it is not the head. */
function headNamed(named: string, { id, head }: Task): Commit {
  const digits = named.toLowerCase();
  if (!/^[0-9a-f]{4,64}$/.test(digits))
    throw new PawlError("USAGE", `--head takes a commit by at least 4 of its digits, and "${named}" is none`, {
      next: `pawl show ${id}`,
    });
  if (head?.startsWith(digits)) return head;
  if (digits.length === 40 || digits.length === 64) return digits as Commit;
  throw new PawlError("HEAD_MOVED", `the head of ${id} is ${head?.slice(0, 7) ?? "no commit"}, not ${named}`, {
    next: `look at it again: pawl show ${id} --diff`,
  });
}
