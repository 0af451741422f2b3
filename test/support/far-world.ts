import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Api } from "../../src/adapters/forge/remote/api.ts";
import { createRemoteForge } from "../../src/adapters/forge/remote/remote.ts";
import type { ForgeWorld } from "../contracts/forge.contract.ts";
import type { Bare } from "./forge-server/bare.ts";
import { localWorld } from "./local-forge.ts";
import { git, removed } from "./scratch.ts";
import { testGit } from "./test-git.ts";

/** A forge's server as a world needs it: over a bare repository, and told when somebody pushed past it. */
interface FarServer {
  readonly bare: Bare;
  readonly state: { pushed(): void };
  stop(): Promise<void>;
}

type Shown = Awaited<ReturnType<ForgeWorld["pulls"]>>;

/** A repository whose forge is a server on loopback, with a bare repository behind it. */
export async function farWorld<S extends FarServer>(of: {
  /** what its origin says; nobody asks there */
  readonly remote: string;
  start(gitDir: string): Promise<S>;
  api(server: S): Api;
  pulls(server: S, branch: string): Shown;
  close(server: S, url: string): void;
}): Promise<ForgeWorld & { readonly server: S }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-far-")));
  onTestFinished(() => removed(root));
  const local = localWorld({ origin: true, at: root });
  git(local.repo, "remote", "set-url", "origin", of.remote);
  const gitDir = join(root, "origin.git");
  git(gitDir, "config", "http.receivepack", "true");
  git(gitDir, "config", "uploadpack.allowAnySHA1InWant", "true");
  const server = await of.start(gitDir);
  onTestFinished(() => server.stop());
  const forge = () => createRemoteForge({ repo: local.repo, git: testGit(), api: of.api(server) });
  const behind = <T>(done: T): T => {
    server.state.pushed();
    return done;
  };
  return {
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
    pulls: async (branch) => of.pulls(server, branch),
    close: async (url) => of.close(server, url),
    mergeByHand: async (branch) =>
      behind(server.bare.merge("main", { head: server.bare.tip(branch)!, message: `Merge ${branch}` })),
    bringHome: async (branch) => void git(local.repo, "fetch", "-q", gitDir, branch),
  };
}
