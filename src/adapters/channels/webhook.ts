import { PawlError } from "../../domain/errors.ts";
import type { EffectResult } from "../../domain/input.ts";
import type { NoticeEvent } from "../../domain/intent.ts";
import type { Instant } from "../../domain/names.ts";
import type { Channel, Notice } from "../../ports/channel.ts";
import { signatureOf } from "./signature.ts";

export interface WebhookOptions {
  /** with a secret in it, often: it is named nowhere */
  readonly url: string;
  /** what messages call it: the variable that holds the address */
  readonly name: string;
  /** null: nothing is signed */
  readonly secret: string | null;
  /** null: all */
  readonly events: readonly NoticeEvent[] | null;
  /** ms since 1970 */
  readonly now?: () => number;
  /** told once when it stops answering, with the reason; null when it answers again */
  readonly tell?: (why: string | null) => void;
}

const ANSWER_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 5 * 60_000;

/**
 * Posts each notice as JSON. The body and `Idempotency-Key` of a notice are the same in every try, also of a later
 * process. A receiver that is away, busy (408, 425, 429, 5xx) or silent for 10 s is asked again: after 1 s, doubling to
 * 5 minutes, or when its `Retry-After` says, and not by any other notice before then. Any other answer but 2xx is a
 * refusal: that notice is not sent again. Throws WEBHOOK_IN_DOUBT where the notice may have arrived.
 */
export function webhookChannel(options: WebhookOptions): Channel {
  const { now = Date.now, events, tell } = options;
  let [failures, restUntil] = [0, 0];
  const failed = (why: string, retryAfterMs: number | null): number => {
    if (failures++ === 0) tell?.(why);
    const pause = Math.min(MOST_PAUSE_MS, retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (failures - 1));
    restUntil = now() + pause;
    return restUntil;
  };
  return {
    async notify(notice, { signal }): Promise<EffectResult> {
      if (events !== null && !events.includes(notice.event)) return done;
      if (signal.aborted) return later("the time for it was over before it was sent", null);
      if (now() < restUntil) return later(`${options.name} is asked again later`, restUntil);
      const answer = await post(notice, { ...options, now, signal });
      if (answer.kind === "taken" || answer.kind === "refused") {
        if (failures > 0) tell?.(null);
        failures = 0;
        return answer.kind === "taken" ? done : refused(answer.why);
      }
      const until = failed(answer.why, answer.retryAfterMs);
      if (answer.arrived) throw inDoubt(answer.why);
      return later(answer.why, until);
    },
  };
}

type Answer =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly why: string }
  /** `arrived`: the receiver may have it */
  | { readonly kind: "away"; readonly why: string; readonly arrived: boolean; readonly retryAfterMs: number | null };

async function post(notice: Notice, of: WebhookOptions & { now: () => number; signal: AbortSignal }): Promise<Answer> {
  const { url, name, secret, now } = of;
  const { key, task, event, text } = notice;
  const body = JSON.stringify({ version: 1, key, task, event, text });
  const timestamp = Math.floor(now() / 1_000);
  const signed = secret === null ? {} : { "webhook-signature": signatureOf({ id: key, timestamp, body, secret }) };
  const headers = {
    "content-type": "application/json",
    "user-agent": "pawl",
    "idempotency-key": key,
    "webhook-id": key,
    "webhook-timestamp": String(timestamp),
    ...signed,
  };
  const signal = AbortSignal.any([of.signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const response = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    await response.body?.cancel();
    return answerOf(response, name, now());
  } catch (error) {
    return awayAs(error, name);
  }
}

const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

function answerOf({ status, headers }: Response, name: string, now: number): Answer {
  if (status >= 200 && status < 300) return { kind: "taken" };
  const why = `${name} answers ${status}`;
  if (!BUSY.has(status) && status < 500) return { kind: "refused", why };
  return { kind: "away", why, arrived: status >= 500 && status !== 503, retryAfterMs: afterOf(headers, now) };
}

/** Seconds, or a date. */
function afterOf(headers: Headers, now: number): number | null {
  const said = headers.get("retry-after");
  if (said === null) return null;
  const ms = /^\d{1,6}$/.test(said.trim()) ? Number(said) * 1_000 : Date.parse(said) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Codes of an address at which nobody was reached. */
const NOBODY: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function awayAs(error: unknown, name: string): Answer {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  const code = typeof cause?.code === "string" ? cause.code : null;
  const silent = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
  // the error's own text may hold the address
  const why = silent
    ? `${name} gave no answer within ${ANSWER_MS / 1_000} s`
    : `${name} cannot be reached (${code ?? "?"})`;
  return { kind: "away", why, arrived: code === null || !NOBODY.has(code), retryAfterMs: null };
}

const done: EffectResult = { kind: "done", made: { what: "nothing" }, found: false };
const later = (detail: string, until: number | null): EffectResult => ({
  kind: "later",
  until: until as Instant | null,
  owner: "processor",
  detail,
});
const refused = (detail: string): EffectResult => ({
  kind: "refused",
  code: "denied",
  detail,
  files: [],
  actual: null,
});

const inDoubt = (why: string): PawlError =>
  new PawlError("WEBHOOK_IN_DOUBT", `${why}: the notice may have arrived`, {
    next: "nothing: it is sent again with the same Idempotency-Key",
    retryable: true,
  });
