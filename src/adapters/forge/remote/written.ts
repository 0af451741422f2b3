import type { No, Written } from "./api.ts";
import { type Http, type Reply, type Sent, said } from "./http.ts";

/** Why a write was not done, with the forge's words; `later`: it may be taken in a while, as it is. */
export type Refusal = readonly [No | "later", string];

/**
 * What a forge's answer to a write comes to. 5xx and an answer that was lost are doubt; a limit is certain, and so is
 * what never arrived.
 */
export function written<T>(
  sent: Sent,
  of: {
    readonly http: Http;
    readonly now: () => number;
    readonly value: (body: unknown) => T;
    readonly no: (reply: Reply) => Refusal;
  },
): Written<T> {
  const { name } = of.http;
  if (sent.kind === "limited") return { kind: "later", until: sent.until, owner: "forge", detail: sent.detail };
  if (sent.kind === "lost" && !sent.sent)
    return { kind: "later", until: of.now() + 30_000, owner: "forge", detail: sent.detail };
  if (sent.kind === "lost") return { kind: "doubt", detail: sent.detail };
  if (sent.status >= 500) return { kind: "doubt", detail: `${name} answered ${sent.status}` };
  if (sent.status < 300) return resultOf(sent.body, of.value);
  const [why, words] = sent.status === 401 ? (["later", said(sent)] as const) : of.no(sent);
  const detail = of.http.clean(`${name} answered ${sent.status}: ${words}`);
  if (why !== "later") return { kind: "no", why, detail };
  const isHuman = sent.status === 401;
  return { kind: "later", until: of.now() + (isHuman ? 60_000 : 30_000), owner: isHuman ? "human" : "forge", detail };
}

/** It was done, and what it says of it cannot be read: that is looked for. */
function resultOf<T>(body: unknown, value: (body: unknown) => T): Written<T> {
  try {
    return { kind: "ok", value: value(body) };
  } catch (error) {
    return { kind: "doubt", detail: error instanceof Error ? error.message : String(error) };
  }
}
