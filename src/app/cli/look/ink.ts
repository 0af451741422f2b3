import type { Context } from "../context.ts";
import { WIDTH } from "../views/columns.ts";
import { type Ink, inkOf } from "../views/scene.ts";

/** How a result is drawn: a narrow terminal narrows it, nothing widens it beyond 100 columns. */
export const inkFor = (ctx: Context): Ink =>
  inkOf(ctx.colour, process.stdout.isTTY ? Math.min(WIDTH, Math.max(40, process.stdout.columns || WIDTH)) : WIDTH);
