import type { Commit } from "../../../src/domain/names.ts";
import type { Bare } from "../forge-server/bare.ts";
import { createCi } from "./ci.ts";

export interface Pull {
  readonly number: number;
  title: string;
  body: string | null;
  draft: boolean;
  state: "open" | "closed";
  merged: Commit | null;
  readonly head: string;
  /** owner of the fork whose branch it is; undefined: the repository itself */
  readonly from?: string;
  /** where the head was last: it follows the branch while the pull request is open */
  sha: Commit;
  base: string;
  readonly user: string;
  readonly labels: Set<string>;
  readonly reviews: Review[];
  readonly comments: Comment[];
  readonly events: Event[];
  at: string;
}
export interface Review {
  readonly id: number;
  readonly user: string;
  readonly association: string;
  state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "DISMISSED";
  readonly body: string;
  readonly sha: Commit;
  readonly at: string;
  readonly lines: readonly Line[];
}
/** What begins a thread. */
export interface Line {
  readonly path: string;
  readonly line: number;
  body: string;
  resolved?: boolean;
  outdated?: boolean;
  readonly replies?: { readonly user: string; readonly association: string; body: string }[];
}
export interface Comment {
  readonly id: number;
  body: string;
  readonly user: string;
}
export interface Event {
  readonly id: number;
  readonly event: "labeled" | "unlabeled";
  readonly label: string;
  readonly user: string;
  readonly at: string;
}
/** An issue: numbers are shared with pull requests, as GitHub does. */
export interface Issue {
  readonly number: number;
  title: string;
  body: string | null;
  state: "open" | "closed";
  readonly labels: readonly string[];
  readonly milestone?: string;
  readonly comments?: Comment[];
  /** parts of it, and what blocks it: numbers here, `owner/name#4` elsewhere, where it is open */
  readonly parts?: readonly (number | string)[];
  readonly blockers?: readonly (number | string)[];
}
export interface Push {
  readonly id: number;
  readonly branch: string;
  readonly before: Commit | null;
  readonly after: Commit | null;
  readonly at: string;
}

/** All that a GitHub of one repository remembers. Each thing that happens is a second later than the one before. */
export function createState(bare: Bare) {
  let ids = 1_000;
  let seconds = Math.floor(Date.now() / 1_000) - 3_600;
  const pulls: Pull[] = [];
  const pushes: Push[] = [];
  const issues: Issue[] = [];
  let known: ReadonlyMap<string, Commit> = new Map();
  const state = {
    pulls,
    pushes,
    issues,
    ci: createCi(),
    id: () => ++ids,
    now: () => new Date(++seconds * 1_000).toISOString().replace(".000", ""),
    open: () => pulls.filter((pull) => pull.state === "open"),
    /** what follows from where the branches are now */
    pushed(): void {
      const heads = bare.heads();
      if (JSON.stringify([...heads]) === JSON.stringify([...known])) return;
      for (const branch of new Set([...known.keys(), ...heads.keys()])) {
        const [before, after] = [known.get(branch) ?? null, heads.get(branch) ?? null];
        if (before !== after) pushes.push({ id: state.id(), branch, before, after, at: state.now() });
      }
      known = heads;
      for (const pull of state.open()) follow(pull, heads);
    },
  };
  /** A head that is on the base was merged by a push; one whose branch is gone is closed; else it goes along. */
  function follow(pull: Pull, heads: ReadonlyMap<string, Commit>): void {
    const head = heads.get(pull.head) ?? null;
    pull.sha = head ?? pull.sha;
    const by = bare.broughtBy(pull.base, pull.sha);
    if (by !== null) {
      pull.merged = by;
      pull.state = "closed";
    } else if (head === null) pull.state = "closed";
  }
  state.pushed();
  return state;
}
export type State = ReturnType<typeof createState>;
