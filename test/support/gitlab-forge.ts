import { gitLabApi } from "../../src/adapters/forge/gitlab/api.ts";
import type { GitLabOptions } from "../../src/adapters/forge/gitlab/http.ts";
import type { ForgeWorld } from "../contracts/forge.contract.ts";
import { farWorld } from "./far-world.ts";
import { type GitLabServer, startGitLab } from "./gitlab-server/server.ts";
import type { Project } from "./gitlab-server/state.ts";

export const REPO = "acme/web/shop";
export const TOKEN = "glpat-s3cret_Token-1";

export type GitLabWorld = ForgeWorld & { readonly server: GitLabServer; readonly options: GitLabOptions };

/** A repository whose forge is a GitLab on loopback, with a bare repository behind it; `project` sets it up. */
export async function gitLabWorld(of: { perPage?: number; project?: Partial<Project> } = {}): Promise<GitLabWorld> {
  const optionsFor = ({ api }: GitLabServer) => ({ repo: REPO, baseUrl: api, token: tokenOf(TOKEN), now: Date.now });
  const world = await farWorld<GitLabServer>({
    remote: "https://gitlab.com/acme/web/shop.git",
    start: (gitDir) =>
      startGitLab({ gitDir, repo: REPO, token: TOKEN, ...(of.perPage ? { perPage: of.perPage } : {}) }),
    api: (server) => gitLabApi(optionsFor(server)),
    pulls: ({ state, url }, branch) =>
      state.requests
        .filter((one) => one.source === branch)
        .map(({ iid, title, description, state }) => ({
          url: `${url}/${REPO}/-/merge_requests/${iid}`,
          state,
          title: title.replace(/^Draft: /, ""),
          body: description ?? "",
        })),
    close: ({ state }, url) => {
      state.requests.find(({ iid }) => url.endsWith(`/${iid}`))!.state = "closed";
    },
  });
  Object.assign(world.server.state.project, of.project);
  return { ...world, options: optionsFor(world.server) };
}

export const tokenOf = (value: string) => ({ variable: "GITLAB_TOKEN", read: () => value });
