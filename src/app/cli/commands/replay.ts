import { resolve } from "node:path";
import type { LoggedTick } from "../../../ports/store.ts";
import { ticksIn, ticksOf } from "../../log/read-log.ts";
import { type Replayed, replay } from "../../log/replay.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { openStoreHere } from "../look/scene.ts";
import { version } from "../version.ts";
import { replayJson, replayLines } from "../views/replay.ts";

/**
 * `pawl replay [FILE]`: decides a log again and says where this build decides otherwise than the one that wrote it. FILE
 * is an export, `-` stdin; without it the log of the store. Nothing outside is touched. Exit 1: there is a difference.
 */
export async function run(ctx: Context, [file]: readonly string[]): Promise<number> {
  const replayed = await over(ctx, file, replay);
  if (ctx.flags.json) ctx.json(replayJson(replayed, version()));
  else ctx.out(replayLines(replayed, version()).join("\n"));
  return replayed.difference === null ? EXIT.done : EXIT.no;
}

async function over(
  ctx: Context,
  file: string | undefined,
  work: (log: AsyncIterable<LoggedTick>) => Promise<Replayed>,
): Promise<Replayed> {
  if (file !== undefined) return work(ticksIn(file === "-" ? null : resolve(ctx.cwd, file), process.stdin));
  const { reader } = await openStoreHere(ctx);
  try {
    return await work(ticksOf(reader));
  } finally {
    await reader.close();
  }
}
