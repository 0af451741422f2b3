import { resolve } from "node:path";
import { isServer } from "../../../adapters/store/index.ts";
import type { Checked } from "../../../adapters/store/upkeep.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { storePlace } from "../look/store-place.ts";
import { counted } from "../views/amounts.ts";
import { size } from "../views/prune.ts";

/** `pawl store check` looks at all of it; `pawl store backup FILE` copies it. Both also while a processor works. */
export async function run(ctx: Context, [what, file]: readonly string[]): Promise<number> {
  if (what !== "check" && what !== "backup") throw usage(`there is no pawl store ${what}`);
  if (what === "backup" && file === undefined) throw usage("pawl store backup needs a file to write to");
  const { store } = await storePlace(ctx);
  if (isServer(store)) throw onServer(what);
  const { backupStore, checkStore } = await import("../../../adapters/store/upkeep.ts");
  const to = resolve(ctx.cwd, file ?? "");
  const checked = what === "check" ? await checkStore(store) : await backupStore(store, to);
  if (ctx.flags.json) ctx.json({ ok: true, store, ...(what === "backup" ? { backup: to } : {}), ...checked });
  else ctx.out(what === "check" ? `${store} is whole: ${words(checked)}` : `wrote   ${to}: ${words(checked)}`);
  return EXIT.done;
}

const words = ({ format, ticks, tasks, bytes }: Checked): string =>
  `format ${format}, ${counted(ticks, "tick")}, ${counted(tasks, "task")}, ${size(bytes)}`;

const usage = (message: string): PawlError =>
  new PawlError("USAGE", message, { next: "pawl store check  |  pawl store backup FILE" });

const onServer = (what: string): PawlError =>
  new PawlError("STORE_ON_SERVER", `the store is on a server, which pawl store ${what} does not look into`, {
    next:
      what === "backup"
        ? "pg_dump --schema=pawl (or the schema that pawl.yaml names)"
        : "pawl replay decides its log again",
  });
