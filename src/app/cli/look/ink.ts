import type { Context } from "../context.ts";
import { WIDTH } from "../views/columns.ts";
import { type Ink, inkOf } from "../views/scene.ts";

/** How a result is drawn: a narrow terminal narrows it, nothing widens it beyond 100 columns. In a pipe nothing is cut. */
export const inkFor = (ctx: Context): Ink => {
  const { isTTY, columns } = process.stdout;
  return inkOf(ctx.colour, isTTY ? Math.min(WIDTH, Math.max(40, columns || WIDTH)) : WIDTH, { cuts: Boolean(isTTY) });
};
