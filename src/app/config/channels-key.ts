import { isMap } from "yaml";
import type { NoticeEvent } from "../../domain/intent.ts";
import type { ChannelSpec } from "../../ports/settings.ts";
import { type Decode, list, oneOf, record, someOf } from "./decode.ts";
import { missingKey } from "./missing-key.ts";
import { either, schemaOf, shaped } from "./schema-of.ts";
import { child, nodeOf, type Spot } from "./spot.ts";

const EVENTS = [
  "waiting",
  "crashed",
  "failed",
  "finished",
  "deadlock",
  "overdue",
] as const satisfies readonly NoticeEvent[];

/** `channels:` where people are told: the console, and webhooks, whose address and secret are in variables. */
export const channelsKey = (variable: Decode<string>): Decode<readonly ChannelSpec[]> => {
  const webhook = record({ url_env: variable, secret_env: variable, events: someOf(oneOf(EVENTS)) });
  const word = oneOf(["console"]);
  const whole = record({ webhook });
  const channel = (spot: Spot): ChannelSpec | undefined => {
    if (!isMap(nodeOf(spot))) return word(spot) && { kind: "console" };
    const said = whole(spot)?.webhook;
    if (said === undefined) return missing(spot, "webhook", "webhook: where people are told");
    if (said.url_env === undefined)
      return missing(child(spot, "webhook"), "url_env", "url_env: the variable that holds the address");
    return { kind: "webhook", urlEnv: said.url_env, secretEnv: said.secret_env ?? null, events: said.events ?? null };
  };
  return list(shaped(() => either(schemaOf(word), schemaOf(whole)), channel));
};

const missing = (spot: Spot, key: string, what: string): undefined =>
  missingKey(spot, key, `${spot.path} needs ${what}`, { next: "write {webhook: {url_env: PAWL_WEBHOOK_URL}}." });
