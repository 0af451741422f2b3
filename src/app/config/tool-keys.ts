import type { SearchSpec } from "../../adapters/tools/research/search-spec.ts";
import { type Decode, oneOf, record } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { schemaOf, shaped } from "./schema-of.ts";
import type { Spot } from "./spot.ts";

/** `research:`, who searches the internet for a worker; keys and addresses by the names of their variables. */
export const researchKey = (variable: Decode<string>): Decode<SearchSpec> =>
  shaped(
    () => schemaOf(researchKeys(variable)),
    (spot: Spot) => {
      const entry = researchKeys(variable)(spot);
      if (entry === undefined) return undefined;
      switch (entry.provider) {
        case undefined:
          return missing(spot, "provider", "provider: searxng, brave or tavily");
        case "searxng":
          if (entry.url_env === undefined)
            return missing(spot, "url_env", "url_env: the variable that holds the server's address");
          return { provider: "searxng", urlEnv: entry.url_env };
        default:
          if (entry.key_env === undefined) return missing(spot, "key_env", "key_env: the variable that holds the key");
          return { provider: entry.provider, keyEnv: entry.key_env };
      }
    },
  );

const researchKeys = (variable: Decode<string>) =>
  record({ provider: oneOf(PROVIDERS), url_env: variable, key_env: variable });

const PROVIDERS = ["searxng", "brave", "tavily"] as const;

const missing = (spot: Spot, key: string, what: string): undefined =>
  missingKey(spot, key, `${spot.path} needs ${what}`);
