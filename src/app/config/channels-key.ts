import { isMap } from "yaml";
import type { NoticeEvent } from "../../domain/intent.ts";
import type { ChannelSpec } from "../../ports/settings.ts";
import { type Decode, list, oneOf, oneOrMore, record } from "./decode.ts";
import { either, schemaOf, shaped } from "./schema-of.ts";
import { nodeOf, noteFault, type Spot } from "./spot.ts";

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
  const webhook = record({ url_env: variable, secret_env: variable, events: oneOrMore(oneOf(EVENTS)) });
  const word = oneOf(["console"]);
  const whole = record({ webhook });
  const channel = (spot: Spot): ChannelSpec | undefined => {
    if (!isMap(nodeOf(spot))) return word(spot) && { kind: "console" };
    const said = whole(spot)?.webhook;
    if (said === undefined) return undefined;
    if (said.url_env === undefined) return missing(spot);
    return { kind: "webhook", urlEnv: said.url_env, secretEnv: said.secret_env ?? null, events: said.events ?? null };
  };
  return list(shaped(() => either(schemaOf(word), schemaOf(whole)), channel));
};

function missing(spot: Spot): undefined {
  noteFault(spot, "KEY_MISSING", `${spot.path} needs url_env: the variable that holds the address`, {
    next: "write {webhook: {url_env: PAWL_WEBHOOK_URL}}.",
  });
  return undefined;
}
