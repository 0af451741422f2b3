import { PawlError } from "../../../domain/errors.ts";
import type { Context } from "../context.ts";

type Run = (ctx: Context, words: readonly string[], options: never) => Promise<number>;

/** What `pawl device` does; each is loaded when it is asked for. */
const DOES: Readonly<Record<string, () => Promise<{ readonly run: Run }>>> = {
  list: () => import("./device-list.ts"),
  run: () => import("./device-run.ts"),
  show: () => import("./device-show.ts"),
  replay: () => import("./device-replay.ts"),
  export: () => import("./device-export.ts"),
  parse: () => import("./device-parse.ts"),
};

/** `pawl device WHAT`: hands on a screen. */
export async function run(ctx: Context, [what = "", ...words]: readonly string[], options: never): Promise<number> {
  const load = Object.hasOwn(DOES, what) ? DOES[what] : undefined;
  if (load === undefined)
    throw new PawlError("USAGE", `pawl device does not know "${what}"`, {
      next: `write one of ${Object.keys(DOES).join(", ")}.`,
    });
  return (await load()).run(ctx, words, options);
}
