import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { toldOfWork, type WorkStand, workStand } from "../worker/work-stand.ts";
import type { Context } from "./context.ts";
import { type Look, looking } from "./look/scene.ts";

/** A run of `pawl work` that a command means by its ticket's name; null: it means a processor's task. */
export async function workMeant(ctx: Context, id: string | undefined): Promise<WorkStand | null> {
  if (id === undefined) return null;
  const stand = await workStand(join(await ctx.repo(), ".pawl", "runs"), id);
  if (stand === null || stand.how === "ended") return null;
  // one that was left lying there is not meant where a processor is at work on that task
  return stand.isAlive || !(await isInProgress(ctx, id)) ? stand : null;
}

const isInProgress = (ctx: Context, id: string): Promise<boolean> =>
  looking(ctx, async ({ scene }) => scene.tasks.some((task) => task.id === id && task.status === "in-progress")).catch(
    (error: unknown) => {
      if (error instanceof PawlError && error.code === "STORE_MISSING") return false;
      throw error;
    },
  );

/** What a processor's store does not know may be a ticket of `pawl work`: then it is told how that stands, as `code`. */
export async function orToldOfWork<T>(
  ctx: Context,
  of: { readonly id: string | undefined; readonly code: "TASK_UNKNOWN" | "REFUSED" },
  look: () => Promise<T>,
): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const isUnknown = error instanceof PawlError && /^(TASK_UNKNOWN|STORE_MISSING)$/.test(error.code);
    const repo = isUnknown && of.id !== undefined ? await ctx.repo().catch(() => null) : null;
    const stand = repo === null ? null : await workStand(join(repo, ".pawl", "runs"), of.id!);
    throw stand === null ? error : toldOfWork(of.id!, stand, of.code);
  }
}

/** `looking`, for one task. */
export const lookingAt = <T>(ctx: Context, id: string | undefined, work: (look: Look) => Promise<T>): Promise<T> =>
  orToldOfWork(ctx, { id, code: "TASK_UNKNOWN" }, () => looking(ctx, work));
