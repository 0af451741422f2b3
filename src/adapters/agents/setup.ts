import { rmSync } from "node:fs";
import { join } from "node:path";
import { json, readRecord, replaceFile } from "./files.ts";
import type { Drive } from "./leg.ts";

/** Kept in git's own folder of the worktree: it goes when the worktree goes, and never lies in the tree. */
const marker = ({ gitDir }: Pick<Drive, "gitDir">): string => join(gitDir, "pawl-setup.json");

/** Whether this very setup has succeeded in this worktree. */
export const isSetUp = (order: Drive): boolean =>
  JSON.stringify(readRecord<{ setup: unknown }>(marker(order))?.setup) === JSON.stringify(order.setup);

export const noteSetUp = (order: Drive): void => replaceFile(marker(order), json({ setup: order.setup }));

/** The files that it was done for have changed. */
export const forgetSetUp = (of: Pick<Drive, "gitDir">): void => rmSync(marker(of), { force: true });
