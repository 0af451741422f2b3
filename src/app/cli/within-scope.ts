import { resolve } from "node:path";
import type { Scope } from "../../workspace/edit/locate.ts";
import { guarded, type ScopeReport } from "../../workspace/scope/guard.ts";
import { guardOf } from "../checkout-guard.ts";
import type { Context } from "./context.ts";

/** Runs work, and puts right what it did outside the scope to the checkout that the command was called in. null: all is allowed. */
export async function withinScope<T>(
  ctx: Context,
  scope: Scope | null,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly report: ScopeReport | null }> {
  if (scope === null) return { value: await work(), report: null };
  const folder = resolve(ctx.cwd, ctx.flags.repo ?? ctx.env.PAWL_REPO ?? ".");
  const { shadow, quarantineDir } = await guardOf(folder, { isOurs: false, env: ctx.env });
  try {
    const { value, scope: report } = await guarded({ shadow, scope, quarantineDir }, work);
    return { value, report };
  } finally {
    shadow.close();
  }
}
