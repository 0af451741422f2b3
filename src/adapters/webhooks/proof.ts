import { createHash, createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** What a delivery has to show while it comes in. `holds` is asked once, behind its last byte. */
export interface Proof {
  take(bytes: Uint8Array): void;
  holds(): boolean;
}

/** Begins the proof of a delivery; null: its headers alone are none. `now`: ms since 1970. */
export type Prover = (headers: IncomingHttpHeaders, now: number) => Proof | null;

/** GitHub: `X-Hub-Signature-256: sha256=HEX` over the bytes of the body. It has no time in it. */
export const gitHubProver =
  (secret: string): Prover =>
  (headers) => {
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(headerOf(headers, "x-hub-signature-256"))?.[1];
    return hex === undefined ? null : proofOf(createHmac("sha256", secret), [Buffer.from(hex, "hex")]);
  };

/** GitLab: a signing token (`whsec_…`) signs each delivery; any other secret is said as it is, in `X-Gitlab-Token`. */
export const gitLabProver = (secret: string): Prover => {
  const key = signingKeyOf(secret);
  return key === null ? tokenProver(secret) : standardProver(key);
};

/** What a signing token holds behind `whsec_`; null: it is none. */
export function signingKeyOf(secret: string): Buffer | null {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  return base64 === undefined ? null : Buffer.from(base64, "base64");
}

function tokenProver(secret: string): Prover {
  const wanted = hashOf(secret);
  return (headers) =>
    timingSafeEqual(hashOf(headerOf(headers, "x-gitlab-token")), wanted) ? { take: () => {}, holds: () => true } : null;
}

/** As long as it may be under way, and as far as two clocks may be apart. */
const TOLERANCE_MS = 5 * 60_000;

/** Standard Webhooks 1.0: HMAC-SHA256 over `ID.TIMESTAMP.BODY`, in one of the signatures `v1,BASE64` that are said. */
const standardProver =
  (key: Buffer): Prover =>
  (headers, now) => {
    const id = headerOf(headers, "webhook-id");
    const seconds = headerOf(headers, "webhook-timestamp");
    const isNow = /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1_000) <= TOLERANCE_MS;
    if (id === "" || !isNow) return null;
    const said = headerOf(headers, "webhook-signature").split(" ").slice(0, MOST_SIGNATURES);
    const signatures = said.filter((one) => one.startsWith("v1,")).map((one) => Buffer.from(one.slice(3), "base64"));
    return proofOf(createHmac("sha256", key).update(`${id}.${seconds}.`), signatures);
  };

/** While a key is changed there are two. */
const MOST_SIGNATURES = 8;

function proofOf(hmac: Hmac, said: readonly Buffer[]): Proof {
  return {
    take: (bytes) => void hmac.update(bytes),
    holds: () => {
      const right = hmac.digest();
      return said.some((one) => one.length === right.length && timingSafeEqual(one, right));
    },
  };
}

/** A header that is there twice counts as none. */
function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : "";
}

/** Texts of one length, to be compared in one time. */
const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();
