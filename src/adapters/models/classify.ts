import { AskFailed, type Failure } from "./failure.ts";
import { type HeaderMap, resetOf } from "./reset.ts";

/** What a provider answered instead of an answer. */
export interface Refusal {
  /** 0: it said so inside a stream that had begun */
  readonly status: number;
  readonly headers: HeaderMap;
  readonly body: string;
  /** ms since 1970 */
  readonly now: number;
}

/** Whether it may pass or stays, from the status and from the words that the providers and the common servers use. */
export function classify(refusal: Refusal): AskFailed {
  const { status, headers, body } = refusal;
  const said = wordsOf(body);
  const why = `it answers ${[status || "an error", said && `(${said})`].filter(Boolean).join(" ")}`;
  const kind = kindOf(refusal);
  if (kind !== "passes" && kind !== "limit")
    return new AskFailed({ kind: "stays", code: kind, why, ...advice(kind, refusal) });
  const until = resetOf({ headers, body, now: refusal.now });
  const next = isPage(refusal) ? { next: PROXY } : {};
  return new AskFailed({ kind: "passes", why, limit: kind === "limit", until, ...next } satisfies Failure);
}

type Kind = "passes" | "limit" | "MODEL_KEY_REFUSED" | "MODEL_UNKNOWN" | "MODEL_REFUSED" | "MODEL_TOO_LONG";

/** Words that say it all go first, then the status, then the provider's word for the kind of error. */
function kindOf(refusal: Refusal): Kind {
  const { status, body } = refusal;
  if (isPage(refusal) && status !== 404) return "passes";
  return (
    spoken(WORDS, body) ?? byStatus(status) ?? spoken(TYPES, body) ?? (SILENT.has(status) ? "passes" : "MODEL_REFUSED")
  );
}

const spoken = (words: readonly (readonly [RegExp, Kind])[], body: string): Kind | null =>
  words.find(([pattern]) => pattern.test(body))?.[1] ?? null;

function byStatus(status: number): Kind | null {
  if (status === 401 || status === 402 || status === 403) return "MODEL_KEY_REFUSED";
  if (status === 404) return "MODEL_UNKNOWN";
  if (status === 413) return "MODEL_TOO_LONG";
  if (status === 429) return "limit";
  return status >= 500 || PASSING.has(status) ? "passes" : null;
}
/** a proxy that wants something, timed out, a lock, too early */
const PASSING = new Set([407, 408, 409, 423, 425]);
/** an error inside an answer that had begun well */
const SILENT = new Set([0, 200]);

const WORDS: readonly (readonly [RegExp, Kind])[] = [
  [
    /insufficient_quota|exceeded your current quota|credit balance is too low|insufficient[_ ](credits|balance|funds)/i,
    "MODEL_KEY_REFUSED",
  ],
  [/invalid_api_key|API_KEY_INVALID|API key not valid|invalid x-api-key|API key expired/i, "MODEL_KEY_REFUSED"],
  [
    /context_length_exceeded|context_window_exceeded|prompt is too long|maximum context length|exceeds? the (model's )?context|exceeds? the available context|exceed_context_size|input token count.{0,40}exceeds|input is too long|request_too_large|reduce the length of/i,
    "MODEL_TOO_LONG",
  ],
  [
    /model_not_found|is not a valid model|model .{1,200} (not found|does not exist)|no such model|models\/.{1,200} is not found/i,
    "MODEL_UNKNOWN",
  ],
];
const TYPES: readonly (readonly [RegExp, Kind])[] = [
  [/rate_limit_error|rate_limit_exceeded|RESOURCE_EXHAUSTED|too_many_requests/i, "limit"],
  [/overloaded_error|server_error|api_error|"UNAVAILABLE"|"INTERNAL"|timeout_error|loading model/i, "passes"],
  [/authentication_error|permission_error/, "MODEL_KEY_REFUSED"],
  [/not_found_error/, "MODEL_UNKNOWN"],
  [/invalid_request_error|invalid_prompt|INVALID_ARGUMENT|FAILED_PRECONDITION/, "MODEL_REFUSED"],
];

/** More than the usual advice, where the answer tells more. */
const advice = (kind: Kind, { body }: Refusal): { readonly next?: string } =>
  kind === "MODEL_UNKNOWN" && !body.trimStart().startsWith("{")
    ? { next: "look whether base_url is right; it usually ends with /v1." }
    : {};
const PROXY = "a page came instead of an answer: look at base_url, and at the proxy between.";

/** HTML, by what it says of itself or by how it begins. */
export const isPage = ({ headers, body }: Pick<Refusal, "headers" | "body">): boolean =>
  /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype|html|head|body)\b/i.test(body);

/** The message in an error's JSON, else how the text begins; at most 300 characters, in one line. */
function wordsOf(body: string): string {
  if (isPage({ headers: {}, body })) return /<title[^>]*>([^<]{1,100})/i.exec(body)?.[1]?.trim() ?? "a page of HTML";
  const message = messageIn(parsed(body));
  return (message ?? body).replace(/\s+/g, " ").trim().slice(0, 300);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

function messageIn(value: unknown, depth = 0): string | null {
  if (typeof value !== "object" || value === null || depth > 4) return null;
  const { message, error, response } = value as Record<string, unknown>;
  if (typeof message === "string" && message !== "") return message;
  if (typeof error === "string" && error !== "") return error;
  const inner = Array.isArray(value) ? value[0] : (error ?? response);
  return messageIn(inner, depth + 1);
}
