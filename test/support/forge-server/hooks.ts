import { createHmac, randomUUID } from "node:crypto";

/** A webhook as somebody made it at the forge. */
export interface Hook {
  readonly url: string;
  readonly secret: string;
}

/** One delivery, ready to be sent, also twice. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As GitHub sends it: signed over the bytes of the body. */
export function gitHubDelivery({ secret }: Hook, event: string, payload: object): Delivery {
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/044aadd",
    "x-github-delivery": randomUUID(),
    "x-github-event": event,
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  };
  return { headers, body };
}

/** As GitLab sends it: a signing token signs, any other secret goes along as it is. `at`: ms since 1970. */
export function gitLabDelivery({ secret }: Hook, event: string, payload: object, at = Date.now()): Delivery {
  const body = JSON.stringify(payload);
  const id = randomUUID();
  const seconds = String(Math.floor(at / 1_000));
  const proof = secret.startsWith("whsec_")
    ? {
        "webhook-id": id,
        "webhook-timestamp": seconds,
        "webhook-signature": `v1,${createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
          .update(`${id}.${seconds}.${body}`)
          .digest("base64")}`,
      }
    : { "x-gitlab-token": secret };
  const headers = { "content-type": "application/json", "idempotency-key": id, "x-gitlab-event": event, ...proof };
  return { headers, body };
}

/** Sends it; the status of the answer. */
export async function deliver({ url }: Pick<Hook, "url">, { headers, body }: Delivery): Promise<number> {
  const reply = await fetch(url, { method: "POST", headers, body });
  await reply.arrayBuffer();
  return reply.status;
}

/** The webhooks of a forge. What a client writes there is told to them too, as it is of people. */
export interface Hooks {
  readonly all: Hook[];
  /** tells all of them; the statuses of their answers, 0 where there was none */
  says(event: string, payload?: object): Promise<readonly number[]>;
}

export function createHooks(make: (hook: Hook, event: string, payload: object) => Delivery): Hooks {
  const all: Hook[] = [];
  return {
    all,
    says: (event, payload = {}) =>
      Promise.all(all.map((hook) => deliver(hook, make(hook, event, payload)).catch(() => 0))),
  };
}
