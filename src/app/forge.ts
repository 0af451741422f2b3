import { createLocalForge } from "../adapters/forge/local.ts";
import type { Api } from "../adapters/forge/remote/api.ts";
import { PawlError } from "../domain/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Forge } from "../ports/forge.ts";
import type { ForgeSpec, Settings, SignalSpec } from "../ports/settings.ts";
import type { Signals } from "../ports/signals.ts";
import type { Git } from "../ports/system.ts";

type Away = Exclude<ForgeSpec, { kind: "local" }>;
type ForgeSignal = Extract<SignalSpec, { kind: "forge" }>;

/** The forge of pawl.yaml. What speaks with other machines is loaded where one is named, and not before. */
export async function forgeOf({ forge, repo, tasks }: Settings, of: { git: Git; clock: Clock }): Promise<Forge> {
  if (forge.kind === "local") return createLocalForge({ repo, backlog: tasks, ...of });
  const [{ createRemoteForge }, api] = await Promise.all([import("../adapters/forge/remote/remote.ts"), apiOf(forge)]);
  return createRemoteForge({ repo, ...of, api });
}

/** How long the first answer of a forge is waited for. */
const FIRST_MS = 20_000;

/**
 * Asks a forge beyond this machine for the repository of `forge:`, once. Throws FORGE_DENIED (no token, one that is
 * refused, a repository that it does not show) and FORGE_UNREACHABLE; a limit of requests is no fault.
 */
export async function askForge(forge: ForgeSpec, read = (name: string) => process.env[name]): Promise<void> {
  if (forge.kind === "local") return;
  try {
    await (await apiOf(forge, read)).place(AbortSignal.timeout(FIRST_MS));
  } catch (error) {
    if (!(error instanceof PawlError) || error.code !== "FORGE_LIMITED") throw error;
  }
}

async function apiOf(forge: Away, read?: (name: string) => string | undefined): Promise<Api> {
  const options = optionsOf(forge, read);
  switch (forge.kind) {
    case "github":
      return (await import("../adapters/forge/github/api.ts")).gitHubApi(options);
    case "gitlab":
      return (await import("../adapters/forge/gitlab/api.ts")).gitLabApi(options);
  }
}

/** The signals that the forge answers, by name. */
export async function forgeSignalsOf({ forge, signals }: Settings): Promise<readonly (readonly [string, Signals])[]> {
  const asked = Object.values(signals).filter((spec): spec is ForgeSignal => spec.kind === "forge");
  if (forge.kind === "local" || asked.length === 0) return [];
  const { approvals, label, ci } = await answersOf(forge.kind);
  const options = optionsOf(forge);
  const answerer = (asks: ForgeSignal["asks"]): Signals => {
    switch (asks.of) {
      case "approvals":
        return approvals(options, asks);
      case "label":
        return label(options, asks.label);
      case "ci":
        return ci(options);
    }
  };
  return asked.map(({ name, asks }) => [name, answerer(asks)]);
}

async function answersOf(kind: Away["kind"]) {
  if (kind === "github") {
    const { gitHubApprovals, gitHubCi, gitHubLabel } = await import("../adapters/forge/github/signals.ts");
    return { approvals: gitHubApprovals, label: gitHubLabel, ci: gitHubCi };
  }
  const { gitLabApprovals, gitLabCi, gitLabLabel } = await import("../adapters/forge/gitlab/signals.ts");
  return { approvals: gitLabApprovals, label: gitLabLabel, ci: gitLabCi };
}

/** The token is read when it is used: it is in no setting. */
const optionsOf = ({ repo, baseUrl, tokenEnv, everyMs }: Away, read = (name: string) => process.env[name]) => ({
  ...(everyMs === undefined ? {} : { everyMs }),
  repo,
  baseUrl,
  token: { variable: tokenEnv, read: () => read(tokenEnv) },
  now: Date.now,
});
