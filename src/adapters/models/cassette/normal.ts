import { type Redactor, redactor } from "../secret.ts";
import type { TapedRequest } from "./tape.ts";

/** A request without what differs from one machine and one day to the next, and without its keys. */
export function normal(url: string, init: RequestInit): { readonly asked: TapedRequest; readonly hide: Redactor } {
  const address = new URL(url);
  const hide = redactor(keysIn(address, new Headers(init.headers)));
  for (const name of KEY_PARAMETERS) address.searchParams.delete(name);
  const body = typeof init.body === "string" ? jsonOr(init.body) : null;
  const path = hide.text(address.pathname + address.search);
  return { asked: { method: init.method ?? "GET", path, body: hide.value(body) }, hide };
}

const KEY_PARAMETERS = ["key", "api_key", "api-key", "access_token"];
const KEY_HEADERS = ["authorization", "x-api-key", "api-key", "x-goog-api-key", "proxy-authorization", "cookie"];

/** All that a request proves itself with. */
const keysIn = (address: URL, headers: Headers): readonly string[] => [
  ...KEY_PARAMETERS.flatMap((name) => address.searchParams.getAll(name)),
  ...KEY_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [value, value.replace(/^(Bearer|Basic|Token)\s+/i, "")];
  }),
  ...(address.password === "" ? [] : [decodeURIComponent(address.password)]),
];

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Of an answer's headers only those that say something about it; a cookie never. */
export const headersOf = (headers: Headers, hide: Redactor): Readonly<Record<string, string>> =>
  Object.fromEntries([...headers].filter(([name]) => KEPT.test(name)).map(([name, value]) => [name, hide.text(value)]));
const KEPT = /^(content-type|retry-after.*|.*ratelimit.*|location)$/;
