import type { ServerDialect, WireRequest } from "./dialect.ts";

/** What both of OpenAI's APIs have in common. */
export const openaiKey = ({ headers }: WireRequest): string | null =>
  /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? null;

export const openaiError: ServerDialect["error"] = (status, { type, message }) => ({
  error: { message, type: type ?? TYPES[status] ?? "server_error", param: null, code: type ?? CODES[status] ?? null },
});
const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  404: "invalid_request_error",
  429: "requests",
};
const CODES: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};
