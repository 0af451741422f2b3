import type { No, Written } from "../remote/api.ts";
import { type Http, type Reply, type Sent, said } from "../remote/http.ts";

type Refusal = readonly [No | "later", string];

/**
 * What GitHub's answer to a write comes to. 5xx and an answer that was lost are doubt; a limit is certain, and so is
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
  if (sent.kind === "limited") return { kind: "later", until: sent.until, owner: "forge", detail: sent.detail };
  if (sent.kind === "lost" && !sent.sent)
    return { kind: "later", until: of.now() + 30_000, owner: "forge", detail: sent.detail };
  if (sent.kind === "lost") return { kind: "doubt", detail: sent.detail };
  if (sent.status >= 500) return { kind: "doubt", detail: `GitHub answered ${sent.status}` };
  if (sent.status < 300) return resultOf(sent.body, of.value);
  const [why, words] = sent.status === 401 ? (["later", said(sent)] as const) : of.no(sent);
  const detail = of.http.clean(`GitHub answered ${sent.status}: ${words}`);
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

/** POST pulls: 422 says what is wrong in `errors`, some of it in words alone. */
export function notCreated(reply: Reply): Refusal {
  const words = said(reply);
  if (reply.status === 404) return ["denied", `${words}: the token may not open pull requests`];
  if (reply.status !== 422) return ["denied", words];
  if (/already exists/i.test(words)) return ["exists", words];
  if (/no commits between/i.test(words)) return ["nothing-to-do", words];
  const { errors } = (reply.body ?? {}) as { errors?: unknown };
  const fields = Array.isArray(errors) ? errors.map((one: { field?: unknown }) => one?.field) : [];
  return fields.includes("base") ? ["base-gone", words] : ["invalid", words];
}

/**
 * PUT pulls/N/merge: 409 the head is another one; 405 it cannot be merged, for many reasons. What GitHub still
 * computes, and checks that still run, are asked again by themselves; what a person has to do is not.
 */
export function deniedMerge(reply: Reply): Refusal {
  const words = said(reply);
  switch (reply.status) {
    case 409:
      return ["moved", words];
    case 404:
      return ["gone", words];
    case 405:
      return notMergeable(words);
    case 422:
      return ["invalid", words];
    default:
      return ["denied", words];
  }
}

function notMergeable(words: string): Refusal {
  if (/draft/i.test(words)) return ["invalid", words];
  if (/base branch was modified|in progress|status check/i.test(words)) return ["later", words];
  if (/not mergeable|conflict/i.test(words)) return ["later", words]; // the candidate had none: it has not caught up
  return ["denied", words];
}
