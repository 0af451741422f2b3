import { PawlError } from "../../domain/errors.ts";
import type { Task } from "../../domain/task.ts";
import { askProcessor, type Decision, decider } from "./ask-processor.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-code.ts";
import { looking } from "./look/scene.ts";
import { taskNamed } from "./look/task.ts";
import { refusalOf } from "./preview.ts";
import { oneLine } from "./printable.ts";
import type { Scene } from "./views/scene.ts";
import { orToldOfWork } from "./work-or-task.ts";

/** Options that decisions share. */
export interface DecideOptions {
  readonly message?: string;
  readonly as?: string;
}

/** Looks at the task, makes the decision of it, has it confirmed where it wants that, and hands it over. */
export async function decide(
  ctx: Context,
  of: {
    readonly id: string | undefined;
    readonly as: string | undefined;
    readonly confirm?: (task: Task, scene: Scene) => readonly string[];
  },
  make: (task: Task) => Decision["command"],
): Promise<number> {
  const { id } = of;
  return orToldOfWork(ctx, { id, code: "REFUSED" }, () =>
    looking(ctx, async (look) => {
      const task = await taskNamed(id ?? "", look);
      const command = make(task);
      const by = await decider(of.as, look.repo);
      const refusal = refusalOf(task, command, look.scene);
      if (of.confirm && refusal === null && !(await confirmed(ctx, of.confirm(task, look.scene)))) return EXIT.no;
      return askProcessor(ctx, look.reader, { task: task.id, command, what: `${command.do} ${task.id}`, by, refusal });
    }),
  );
}

/** The message that a decision needs. Throws USAGE where there is none. */
export function messageOf(command: "reject" | "waive" | "cancel", what: string, { message }: DecideOptions): string {
  if (message !== undefined && oneLine(message) !== "") return message;
  throw new PawlError("USAGE", `pawl ${command} needs a message: what is said with it`, {
    next: `pawl ${command} ${what} -m "…"`,
  });
}

/** Says what would go and asks; without a terminal it wants --yes. False: no, and nothing was done. */
export async function confirmed(ctx: Context, whatGoes: readonly string[]): Promise<boolean> {
  if (ctx.flags.yes) return true;
  if (!ctx.isTerminal || ctx.flags.json)
    throw new PawlError("USAGE", `${whatGoes.join(" ")} Nobody can be asked here`, { next: "say it with --yes." });
  for (const line of whatGoes) ctx.say(line);
  const { createInterface } = await import("node:readline/promises");
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await questions.question("Go on? (y/N) ");
    if (/^y(es)?$/i.test(answer.trim())) return true;
    ctx.say("Nothing was done.");
    return false;
  } finally {
    questions.close();
  }
}
