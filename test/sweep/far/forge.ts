import type { Watch } from "../../support/forge-server/http.ts";
import { startGitHub } from "../../support/github-server/server.ts";
import { startGitLab } from "../../support/gitlab-server/server.ts";
import { isDraft } from "../../support/gitlab-server/state.ts";

export type FarKind = "github" | "gitlab";

/** A pull request as a person sees it in a browser. */
export interface Shown {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  readonly state: "draft" | "open" | "merged" | "closed";
  readonly labels: readonly string[];
  /** of programs: what people wrote is not among them */
  readonly comments: readonly string[];
}

/** A forge, and what people do there by its pages. */
export interface FarForge {
  /** of its API */
  readonly baseUrl: string;
  pulls(): readonly Shown[];
  approve(number: number): void;
  /** asks for changes, with these words */
  reject(number: number, words: string): void;
  /** puts a label there, anew where it is there */
  label(number: number, name: string): void;
  /** what one of the files of a commit holds; "": there is none */
  file(commit: string, path: string): string;
  /** a commit of somebody's on a branch, which changes nothing */
  push(branch: string): void;
}

/** The repository there, the same at both; its token is no secret. */
export const FAR = { repo: "acme/shop", token: "tok_sweep", variable: "PAWL_SWEEP_TOKEN" } as const;
const BOT = "pawl-bot";
const PERSON = "ann";

export async function startFar(kind: FarKind, gitDir: string, watch: Watch): Promise<FarForge> {
  const of = { gitDir, repo: FAR.repo, token: FAR.token, user: BOT, watch };
  return kind === "github" ? atGitHub(await startGitHub(of)) : atGitLab(await startGitLab(of));
}

function atGitHub({ url, state, bare }: Awaited<ReturnType<typeof startGitHub>>): FarForge {
  const at = (number: number) => state.pulls.find((pull) => pull.number === number)!;
  const review = (number: number, verdict: "APPROVED" | "CHANGES_REQUESTED", body: string) => {
    const one = { id: state.id(), user: PERSON, association: "MEMBER", state: verdict, body, at: state.now() };
    at(number).reviews.push({ ...one, sha: at(number).sha, lines: [] });
  };
  return {
    baseUrl: url,
    pulls: () =>
      state.pulls.map(({ number, head, sha, state: open, merged, draft, labels, comments }) => ({
        ...{ number, branch: head, head: sha, labels: [...labels], comments: comments.map(({ body }) => body) },
        state: merged !== null ? "merged" : open === "closed" ? "closed" : draft ? "draft" : "open",
      })),
    approve: (number) => review(number, "APPROVED", ""),
    reject: (number, words) => review(number, "CHANGES_REQUESTED", words),
    label(number, name) {
      at(number).labels.add(name);
      at(number).events.push({ id: state.id(), event: "labeled", label: name, user: PERSON, at: state.now() });
    },
    ...byGit(bare, () => state.pushed()),
  };
}

function atGitLab({ api, state, bare }: Awaited<ReturnType<typeof startGitLab>>): FarForge {
  state.project.members.set(PERSON, 40);
  const at = (number: number) => state.requests.find(({ iid }) => iid === number)!;
  return {
    baseUrl: api,
    pulls: () =>
      state.requests.map((one) => ({
        ...{ number: one.iid, branch: one.source, head: one.sha, labels: [...one.labels] },
        comments: one.notes.filter(({ user, system }) => user === BOT && !system).map(({ body }) => body),
        state: one.state === "opened" ? (isDraft(one) ? "draft" : "open") : one.state,
      })),
    approve(number) {
      at(number).reviewers.set(PERSON, "approved");
      at(number).approvals.push({ user: PERSON, at: state.now() });
    },
    reject(number, words) {
      at(number).notes.push({ id: state.id(), body: words, user: PERSON, at: state.now() });
      at(number).reviewers.set(PERSON, "requested_changes");
      state.did(at(number), PERSON, "requested changes");
    },
    label(number, name) {
      at(number).labels.add(name);
      at(number).events.push({ id: state.id(), action: "add", label: name, user: PERSON, at: state.now() });
    },
    ...byGit(bare, () => state.pushed()),
  };
}

type Bare = Awaited<ReturnType<typeof startGitHub>>["bare"];

const byGit = (bare: Bare, pushed: () => void): Pick<FarForge, "file" | "push"> => ({
  file(commit, path) {
    try {
      return bare.run("cat-file", "-p", `${commit}:${path}`);
    } catch {
      return "";
    }
  },
  push(branch) {
    const on = bare.tip(branch)!;
    const commit = bare.commit(bare.run("rev-parse", `${on}^{tree}`), [on], "A person was faster");
    bare.run("update-ref", `refs/heads/${branch}`, commit, on);
    pushed();
  },
});
