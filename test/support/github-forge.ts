import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type GitHubOptions, gitHubApi } from "../../src/adapters/forge/github/api.ts";
import { createRemoteForge } from "../../src/adapters/forge/remote/remote.ts";
import type { ForgeWorld } from "../contracts/forge.contract.ts";
import { type GitHubServer, startGitHub } from "./github-server/server.ts";
import { localWorld } from "./local-forge.ts";
import { git } from "./scratch.ts";
import { testGit } from "./test-git.ts";

export const REPO = "acme/shop";
export const TOKEN = "ghp_s3cret/Token+1";

export type GitHubWorld = ForgeWorld & { readonly server: GitHubServer; readonly options: GitHubOptions };

/** A repository whose forge is a GitHub on loopback, with a bare repository behind it. */
export async function gitHubWorld(of: { perPage?: number } = {}): Promise<GitHubWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-github-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const local = localWorld({ origin: true, at: root });
  git(local.repo, "remote", "set-url", "origin", "https://github.com/acme/shop.git");
  const gitDir = join(root, "origin.git");
  git(gitDir, "config", "http.receivepack", "true");
  git(gitDir, "config", "uploadpack.allowAnySHA1InWant", "true");
  const server = await startGitHub({ gitDir, repo: REPO, token: TOKEN, ...of });
  onTestFinished(() => server.stop());
  const options = { repo: REPO, baseUrl: server.url, token: tokenOf(TOKEN), now: Date.now };
  const forge = () => createRemoteForge({ repo: local.repo, git: testGit(), api: gitHubApi(options) });
  const behind = <T>(done: T): T => {
    server.state.pushed();
    return done;
  };
  return {
    options,
    repo: local.repo,
    base: "main",
    server,
    forge: forge(),
    another: forge,
    tip: async (branch) => server.bare.tip(branch),
    move: async (branch, to) => {
      git(local.repo, "push", "-q", "--force", gitDir, `${to}:refs/heads/${branch}`);
      behind(null);
    },
    remove: async (branch) => behind(void git(gitDir, "update-ref", "-d", `refs/heads/${branch}`)),
    pulls: async (branch) =>
      server.state.pulls
        .filter((pull) => pull.head === branch)
        .map(({ number, title, body, state }) => ({
          url: `${server.url}/${REPO}/pull/${number}`,
          state,
          title,
          body: body ?? "",
        })),
    close: async (url) => {
      const pull = server.state.pulls.find(({ number }) => url.endsWith(`/${number}`))!;
      pull.state = "closed";
    },
    mergeByHand: async (branch) =>
      behind(server.bare.merge("main", { head: server.bare.tip(branch)!, message: `Merge ${branch}` })),
    bringHome: async (branch) => void git(local.repo, "fetch", "-q", gitDir, branch),
  };
}

export const tokenOf = (value: string) => ({ variable: "GITHUB_TOKEN", read: () => value });
