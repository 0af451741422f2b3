import { resolve } from "node:path";
import { type OpenCode, openCode } from "../code-index.ts";
import { editRoot } from "../editor.ts";
import type { Context } from "./context.ts";

/** Opens the index of the checkout that a command was called in, lends it, and closes it. */
export async function withCode<T>(ctx: Context, work: (code: OpenCode, root: string) => Promise<T>): Promise<T> {
  const main = await ctx.repo();
  const root = await editRoot(resolve(ctx.cwd, ctx.flags.repo ?? ctx.env.PAWL_REPO ?? "."));
  const code = openCode({ root, main });
  try {
    return await work(code, root);
  } finally {
    await code.close();
  }
}
