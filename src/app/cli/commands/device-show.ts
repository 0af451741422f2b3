import { closeSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { playerPage } from "../../device/player.ts";
import { actionText, amount } from "../../device/step-line.ts";
import type { Context } from "../context.ts";
import { recordedRun } from "../device/recorded-run.ts";
import { EXIT } from "../exit-code.ts";
import { table } from "../printable.ts";

interface Options {
  readonly out?: string;
}

/** `pawl device show RUN`: its steps, and one HTML file that plays it, with everything in it. */
export async function run(ctx: Context, [named = ""]: readonly string[], { out }: Options): Promise<number> {
  const { folder, trajectory, picture } = await recordedRun(ctx, named);
  const file = out === undefined ? join(folder, "player.html") : resolve(ctx.cwd, out);
  write(file, playerPage(trajectory, picture));
  if (ctx.flags.json) {
    const { steps, ...head } = trajectory;
    ctx.json({
      ok: true,
      folder,
      player: file,
      ...head,
      steps: steps.map(({ step, action, result }) => ({ step, action, result })),
    });
    return EXIT.done;
  }
  const { status, reason, duration, task_goal: goal, total_steps: total } = trajectory;
  ctx.out(`${goal}\n${status}: ${reason} · ${total} steps · ${amount(duration)}`);
  const rows = trajectory.steps.map(({ step, action, result, duration: took }) => [
    `${step}`,
    actionText(action),
    result.outcome,
    amount(took),
  ]);
  if (rows.length > 0) ctx.out(table(rows).join("\n"));
  ctx.say(`next: open ${file} in a browser`);
  return EXIT.done;
}

/** Piece by piece: all pictures at once may not fit into memory. */
function write(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    for (const piece of pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}
