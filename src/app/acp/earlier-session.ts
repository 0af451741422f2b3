import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SESSION_FILE, type SessionRecord, sessionRecordSchema } from "../../adapters/acp/session-record.ts";
import { readRecord } from "../../adapters/agents/files.ts";
import { fileMark } from "../../adapters/agents/leg.ts";
import { compareIds } from "../../domain/names.ts";
import type { SpawnOrder } from "../../ports/runtime.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";

/**
 * The session that a worker goes on with: its own run's, else that of the run before it, where that one was in the same
 * phase and role and was cut off without a verdict. Null: it begins anew. Another agent, or another worktree, does not
 * know the session.
 */
export function earlierSession(run: string, of: Pick<SessionRecord, "command" | "cwd">): SessionRecord | null {
  const own = sessionIn(run);
  const before = own === null ? runBefore(run) : null;
  const record = own ?? (before !== null && wasCutOff(before, run) ? sessionIn(before) : null);
  const isSame =
    record !== null && record.cwd === of.cwd && JSON.stringify(record.command) === JSON.stringify(of.command);
  return isSame ? record : null;
}

const sessionIn = (run: string): SessionRecord | null =>
  sessionRecordSchema.safeParse(readRecord(join(run, SESSION_FILE))).data ?? null;

/** Run folders are named by visit, phase and attempt: in the order of their names they were made. */
function runBefore(run: string): string | null {
  const names = readdirSync(dirname(run)).sort(compareIds);
  const name = names[names.indexOf(basename(run)) - 1];
  return name === undefined ? null : join(dirname(run), name);
}

function wasCutOff(before: string, run: string): boolean {
  if (fileMark(join(before, RUN_FILES.verdict)) !== null) return false;
  const [then, now] = [before, run].map((folder) => readRecord<SpawnOrder>(join(folder, RUN_FILES.order))?.wish);
  return then !== undefined && then.phase === now?.phase && then.who === now.who;
}
