import type { PawlFile } from "../config/pawl-file.ts";
import type { HandsLook } from "./doctor-hands.ts";

type HooksLook = Omit<HandsLook, "state"> & { readonly state: HandsLook["state"] | "no" };
type Env = Readonly<Record<string, string | undefined>>;

/** Where forges may say that something happened, and whether there are the secrets for it. */
export function lookAtWebhooks({ webhooks }: Partial<PawlFile>, env: Env): readonly HooksLook[] {
  if (webhooks === undefined) return [];
  const { host, port, secretEnvs } = webhooks;
  const named = Object.entries(secretEnvs).flatMap(([sender, name]) => (name === null ? [] : [{ sender, name }]));
  const at = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const text = named.map(({ sender, name }) => `${at}/${sender}, with the secret of ${name}`).join("; ");
  const empty = named.find(({ name }) => !env[name]?.trim());
  if (empty !== undefined)
    return [
      {
        ...{ name: "webhooks", state: "no", text: `${text}: ${empty.name} is empty` },
        next: `export ${empty.name}=… (the secret of the webhook at the forge).`,
      },
    ];
  if (isHere(host)) return [{ name: "webhooks", state: "ok", text }];
  const next = "put a proxy with TLS before it: a secret token of GitLab goes over the wire as it is.";
  return [{ name: "webhooks", state: "note", text: `${text}: others can reach it, without TLS`, next }];
}

const isHere = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
