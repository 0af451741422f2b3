import { logHead } from "../../log/log-line.ts";
import { ticksOf } from "../../log/read-log.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { openStoreHere } from "../look/scene.ts";
import { jsonText } from "../printable.ts";
import { version } from "../version.ts";

/** `pawl export`: the log of the store as JSON lines, the head first, then each tick. Works beside a processor. */
export async function run(ctx: Context): Promise<number> {
  const { reader } = await openStoreHere(ctx);
  const put = (value: unknown) => ctx.raw("stdout", Buffer.from(`${jsonText(value)}\n`));
  try {
    await put(logHead(version()));
    for await (const { seq, now, epoch, build, inputs, facts } of ticksOf(reader))
      await put({ seq, now, epoch, build, inputs, facts });
    return EXIT.done;
  } finally {
    await reader.close();
  }
}
