import type { Git } from "../../ports/system.ts";

/** A commit, and the files that it changed under the names they have now. */
export interface PastCommit {
  readonly hash: string;
  /** seconds since 1970 */
  readonly at: number;
  readonly subject: string;
  readonly paths: readonly string[];
}

/** Commits that are looked at: older ones say little of today's code. */
export const MAX_COMMITS = 3_000;
/** A commit that changes more says nothing of any of them: a move, a formatter, a release. */
const MAX_CHANGED = 40;

const MARK = "\x01";

/** What git says of the commits before and at `commit`, newest first, merges left out; `until`: without it and what is before it. */
export async function readHistory(
  git: Git,
  { repo, commit, until }: { repo: string; commit: string; until?: string },
): Promise<readonly PastCommit[]> {
  const range = until === undefined ? [commit] : [commit, `^${until}`];
  const log = (renames: string): readonly string[] => [
    ...["log", "--no-show-signature", "--no-merges", "-z", renames, "--name-status", `--format=${MARK}%H %ct %s`],
    ...["-n", String(MAX_COMMITS), ...range, "--"],
  ];
  // Renames are found by content; where git would have to fetch it (a partial clone), only unchanged ones are.
  const options = { cwd: repo, env: { GIT_NO_LAZY_FETCH: "1" } };
  const found = await git.run(log("-M"), options);
  return commitsIn(found.code === 0 ? found.stdout : await git.must(log("-M100%"), options));
}

/** Reads `git log -z --name-status` with the format above; a file that was moved since counts under its new name. */
export function commitsIn(log: string): readonly PastCommit[] {
  const newNames = new Map<string, string>();
  return log
    .split(MARK)
    .slice(1)
    .flatMap((entry) => {
      const [head = "", ...rest] = entry.split("\0");
      const [, hash = "", at = "", subject = ""] = /^(\w+) (\d+) ([\s\S]*)$/.exec(head.trimEnd()) ?? [];
      const changed = changesIn(rest, newNames);
      if (hash === "" || changed.length === 0 || changed.length > MAX_CHANGED) return [];
      return [{ hash, at: Number(at), subject, paths: changed }];
    });
}

function changesIn(fields: readonly string[], newNames: Map<string, string>): readonly string[] {
  const paths: string[] = [];
  const now = (path: string): string => newNames.get(path) ?? path;
  for (let i = 0; i < fields.length; ) {
    const status = fields[i]!.replace(/^\n/, "");
    if (!/^[ACDMRT]\d*$/.test(status)) {
      i++;
      continue;
    }
    const isPair = status.startsWith("R") || status.startsWith("C");
    const path = fields[i + (isPair ? 2 : 1)] ?? "";
    paths.push(now(path));
    if (status.startsWith("R")) newNames.set(fields[i + 1]!, now(path));
    i += isPair ? 3 : 2;
  }
  return paths;
}
