import type { Commit } from "../../../src/domain/names.ts";
import type { Bare } from "../forge-server/bare.ts";
import type { Pipeline } from "./ci.ts";

export interface Request {
  readonly iid: number;
  title: string;
  description: string | null;
  state: "opened" | "closed" | "merged";
  readonly source: string;
  target: string;
  /** where the head was last; the newest version has it */
  sha: Commit;
  /** by how this came onto the target */
  mergeCommit: Commit | null;
  squashCommit: Commit | null;
  squash: boolean;
  mergeError: string | null;
  /** what GitLab found when it was last asked to merge it */
  mergeStatus: string;
  readonly author: string;
  readonly labels: Set<string>;
  readonly versions: { readonly id: number; readonly head: Commit; readonly at: string }[];
  readonly notes: Note[];
  readonly approvals: { readonly user: string; readonly at: string }[];
  readonly reviewers: Map<string, "unreviewed" | "reviewed" | "requested_changes" | "approved">;
  readonly events: LabelEvent[];
  at: string;
}
export interface Note {
  readonly id: number;
  body: string;
  readonly user: string;
  readonly at: string;
  readonly system?: boolean;
  resolved?: boolean;
  /** said in the thread that this note began */
  readonly inReplyTo?: number;
  readonly position?: { readonly new_path: string; readonly new_line: number };
}
export interface LabelEvent {
  readonly id: number;
  readonly action: "add" | "remove";
  /** null: the label is gone */
  readonly label: string | null;
  readonly user: string;
  readonly at: string;
}
export interface Issue {
  readonly iid: number;
  title: string;
  description: string | null;
  state: "opened" | "closed";
  readonly labels: Set<string>;
  readonly milestone?: string;
  readonly notes: Note[];
  /** what blocks it: numbers here, `group/name#4` elsewhere, where it is open */
  readonly blockers?: readonly (number | string)[];
}
/** Settings of the project, and what is odd about this GitLab. */
export interface Project {
  method: "merge" | "rebase_merge" | "ff";
  squash: "never" | "always" | "default_on" | "default_off";
  approvalsRequired: number;
  /** of every merge request; null: none. `mustPass`: no merge without one that succeeded */
  pipeline: "running" | "failed" | "success" | null;
  mustPass: boolean;
  /** says when an approval was given, as GitLab 18 does */
  datesApprovals: boolean;
  /** the address of the next page is said too */
  links: boolean;
  /** pushes are noticed when `state.catchUp()` is called, and not before */
  slow: boolean;
  /** merge requests are shown as those of a fork that is gone */
  forkGone: boolean;
  /** user -> access level; who is not there is no member */
  readonly members: Map<string, number>;
}

/** A title that begins so makes it a draft. */
export const isDraft = ({ title }: Request): boolean => /^\s*(\[draft\]|\(draft\)|draft:)/i.test(title);

/** All that a GitLab of one project remembers. Each thing that happens is a second later than the one before. */
export function createState(bare: Bare) {
  let ids = 1_000;
  let seconds = Math.floor(Date.now() / 1_000) - 3_600;
  const requests: Request[] = [];
  const issues: Issue[] = [];
  const project: Project = {
    ...{ method: "merge", squash: "default_off", approvalsRequired: 0, pipeline: null, mustPass: false },
    ...{ datesApprovals: true, links: true, slow: false, forkGone: false },
    members: new Map([["pawl-bot", 40]]),
  };
  const state = {
    requests,
    issues,
    project,
    pipelines: [] as Pipeline[],
    id: () => ++ids,
    now: () => new Date(++seconds * 1_000).toISOString(),
    open: () => requests.filter((one) => one.state === "opened"),
    /** what GitLab does a while after a push */
    pushed(): void {
      if (!project.slow) state.catchUp();
    },
    catchUp(): void {
      const heads = bare.heads();
      for (const request of state.open()) follow(request, heads);
    },
    /** a system note: what somebody did */
    did(request: Request, user: string, body: string): void {
      request.notes.push({ id: state.id(), body, user, at: state.now(), system: true });
    },
  };
  /** A head that is on the target was merged by a push; one whose branch is gone is closed; else a version is added. */
  function follow(request: Request, heads: ReadonlyMap<string, Commit>): void {
    const head = heads.get(request.source) ?? null;
    if (head !== null && head !== request.sha) {
      request.sha = head;
      request.versions.push({ id: state.id(), head, at: state.now() });
    }
    const by = bare.broughtBy(request.target, request.sha);
    if (by !== null) Object.assign(request, { state: "merged", mergeCommit: by });
    else if (head === null) request.state = "closed";
  }
  return state;
}
export type State = ReturnType<typeof createState>;
