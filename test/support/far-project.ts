import { onTestFinished } from "vitest";
import type { Parts } from "../../src/engine/parts.ts";
import type { Signals } from "../../src/ports/signals.ts";
import { startGitHub } from "./github-server/server.ts";
import { startGitLab } from "./gitlab-server/server.ts";
import { project } from "./project.ts";
import { git, write } from "./scratch.ts";

const TOKEN = "tok_project";
const VARIABLE = "PAWL_TEST_FORGE_TOKEN";

type FarOptions = Parameters<typeof project>[0] & {
  /** how often the forge is asked what is new */
  readonly every?: string;
};

interface Server {
  readonly state: { pushed(): void };
  stop(): Promise<void>;
}

/** A project whose pawl.yaml names a GitHub on loopback. */
export const gitHubProject = (of: FarOptions) =>
  farProject(of, {
    forge: { kind: "github", repo: "acme/shop", remote: "https://github.com/acme/shop.git" },
    start: startGitHub,
    baseUrl: ({ url }) => url,
  });

/** A project whose pawl.yaml names a GitLab on loopback. */
export const gitLabProject = (of: FarOptions) =>
  farProject(of, {
    forge: { kind: "gitlab", repo: "acme/web/shop", remote: "https://gitlab.com/acme/web/shop.git" },
    start: startGitLab,
    baseUrl: ({ api }) => api,
  });

/** Its only remote is the real address of that forge, which nobody asks. */
async function farProject<S extends Server>(
  of: FarOptions,
  at: {
    readonly forge: { readonly kind: string; readonly repo: string; readonly remote: string };
    start(of: { gitDir: string; repo: string; token: string }): Promise<S>;
    baseUrl(server: S): string;
  },
): Promise<ReturnType<typeof project> & { server: S }> {
  const made = project({ ...of, origin: true });
  const { kind, repo, remote } = at.forge;
  git(made.origin, "config", "http.receivepack", "true");
  const server = await at.start({ gitDir: made.origin, repo, token: TOKEN });
  onTestFinished(() => server.stop());
  const every = of.every === undefined ? "" : `, every: ${of.every}`;
  const key = `{kind: ${kind}, repo: ${repo}, token_env: ${VARIABLE}, base_url: "${at.baseUrl(server)}"${every}}`;
  write(made.repo, { "pawl.yaml": `${of.config}forge: ${key}\n` });
  git(made.repo, "commit", "-qam", "The forge");
  git(made.repo, "push", "-q", "origin", "main");
  git(made.repo, "remote", "set-url", "origin", remote);
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
