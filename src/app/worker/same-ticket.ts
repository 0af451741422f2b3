import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { names } from "../../adapters/agents/leg.ts";
import { PawlError } from "../../domain/errors.ts";

interface Kept {
  readonly path: string;
  readonly sha256: string;
}

/**
 * A run that goes on has to be of the same ticket, word for word: its plan and its scope were. The first time it is noted in
 * the run's folder. `path`: absolute. Throws TICKET_CHANGED.
 */
export function mustBeSameTicket(runDir: string, path: string): void {
  const file = join(runDir, KEPT);
  const now = keptOf(path);
  const before = existsSync(file) ? readRecord<Kept>(file) : null;
  if (before === null) return replaceFile(file, json(now));
  if (before.path === path && before.sha256 === now.sha256) return;
  const what =
    before.path === path ? `${path} has changed since` : `${before.path} is what it was begun for, not ${path}`;
  throw new PawlError("TICKET_CHANGED", `a run of this name has not ended, and ${what}`, {
    next: `put the ticket back as it was; or begin anew without that run: rm -r ${runDir}`,
  });
}

/** A ticket whose name differs in case only from one that was begun has the same branch and folders on some machines. Throws ID_CASE. */
export function mustBeApart(runs: string, id: string): void {
  const other = names(runs).find((name) => name !== id && name.toLowerCase() === id.toLowerCase());
  if (other === undefined) return;
  throw new PawlError(
    "ID_CASE",
    `${id} and ${other}, which has runs in ${runs}, differ in case only: on some machines they have one branch`,
    {
      next: `rename the ticket, or give it another id: in its front matter; or, to begin anew without those runs: rm -r ${join(runs, other)}`,
    },
  );
}

/** Whether a run was begun for this very text. */
export function isSameTicket(runDir: string, path: string): boolean {
  const before = readRecord<Kept>(join(runDir, KEPT));
  return before !== null && before.sha256 === keptOf(path).sha256;
}

const KEPT = "ticket.json";
const keptOf = (path: string): Kept => ({
  path,
  sha256: createHash("sha256").update(readFileSync(path)).digest("hex"),
});
