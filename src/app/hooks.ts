import type { Prover } from "../adapters/webhooks/proof.ts";
import type { Sender, Topic } from "../adapters/webhooks/topic.ts";
import { PawlError } from "../domain/errors.ts";
import type { Forge } from "../ports/forge.ts";
import type { Probe } from "../ports/probe.ts";
import type { Settings, WebhooksSpec } from "../ports/settings.ts";
import type { Signals } from "../ports/signals.ts";
import { type Bell, createBell } from "./bell.ts";

/** Who is told what a hook is about. Without `webhooks:` nobody rings. */
export type Bells = Readonly<Record<Topic, Bell>>;

/** A push brings a dozen hooks: what they are about is looked at once, and soon once more. */
const GAP_MS = 1_000;
export const createBells = (): Bells => ({ pulls: createBell(GAP_MS), issues: createBell(GAP_MS) });

/** The forge and its signals, looked at when a hook is about them. */
export function hinted(
  { forge, signals }: { forge: Forge; signals: readonly (readonly [string, Signals])[] },
  { pulls }: Bells,
): { forge: Forge; signals: readonly (readonly [string, Signals])[] } {
  const rung = (signal: AbortSignal) => pulls.rings(signal);
  return { forge: { ...forge, rung }, signals: signals.map(([name, one]) => [name, { ...one, rung }] as const) };
}

interface Told {
  readonly bells: Bells;
  readonly probe: Probe;
  readonly tell?: ((word: string, text: string) => void) | undefined;
}

/** Open for hooks, at an address for each who sends them. */
interface Hooks {
  readonly at: readonly string[];
  close(): Promise<void>;
}

/** Listens, where `webhooks:` says so. Throws WEBHOOK_LISTEN, WEBHOOK_SECRET, CREDENTIAL_MISSING. */
export async function openHooks(
  { webhooks }: Pick<Settings, "webhooks">,
  { bells, probe, tell }: Told,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Hooks | null> {
  if (webhooks === undefined) return null;
  const { openReceiver } = await import("../adapters/webhooks/receiver.ts");
  const count = { taken: 0, refused: 0 };
  const { host, port, secretEnvs } = webhooks;
  const receiver = await openReceiver({
    ...{ host, port, provers: await proversOf(secretEnvs, env) },
    taken: (topic) => {
      count.taken++;
      if (topic !== null) bells[topic].ring();
    },
    // once: whoever has no secret may send what they like, and must not fill a log
    refused: (sender) => {
      if (count.refused++ > 0) return;
      probe.record({ event: "hook_refused", sender });
      tell?.("webhooks", refusal(sender, secretEnvs[sender]!));
    },
  });
  probe.record({ event: "hooks_listening", url: receiver.url });
  const senders = (["github", "gitlab"] as const).filter((name) => secretEnvs[name] !== null);
  return {
    at: senders.map((name) => `${receiver.url}/${name}`),
    close: async () => {
      await receiver.close();
      probe.record({ event: "hooks_closed", ...count });
    },
  };
}

const refusal = (sender: Sender, variable: string): string =>
  `what came to /${sender} is not signed with the secret of ${variable}, and has no effect; more of it is only counted`;

/** Read once: a secret that changes is for the next processor. */
async function proversOf(
  names: WebhooksSpec["secretEnvs"],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Partial<Record<Sender, Prover>>>> {
  const { gitHubProver, gitLabProver, signingKeyOf } = await import("../adapters/webhooks/proof.ts");
  const provers: Partial<Record<Sender, Prover>> = {};
  if (names.github !== null) provers.github = gitHubProver(secretIn(names.github, env));
  if (names.gitlab !== null) {
    const secret = secretIn(names.gitlab, env);
    if (secret.startsWith("whsec_") && signingKeyOf(secret) === null) throw noKey(names.gitlab);
    provers.gitlab = gitLabProver(secret);
  }
  return provers;
}

function secretIn(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const value = env[name]?.trim();
  if (value) return value;
  throw new PawlError("CREDENTIAL_MISSING", `webhooks in pawl.yaml need the variable ${name}, and it is not set`, {
    next: `export ${name}=… (the secret of the webhook at the forge)`,
  });
}

const noKey = (name: string): PawlError =>
  new PawlError("WEBHOOK_SECRET", `${name} begins like a signing token, and is no base64 behind whsec_`, {
    next: "copy the signing token of the webhook once more, whole",
  });
