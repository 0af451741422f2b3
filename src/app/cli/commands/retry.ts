import type { PhaseName } from "../../../domain/names.ts";
import type { Context } from "../context.ts";
import { type DecideOptions, decide } from "../decide.ts";

/** `pawl retry TASK [--from PHASE]`: a new visit with fresh counters, also of a task that failed. */
export const run = (
  ctx: Context,
  [id]: readonly string[],
  options: DecideOptions & { readonly from?: string },
): Promise<number> =>
  decide(ctx, { id, as: options.as }, () => ({ do: "retry", from: (options.from as PhaseName | undefined) ?? null }));
