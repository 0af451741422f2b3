import { createLocalForge } from "../adapters/forge/local.ts";
import type { Clock } from "../ports/clock.ts";
import type { Forge } from "../ports/forge.ts";
import type { ForgeSpec, Settings, SignalSpec } from "../ports/settings.ts";
import type { Signals } from "../ports/signals.ts";
import type { Git } from "../ports/system.ts";

type Away = Exclude<ForgeSpec, { kind: "local" }>;
type ForgeSignal = Extract<SignalSpec, { kind: "forge" }>;

/** The forge of pawl.yaml. What speaks with other machines is loaded where one is named, and not before. */
export async function forgeOf({ forge, repo }: Settings, of: { git: Git; clock: Clock }): Promise<Forge> {
  if (forge.kind === "local") return createLocalForge({ repo, ...of });
  const [{ createRemoteForge }, { gitHubApi }] = await Promise.all([
    import("../adapters/forge/remote/remote.ts"),
    import("../adapters/forge/github/api.ts"),
  ]);
  return createRemoteForge({ repo, ...of, api: gitHubApi(optionsOf(forge)) });
}

/** The signals that the forge answers, by name. */
export async function forgeSignalsOf({ forge, signals }: Settings): Promise<readonly (readonly [string, Signals])[]> {
  const asked = Object.values(signals).filter((spec): spec is ForgeSignal => spec.kind === "forge");
  if (forge.kind === "local" || asked.length === 0) return [];
  const { gitHubApprovals, gitHubLabel } = await import("../adapters/forge/github/signals.ts");
  const options = optionsOf(forge);
  return asked.map(({ name, asks }) => [
    name,
    asks.of === "label" ? gitHubLabel(options, asks.label) : gitHubApprovals(options, asks),
  ]);
}

/** The token is read when it is used: it is in no setting. */
const optionsOf = ({ repo, baseUrl, tokenEnv }: Away) => ({
  repo,
  baseUrl,
  token: { variable: tokenEnv, read: () => process.env[tokenEnv] },
  now: Date.now,
});
