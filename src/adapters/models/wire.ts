import { PawlError } from "../../domain/errors.ts";
import { classify, isPage } from "./classify.ts";
import { AskFailed, passes } from "./failure.ts";
import type { HeaderMap } from "./reset.ts";
import { type Quiet, watch } from "./silence.ts";

export type Fetch = typeof globalThis.fetch;

export interface WireParts extends Quiet {
  readonly fetch: Fetch;
}

/** A longer answer than any model gives; what goes on for ever is cut here. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_ERROR_BYTES = 64 * 1024;

/**
 * A fetch for the provider packages that answers or throws AskFailed: refused, cut, silent for too long, a page of a
 * proxy, not to be reached. The caller's own abort comes through as it is. Redirects are not followed: a key in a header
 * of the provider's own would go with them.
 */
export const guarded =
  (parts: WireParts): Fetch =>
  async (url, init = {}) => {
    const silence = watch(parts, init.signal ?? null);
    try {
      const response = await parts.fetch(url, { ...init, redirect: "manual", signal: silence.signal });
      silence.heard();
      await refuseOthers(response, { isStream: wantsStream(url, init), now: parts.clock.read().wall });
      if (response.body === null) throw passes("its answer is empty");
      const { status, headers } = response;
      return new Response(heard(response.body, silence), { status, headers });
    } catch (error) {
      silence.end();
      throw silence.why() ?? reachFailure(error);
    }
  };

async function refuseOthers(response: Response, asked: { isStream: boolean; now: number }): Promise<void> {
  const headers = headerMap(response.headers);
  const { status } = response;
  if (status >= 300 && status < 400) throw redirected(status, headers.location ?? "another address");
  const type = headers["content-type"] ?? "";
  const isWhole = asked.isStream && /\bjson\b/i.test(type) && !/ndjson|stream/i.test(type);
  if (response.ok && !isPage({ headers, body: "" }) && !isWhole) return;
  const body = await beginning(response);
  if (response.ok && isWhole && isAnswer(body)) throw wholeAnswer();
  throw classify({ status, headers, body, now: asked.now });
}

const redirected = (status: number, to: string): AskFailed =>
  new AskFailed({
    kind: "stays",
    code: "MODEL_REFUSED",
    why: `it answers ${status} and sends us to ${to.slice(0, 200)}, where the key must not go`,
    next: "write the address that it names as base_url, if you trust it.",
  });

const wholeAnswer = (): AskFailed =>
  new AskFailed({
    kind: "stays",
    code: "MODEL_REFUSED",
    why: "it was asked for a stream and gives the whole answer at once",
    next: "add stream: false to this model in pawl.yaml.",
  });

/** The beginning of some JSON that is no error. */
const isAnswer = (body: string): boolean => /^\s*\{\s*"/.test(body) && !/"error"\s*:\s*["{]/.test(body);

const wantsStream = (url: unknown, { body }: RequestInit): boolean =>
  String(url).includes("alt=sse") || (typeof body === "string" && /"stream"\s*:\s*true/.test(body));

export const headerMap = (headers: Headers): HeaderMap => Object.fromEntries(headers.entries());

async function beginning(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MOST_ERROR_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The body, each part of it a sign of life; a connection that breaks is a cut answer. */
function heard(body: ReadableStream<Uint8Array>, silence: ReturnType<typeof watch>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return close(controller);
        bytes += value.length;
        if (bytes > MOST_BYTES) throw passes("its answer does not end (more than 64 MiB)");
        silence.heard();
        controller.enqueue(value);
      } catch (error) {
        silence.end();
        controller.error(silence.why() ?? reachFailure(error, passes("its answer was cut")));
      }
    },
    async cancel(reason) {
      silence.end();
      await reader.cancel(reason);
    },
  });
  function close(controller: ReadableStreamDefaultController): void {
    silence.end();
    controller.close();
  }
}

/** What the network says, as a failure that may pass; an abort and what is a failure already stay what they are. */
function reachFailure(error: unknown, cut?: AskFailed): unknown {
  if (error instanceof AskFailed || error instanceof PawlError) return error;
  if (!(error instanceof Error) || error.name === "AbortError") return error;
  const code = codeIn(error);
  return cut ?? passes(`it cannot be reached (${code ?? error.message})`, code === null ? undefined : REACH[code]);
}
const REACH: Readonly<Record<string, string>> = {
  ECONNREFUSED: "start the server, or mend base_url; nothing listens there.",
  ENOTFOUND: "look at base_url and at the network; there is no such host.",
};

function codeIn(error: unknown): string | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++) {
    const { code, errors } = one as { code?: unknown; errors?: unknown };
    if (typeof code === "string") return code;
    if (Array.isArray(errors) && errors[0] !== undefined) return codeIn(errors[0]);
  }
  return null;
}
