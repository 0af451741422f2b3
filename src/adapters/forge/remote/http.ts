import { PawlError } from "../../../domain/errors.ts";
import { createKept, type Kept } from "./kept.ts";
import { limitOf } from "./limits.ts";
import { allPages } from "./pages.ts";
import { redactor } from "./redact.ts";
import { readTail, type TailReply } from "./tail.ts";
import { limitedError, lostError, refusedError } from "./unread.ts";

export interface HttpOptions {
  /** GitHub, GitLab: for messages */
  readonly name: string;
  /** without a slash at its end */
  readonly baseUrl: string;
  /** name of the variable that holds the token, and what it holds now */
  readonly token: { readonly variable: string; read(): string | undefined };
  /** headers of every request, with the token in them */
  readonly headers: (token: string) => Readonly<Record<string, string>>;
  /** ms since 1970 */
  readonly now: () => number;
}

/** An answer as it came, whatever it says. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** null: no JSON */
  readonly body: unknown;
  /** what came in its place, where it is no JSON: "a page of HTML" */
  readonly came?: string;
}

/** How a request ended. `lost`: no whole answer came; `sent` false: it certainly never arrived. */
export type Sent =
  | ({ readonly kind: "reply" } & Reply)
  | { readonly kind: "limited"; readonly until: number; readonly detail: string }
  | { readonly kind: "lost"; readonly sent: boolean; readonly detail: string };

/** What a status means here, a 404 among them; null: nothing of the kind. */
export type Refused = (status: number, words: string) => PawlError | null;

export interface Http {
  /** of the forge, for messages */
  readonly name: string;
  /** the token; throws FORGE_DENIED where its variable is empty */
  token(): string;
  /** text without the token */
  clean(text: string): string;
  /** JSON of a GET, null on 404; a second try where the first was lost. Throws FORGE_UNREACHABLE, FORGE_LIMITED, FORGE_DENIED */
  get(path: string, signal: AbortSignal, refused?: Refused): Promise<unknown>;
  /** JSON of a POST that changes nothing, as `get` */
  query(url: string, body: unknown, signal: AbortSignal): Promise<unknown>;
  /**
   * The same of a list, page after page as `X-Next-Page` or `Link` says; `field`: where in each page it is. Empty on 404.
   * A list without an end is FORGE_UNREACHABLE
   */
  list(path: string, signal: AbortSignal, field?: string, refused?: Refused): Promise<readonly unknown[]>;
  /**
   * The last 64 KiB of a text; null: it is gone, kept from this token, or kept at a place that does not answer. The one
   * redirect that is followed goes there without the token. Throws FORGE_UNREACHABLE and FORGE_LIMITED
   */
  tail(path: string, signal: AbortSignal): Promise<string | null>;
  /** one request, once */
  send(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Sent>;
}

const REQUEST_MS = 30_000;

/**
 * A forge's API. What was read before is asked for with its ETag: an answer that did not change costs no rate. No
 * redirect is followed: the token goes to `baseUrl` alone, and a repository that was renamed is to be named anew.
 */
export function createHttp(options: HttpOptions): Http {
  const { name, baseUrl, now } = options;
  const kept = createKept();
  const clean = (text: string) => redactor(options.token.read())(text);

  function token(): string {
    const { variable } = options.token;
    const value = options.token.read()?.trim();
    if (value) return value;
    const next = `put a token for ${name} into ${variable}`;
    throw new PawlError("FORGE_DENIED", `the variable ${variable} is empty, and ${name} wants a token`, { next });
  }

  let limited: Extract<Sent, { kind: "limited" }> | null = null;

  /** A limit is kept to by all that goes through here, whatever hints come meanwhile. */
  async function send(method: string, path: string, body: unknown, signal: AbortSignal, old?: Kept): Promise<Sent> {
    if (limited !== null && now() < limited.until) return limited;
    const url = path.startsWith("http") ? path : `${baseUrl}${path}`;
    const headers = {
      ...sentWith(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(old ? { "if-none-match": old.etag } : {}),
    };
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const init = { method, headers, signal: timeout, redirect: "manual" as const };
    try {
      const reply = await fetch(url, body === undefined ? init : { ...init, body: JSON.stringify(body) });
      const text = await reply.text();
      return answerOf({ status: reply.status, headers: reply.headers, ...read(text) });
    } catch (error) {
      return { kind: "lost", sent: !neverArrived(error), detail: clean(`${name} at ${baseUrl}: ${reason(error)}`) };
    }
  }

  function answerOf(reply: Reply): Sent {
    const until = limitOf(reply, now());
    if (until === null) return { kind: "reply", ...reply };
    const when = new Date(until).toISOString().replace(/\.\d+/, "");
    limited = { kind: "limited", until, detail: `${name} limits requests until ${when}: ${said(reply)}` };
    return limited;
  }

  async function asked(path: string, signal: AbortSignal, refused?: Refused): Promise<Reply | null> {
    const old = kept.find(path);
    for (let tries = 0; ; tries++) {
      const sent = await send("GET", path, undefined, signal, old);
      const isAway = sent.kind === "lost" || (sent.kind === "reply" && sent.status >= 500);
      if (isAway && tries === 0 && !signal.aborted) continue;
      if (sent.kind === "reply" && sent.status === 304 && old) return old.reply;
      const reply = good(sent, path, refused);
      if (reply !== null) kept.keep(path, reply);
      return reply;
    }
  }

  async function query(url: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const first = await send("POST", url, body, signal);
    const isLost = first.kind === "lost" && !signal.aborted;
    return good(isLost ? await send("POST", url, body, signal) : first, url)?.body ?? null;
  }

  /** null: 404, where it means nothing else */
  function good(sent: Sent, path: string, refused?: Refused): Reply | null {
    if (sent.kind === "limited") throw limitedError(sent);
    if (sent.kind === "lost") throw lostError(sent, baseUrl);
    if (sent.status >= 200 && sent.status < 300 && sent.body !== null) return sent;
    const no = refused?.(sent.status, clean(said(sent)));
    if (no) throw no;
    if (sent.status === 404) return null;
    throw refusedError(sent, { name, path, baseUrl, variable: options.token.variable, clean });
  }

  async function tail(path: string, signal: AbortSignal): Promise<string | null> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const first = await readTail(`${baseUrl}${path}`, { headers: sentWith(), signal: limit }).catch(
      (error: unknown) => {
        throw lostError({ sent: true, detail: clean(`${name} at ${baseUrl}: ${reason(error)}`) }, baseUrl);
      },
    );
    const sent = answerOf({ status: first.status, headers: first.headers, ...read(first.text) });
    if (sent.kind === "limited" || first.status >= 500) good(sent, path);
    const there = first.headers.get("location");
    if (first.status < 300 || first.status >= 400 || there === null) return good2xx(first);
    const place = URL.canParse(there, baseUrl) ? new URL(there, baseUrl) : null;
    if (place === null || place.protocol !== new URL(baseUrl).protocol) return null;
    return good2xx(
      await readTail(place.href, { headers: { "user-agent": "pawl" }, signal: limit }).catch(() => {
        if (signal.aborted) throw signal.reason;
        return null;
      }),
    );
  }

  const good2xx = (reply: TailReply | null): string | null =>
    reply !== null && reply.status >= 200 && reply.status < 300 ? clean(reply.text) : null;

  const sentWith = () => ({ "user-agent": "pawl", ...options.headers(token()) });

  return {
    name,
    token,
    clean,
    send: (method, path, body, signal) => send(method, path, body, signal),
    get: async (path, signal, refused) => (await asked(path, signal, refused))?.body ?? null,
    query,
    tail,
    list: (path, signal, field, refused) =>
      allPages((page) => asked(page, signal, refused), {
        path,
        ...(field === undefined ? {} : { field }),
        name,
        baseUrl,
      }),
  };
}

/** What a forge says of itself; at most 500 characters of it. */
export function said({ body, status, came }: Pick<Reply, "body" | "status" | "came">): string {
  const { message, error, errors } = (body ?? {}) as { message?: unknown; error?: unknown; errors?: unknown };
  const parts = [message, error, errors].flatMap((part) =>
    part === undefined || part === null ? [] : [wordsOf(part)],
  );
  return (parts.join(": ") || came || `status ${status} without words`).slice(0, 500);
}
const wordsOf = (part: unknown): string => {
  if (typeof part === "string") return part;
  if (Array.isArray(part)) return part.map(wordsOf).join(", ");
  const { message } = part as { message?: unknown };
  return typeof message === "string" ? message : JSON.stringify(part);
};

/** The JSON of an answer, or what came in its place. */
function read(text: string): Pick<Reply, "body" | "came"> {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { body: null, came: cameAs(text.trim()) };
  }
}

function cameAs(text: string): string {
  if (text === "") return "an empty answer";
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1]?.replace(/\s+/g, " ").trim().slice(0, 80);
  if (/^<(!doctype|html|head|body)/i.test(text)) return `a page of HTML${title ? ` ("${title}")` : ""}`;
  return `no JSON ("${text.slice(0, 80).replace(/\s+/g, " ")}")`;
}

/** Nobody was there to hear it. */
const NOBODY = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const codeOf = (error: unknown): string => {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === "string" ? cause.code : "";
};
const neverArrived = (error: unknown): boolean => NOBODY.has(codeOf(error));
const reason = (error: unknown): string => {
  const { name, message, cause } = error as Error & { cause?: Error };
  if (name === "TimeoutError") return `no answer within ${REQUEST_MS / 1_000} s`;
  return cause?.message || codeOf(error) || message;
};
