import type { Task } from "../../domain/task.ts";
import type { Ending } from "../../engine/engine.ts";
import type { Processor } from "../compose.ts";
import type { Context } from "./context.ts";
import { EXIT } from "./exit-code.ts";

/** What is said when a run ends, and its exit code: failed goes before waiting for a person (ux.md 11). */
export async function endReport(ctx: Context, { engine }: Processor, ending: Ending): Promise<number> {
  const rows = [...engine.board.rows.values()];
  if (ending.kind === "interrupted") {
    ctx.say(stopped(rows));
    return EXIT.interrupted;
  }
  if (ending.kind === "stopped") {
    ctx.say(`Stopped by ${ending.by}; all state is saved.`);
    return EXIT.done;
  }
  const failed = [...engine.board.ended.values(), ...rows].some((task) => task.status === "failed");
  if (failed) return EXIT.no;
  const open = rows.some((task) => task.status === "in-progress") || engine.board.seeds.size > 0;
  return open ? EXIT.waits : EXIT.done;
}

function stopped(rows: readonly Task[]): string {
  const running = rows.filter((task) => task.doing.kind === "running").map((task) => task.id);
  if (running.length === 0) return "^C Stopped; all state is saved.\nnext: pawl run";
  const workers = `${running.length} worker${running.length === 1 ? " goes" : "s go"} on: ${running.join(", ")}`;
  return `^C Stopped; all state is saved. ${workers}.\nnext: pawl run (adopts them)   |   pawl stop --workers (ends them, keeps their worktrees)`;
}
