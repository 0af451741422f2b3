import { PawlError } from "../../../domain/errors.ts";
import { isTerminal, type Task } from "../../../domain/task.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { hasEnded, isNamed, type LegLog, legLogs, shortName } from "../look/leg-logs.ts";
import { readFrom, startOfTail } from "../look/log-file.ts";
import { type LogPrinter, logPrinter } from "../look/log-printer.ts";
import { assertRunsThere } from "../look/runs-gone.ts";
import type { Look } from "../look/scene.ts";
import { taskNamed } from "../look/task.ts";
import { lookingAt } from "../work-or-task.ts";

interface Options {
  readonly follow?: boolean;
  readonly attempt?: string;
  readonly tail?: string;
}

const LOOK_MS = 200;

/** `pawl logs TASK`: output of the newest leg, or of the newest one of an attempt; -f goes on across legs and phases until the task is at its end. */
export async function run(ctx: Context, [id = ""]: readonly string[], options: Options): Promise<number> {
  const tail = options.tail === undefined ? null : linesOf(options.tail);
  return lookingAt(ctx, id, async (look) => {
    const task = await taskNamed(id, look);
    const log = chosen(task, look, options);
    const printer = logPrinter(process.stdout, { task: task.id, json: ctx.flags.json });
    if (options.follow) await follow(ctx, { task, look, printer, log, tail, only: options.attempt !== undefined });
    else await once({ printer, log: log!, tail });
    return EXIT.done;
  });
}

function linesOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new PawlError("USAGE", `--tail takes a number of lines, and is "${text}"`, {
    next: "pawl logs TASK --tail 40",
  });
}

/** Null only with -f: there is no log yet. */
function chosen(task: Task, { state }: Look, { attempt, follow }: Options): LegLog | null {
  const { id } = task;
  const all = legLogs(state, id);
  const fitting = attempt === undefined ? all : all.filter(({ run }) => isNamed(run, attempt));
  const newest = fitting.at(-1);
  if (newest) return newest;
  const known = [...new Set(all.map(({ run }) => shortName(run)))].slice(-8).join(", ");
  if (attempt !== undefined && known !== "")
    throw new PawlError("RUN_UNKNOWN", `${id} has no attempt ${attempt}`, { next: `write one of these: ${known}` });
  if (follow) return null;
  assertRunsThere(task, state);
  throw new PawlError("RUN_UNKNOWN", `no worker of ${id} has written anything yet`, {
    next: `pawl logs ${id} -f (waits for it), or pawl why ${id}`,
  });
}

async function once({ printer, log, tail }: { printer: LogPrinter; log: LegLog; tail: number | null }): Promise<void> {
  const start = tail === null ? 0 : await startOfTail(log.path, tail);
  await readFrom(log.path, start, (bytes) => printer.take(bytes, log));
  await printer.end(log);
}

interface Following {
  readonly task: Task;
  readonly look: Look;
  readonly printer: LogPrinter;
  readonly log: LegLog | null;
  readonly tail: number | null;
  /** one attempt, not what comes after it */
  readonly only: boolean;
}

async function follow(ctx: Context, { task, look, printer, tail, only, ...of }: Following): Promise<void> {
  let { log } = of;
  let at = log !== null && tail !== null ? await startOfTail(log.path, tail) : 0;
  for (;;) {
    // Both are asked before the rest is read: what was written until then is in it.
    const isOver = log !== null && hasEnded(log);
    const next = nextLog(look.state, task.id, log);
    const current = log;
    if (current !== null) at = await readFrom(current.path, at, (bytes) => printer.take(bytes, current));
    if (current !== null && (next !== null || isOver)) await printer.end(current);
    if (isOver && only) return;
    if (next === null) {
      if ((log === null || isOver) && (await isAtEnd(task, look))) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      continue;
    }
    if (only && current !== null && next.run !== current.run) return;
    ctx.say(`${task.id} ${shortName(next.run)}${next.leg > 1 ? `, leg ${next.leg}` : ""} (${next.run})`);
    [log, at] = [next, 0];
  }
}

/** The log after this one; null: there is none yet. */
function nextLog(state: string, task: string, log: LegLog | null): LegLog | null {
  const all = legLogs(state, task);
  if (log === null) return all[0] ?? null;
  const index = all.findIndex(({ path }) => path === log.path);
  return all[index + 1] ?? null;
}

async function isAtEnd({ id }: Task, { reader }: Look): Promise<boolean> {
  const task = await reader.task(id);
  return task !== null && isTerminal(task);
}
