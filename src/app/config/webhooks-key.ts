import type { WebhooksSpec } from "../../ports/settings.ts";
import { type Decode, line, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { schemaOf, shaped, TEXT } from "./schema-of.ts";
import { noteFault, type Spot } from "./spot.ts";

/** `webhooks:` of pawl.yaml: where a forge may say that something happened; the secrets are in variables. */
export const webhooksKey = (variable: Decode<string>): Decode<WebhooksSpec> => {
  const keys = record({ listen: address, github_secret_env: variable, gitlab_secret_env: variable });
  return shaped(
    () => schemaOf(keys),
    (spot: Spot) => {
      const read = keys(spot);
      if (read === undefined) return undefined;
      const { listen, github_secret_env: github = null, gitlab_secret_env: gitlab = null } = read;
      if (github === null && gitlab === null) return missing(spot, ["github_secret_env", "gitlab_secret_env"]);
      return listen === undefined ? missing(spot, ["listen"]) : { ...listen, secretEnvs: { github, gitlab } };
    },
  );
};

const address: Decode<Pick<WebhooksSpec, "host" | "port">> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const written = line(spot);
    if (written === undefined) return undefined;
    const [, v6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(written) ?? [];
    if (port !== undefined && Number(port) < 65_536) return { host: (v6 ?? name)!, port: Number(port) };
    noteFault(spot, "TYPE_BAD", `"${written}" is no address to listen at`, { next: "write it like 127.0.0.1:8787." });
    return undefined;
  },
);

const missing = (spot: Spot, keys: readonly string[]): undefined =>
  missingKey(spot, keys, `${spot.path} needs ${keys.join(" or ")}`, {
    next: "write {listen: 127.0.0.1:8787, github_secret_env: PAWL_GITHUB_HOOK_SECRET}.",
  });
