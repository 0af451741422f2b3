import type { Reported } from "../../domain/outcome.ts";
import { said } from "./by-rule.ts";
import type { Said } from "./conclude.ts";
import type { Drive } from "./leg.ts";
import type { Salvage } from "./salvage.ts";
import { embedded, scopeFindings, scopeOf } from "./scope.ts";

interface Work {
  readonly drive: Drive;
  readonly saved: Salvage;
  /** paths that the branch changes against its base; null: the two have nothing in common */
  readonly committed: readonly string[] | null;
  /** files in which the branch still conflicts with the tip that it was to be merged with */
  readonly unmerged: readonly string[];
  /** paths at which the branch brings a repository of its own */
  readonly repositories: readonly string[];
  /** commits ahead of the base */
  readonly commits: number;
  /** the verdict follows from an exit code or a last line, the worker wrote none */
  readonly byRule: boolean;
}

/** A worker that claims success, held against what it did: a PASS that broke its scope, or that did nothing, is a FAIL. */
export function judge(claim: Said, { drive, saved, committed, unmerged, repositories, commits, byRule }: Work): Said {
  if (claim.verdict === "NO_CHANGE") {
    const text = `said NO_CHANGE, and ${commits} ${commits === 1 ? "commit is" : "commits are"} ahead of the base`;
    return commits > 0 ? said("FAIL", text, [{ text }]) : claim;
  }
  const foreign =
    committed === null ? [{ text: `the branch has no commit in common with ${drive.wish.place.base}` }] : [];
  const broken = [
    ...saved.faults,
    ...foreign,
    ...repositories.map(embedded),
    ...scopeFindings({ committed: committed ?? [], left: saved.left }, scopeOf(drive)),
    ...unmerged.map((file) => stillConflicts(file, drive)),
  ];
  if (broken.length > 0) {
    return said("FAIL", broken.map(({ text }) => text).join("\n"), [...claim.findings, ...broken]);
  }
  if (byRule && commits === 0) {
    const text = "nothing changed; say NO_CHANGE with a reason";
    return said("FAIL", text, [{ text }]);
  }
  return claim;
}

function stillConflicts(file: string, { wish: { place } }: Drive): Reported {
  const tip = place.kind === "worktree" ? place.merge?.slice(0, 12) : null;
  return { key: `unmerged:${file}`, text: `${file} still conflicts with ${place.base}: git merge ${tip}`, file };
}
