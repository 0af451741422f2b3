import { basename } from "node:path";
import type { Instant, TaskId } from "../../../domain/names.ts";
import { Board } from "../../../engine/board.ts";
import type { Holder } from "../../../ports/store.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { follow } from "../live/follow.ts";
import { createLiveView } from "../live/live-view.ts";
import { signOf } from "../look/run-folders.ts";
import type { Look } from "../look/scene.ts";
import { taskNamed } from "../look/task.ts";
import { onStopOrder } from "../stop-signals.ts";
import type { Heading } from "../views/live-block.ts";
import { lookingAt } from "../work-or-task.ts";

interface Options {
  readonly live?: boolean;
}

/**
 * `pawl watch [TASK…]`: the live view of a processor that runs elsewhere, by reading alone: a picture on a terminal, in a
 * pipe lines, with --json each tick as `run --json` has it. Ends when that processor ends, or with Ctrl+C: then it goes on.
 */
export async function run(ctx: Context, ids: readonly string[], options: Options): Promise<number> {
  return lookingAt(ctx, ids[0], async (look) => {
    for (const id of ids) await taskNamed(id, look);
    const only = ids.length > 0 ? new Set(ids as readonly TaskId[]) : null;
    const abort = new AbortController();
    const orders = onStopOrder(() => abort.abort());
    try {
      await watch(ctx, look, { only, signal: abort.signal, wanted: options.live !== false });
      return EXIT.done;
    } finally {
      orders.off();
    }
  });
}

async function watch(
  ctx: Context,
  { reader, scene, repo, state }: Look,
  of: { only: ReadonlySet<TaskId> | null; signal: AbortSignal; wanted: boolean },
): Promise<void> {
  const { only, signal, wanted } = of;
  const snapshot = await reader.load();
  const board = new Board(snapshot);
  const isTerminal =
    wanted && !ctx.flags.json && Boolean(process.stdout.isTTY) && !ctx.env.CI && ctx.env.TERM !== "dumb";
  const view = createLiveView({
    stdout: isTerminal ? process.stdout : { write: (text) => ctx.raw("stdout", Buffer.from(text)) },
    stderr: { write: (text) => ctx.say(text.trimEnd()) },
    isTerminal,
    json: ctx.flags.json,
    now: () => Date.now() as Instant,
    columns: () => process.stdout.columns || 80,
    rows: () => process.stdout.rows || 24,
    paint: ctx.colour,
    heading: headingOf(board, { repo, holder: scene.holder }),
    only,
  });
  const sign = (leg: Parameters<typeof signOf>[1]) => signOf(state, leg);
  if (!scene.holder?.alive) ctx.say("nobody ticks; what a pawl run does is shown from its start on");
  if (isTerminal) view.onTick({ seq: snapshot.seq, now: snapshot.now, inputs: [], facts: [], board }, sign)();
  const tick: Parameters<typeof follow>[0]["tick"] = (ticked) => view.onTick(ticked, sign)();
  const holder = (who: Holder | null) => ctx.say(who === null ? "the processor has ended" : holderWords(who));
  try {
    await follow({ reader, only, signal, tick, holder }, snapshot.seq);
  } finally {
    view.close();
  }
}

const holderWords = ({ pid, host, epoch }: Holder): string => `watching pid ${pid} on ${host}, epoch ${epoch}`;

function headingOf(board: Board, { repo, holder }: { repo: string | null; holder: Holder | null }): Heading {
  const some = [...board.rows.values(), ...board.seeds.values()][0]?.terms;
  return {
    repo: repo === null ? "" : basename(repo),
    base: some?.base ?? "",
    map: some?.phases ?? "default",
    epoch: holder?.epoch ?? 0,
    since: holder?.since ?? board.now,
  };
}
