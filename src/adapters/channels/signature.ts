import { createHmac } from "node:crypto";

/**
 * `webhook-signature` as Standard Webhooks 1.0 has it: `v1,` and base64 of HMAC-SHA256 over `ID.TIMESTAMP.BODY`. A secret
 * that begins with `whsec_` is base64 behind it, any other is taken as it is. `timestamp`: seconds since 1970.
 */
export function signatureOf(of: { id: string; timestamp: number; body: string; secret: string }): string {
  const { id, timestamp, body, secret } = of;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}
