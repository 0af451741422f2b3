import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { inkFor } from "../look/ink.ts";
import { taskNamed } from "../look/task.ts";
import { wrapped } from "../views/columns.ts";
import { type Ink, isLive } from "../views/scene.ts";
import { whyLine, whyLines, whyOf } from "../views/why.ts";
import { lookingAt } from "../work-or-task.ts";

/** `pawl why [TASK]`: whose move it is, when it is looked at, what to do. Without a task, one line for each that is not at its end. */
export async function run(ctx: Context, [id]: readonly string[]): Promise<number> {
  return lookingAt(ctx, id, async (look) => {
    const { scene } = look;
    const tasks = id === undefined ? scene.tasks.filter(isLive) : [await taskNamed(id, look)];
    const ink = inkFor(ctx);
    const whys = tasks.map((task) => whyOf(task, scene));
    if (ctx.flags.json) ctx.json({ ok: true, tasks: whys });
    else if (id !== undefined) ctx.out(whyLines(whys[0]!, scene, ink).join("\n"));
    else
      ctx.out(
        whys.length === 0
          ? "nothing waits: every task is at its end"
          : whys.flatMap((why) => shown(whyLine(why, scene), ink)).join("\n"),
      );
    return EXIT.done;
  });
}

/** A line for each task; a terminal that is narrower gets it in several. */
const shown = (line: string, { cuts, width }: Ink): readonly string[] =>
  cuts ? wrapped(line, { columns: width, indent: 2 }) : [line];
