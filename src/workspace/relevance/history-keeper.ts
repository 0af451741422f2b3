import type { RecordCache } from "../../ports/record-cache.ts";
import type { Git } from "../../ports/system.ts";
import { MAX_COMMITS, type PastCommit, readHistory } from "./history.ts";

/** Goes up when a kept history changes its form or meaning. */
export const HISTORY_VERSION = 1;

/** Fewer new commits than these are read again the next time rather than kept. */
const WORTH_KEEPING = 20;

interface Kept {
  readonly head: string;
  readonly commits: readonly PastCommit[];
}

/**
 * The history before and at HEAD, as `readHistory` gives it; what was kept of an older HEAD is only added to. A
 * repository without a commit has none.
 */
export async function historyOf(parts: { git: Git; repo: string; cache: RecordCache }): Promise<readonly PastCommit[]> {
  const { git, repo, cache } = parts;
  const { code, stdout } = await git.run(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], { cwd: repo });
  const head = stdout.trim();
  if (code !== 0 || head === "") return [];
  const kept = await newestKept(parts, head);
  if (kept?.head === head) return kept.commits;
  const added = await readHistory(git, { repo, commit: head, ...(kept ? { until: kept.head } : {}) });
  const commits = [...added, ...(kept?.commits ?? [])].slice(0, MAX_COMMITS);
  if (kept === null || added.length >= WORTH_KEEPING) cache.save(new Map([[head, recordOf({ head, commits })]]));
  return commits;
}

async function newestKept({ git, repo, cache }: { git: Git; repo: string; cache: RecordCache }, head: string) {
  const all = cache.load();
  const same = all.get(head);
  if (same !== undefined) return keptIn(same);
  for (const [old, record] of [...all].reverse().slice(0, 5)) {
    const { code } = await git.run(["merge-base", "--is-ancestor", old, head], { cwd: repo });
    if (code === 0) return keptIn(record);
  }
  return null;
}

/** JSON, filled up with spaces to a multiple of four. */
function recordOf(kept: Kept): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(kept));
  const record = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(0x20);
  record.set(text);
  return record;
}

function keptIn(record: Uint8Array): Kept | null {
  try {
    return JSON.parse(new TextDecoder().decode(record)) as Kept;
  } catch {
    return null;
  }
}
