import { consoleChannel } from "../adapters/channels/console.ts";
import { eachOnce } from "../adapters/channels/each-once.ts";
import { webhookChannel } from "../adapters/channels/webhook.ts";
import { PawlError } from "../domain/errors.ts";
import type { Channel } from "../ports/channel.ts";
import type { ChannelSpec, Settings } from "../ports/settings.ts";

type Webhook = Extract<ChannelSpec, { kind: "webhook" }>;

/** Where people are told, as one channel. Throws CREDENTIAL_MISSING, WEBHOOK_ADDRESS before anything is started. */
export function channelOf(
  { channels }: Pick<Settings, "channels">,
  of: { say: (line: string) => void; tell?: ((word: string, text: string) => void) | undefined },
  env: Readonly<Record<string, string | undefined>> = process.env,
): Channel {
  return eachOnce(
    channels.map((spec) => (spec.kind === "console" ? consoleChannel(of.say) : webhookOf(spec, of, env))),
  );
}

function webhookOf(
  { urlEnv, secretEnv, events }: Webhook,
  { tell }: { tell?: ((word: string, text: string) => void) | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Channel {
  const url = variable(urlEnv, env);
  if (!isSafe(url))
    throw new PawlError("WEBHOOK_ADDRESS", `${urlEnv} holds no address that notices can be sent to`, {
      next: `export ${urlEnv}=https://… (http only to this machine)`,
    });
  const secret = secretEnv === null ? null : variable(secretEnv, env);
  const told = (why: string | null) =>
    tell?.("webhook", why === null ? `${urlEnv} answers again` : `${why}; notices are kept and sent again`);
  return webhookChannel({ url, name: urlEnv, secret, events, tell: told });
}

function variable(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const value = env[name]?.trim();
  if (value) return value;
  throw new PawlError("CREDENTIAL_MISSING", `channels in pawl.yaml need the variable ${name}, and it is not set`, {
    next: `export ${name}=…`,
  });
}

function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === "https:") return true;
  return url?.protocol === "http:" && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
