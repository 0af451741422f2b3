import { type GitHubOptions, gitHubApi } from "../../src/adapters/forge/github/api.ts";
import type { ForgeWorld } from "../contracts/forge.contract.ts";
import { farWorld } from "./far-world.ts";
import { type GitHubServer, startGitHub } from "./github-server/server.ts";

export const REPO = "acme/shop";
export const TOKEN = "ghp_s3cret/Token+1";

export type GitHubWorld = ForgeWorld & { readonly server: GitHubServer; readonly options: GitHubOptions };

/** A repository whose forge is a GitHub on loopback, with a bare repository behind it. */
export async function gitHubWorld(of: { perPage?: number } = {}): Promise<GitHubWorld> {
  const optionsFor = ({ url }: GitHubServer) => ({ repo: REPO, baseUrl: url, token: tokenOf(TOKEN), now: Date.now });
  const world = await farWorld<GitHubServer>({
    remote: "https://github.com/acme/shop.git",
    start: (gitDir) => startGitHub({ gitDir, repo: REPO, token: TOKEN, ...of }),
    api: (server) => gitHubApi(optionsFor(server)),
    pulls: ({ state, url }, branch) =>
      state.pulls
        .filter((pull) => pull.head === branch)
        .map(({ number, title, body, state }) => ({
          url: `${url}/${REPO}/pull/${number}`,
          state,
          title,
          body: body ?? "",
        })),
    close: ({ state }, url) => {
      state.pulls.find(({ number }) => url.endsWith(`/${number}`))!.state = "closed";
    },
  });
  return { ...world, options: optionsFor(world.server) };
}

export const tokenOf = (value: string) => ({ variable: "GITHUB_TOKEN", read: () => value });
