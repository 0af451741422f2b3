import { onTestFinished } from "vitest";
import type { Parts } from "../../src/engine/engine.ts";
import type { Signals } from "../../src/ports/signals.ts";
import { type GitHubServer, startGitHub } from "./github-server/server.ts";
import { project } from "./project.ts";
import { git, write } from "./scratch.ts";

const REPO = "acme/shop";
const TOKEN = "ghp_project";
const VARIABLE = "PAWL_TEST_GITHUB_TOKEN";

/** A project whose pawl.yaml names a GitHub on loopback; its only remote is that GitHub's real address, which nobody asks. */
export async function gitHubProject(
  of: Parameters<typeof project>[0],
): Promise<ReturnType<typeof project> & { server: GitHubServer }> {
  const made = project({ ...of, origin: true });
  git(made.origin, "config", "http.receivepack", "true");
  const server = await startGitHub({ gitDir: made.origin, repo: REPO, token: TOKEN });
  onTestFinished(() => server.stop());
  const forge = `forge: {kind: github, repo: ${REPO}, token_env: ${VARIABLE}, base_url: "${server.url}"}\n`;
  write(made.repo, { "pawl.yaml": of.config + forge });
  git(made.repo, "commit", "-qam", "The forge");
  git(made.repo, "push", "-q", "origin", "main");
  git(made.repo, "remote", "set-url", "origin", `https://github.com/${REPO}.git`);
  server.state.pushed();
  process.env[VARIABLE] = TOKEN;
  onTestFinished(() => void delete process.env[VARIABLE]);
  return { ...made, server };
}

/** The same parts, asked again after 0.2 s where a forge says half a minute. */
export const hurried = (parts: Parts): Parts => ({
  ...parts,
  forge: {
    ...parts.forge,
    branches: async (questions, permit) => soon(await parts.forge.branches(questions, permit)),
  },
  signals: new Map(
    [...parts.signals].map(([name, signals]): [string, Signals] => [
      name,
      { ...signals, ask: async (questions, permit) => soon(await signals.ask(questions, permit)) },
    ]),
  ),
});
const soon = <T extends { readonly againAfterMs: number }>(batch: T): T => ({ ...batch, againAfterMs: 200 });
