import type { Permits } from "./address.ts";
import { ask, type HttpAnswer, Unasked } from "./http.ts";
import { pageText } from "./page-text.ts";

/** What was fetched from an address, as text. */
export interface Page {
  /** as it was asked for, and where it was found in the end */
  readonly url: string;
  readonly from: string;
  readonly title: string;
  readonly text: string;
  /** ms since 1970 */
  readonly at: number;
  /** it was longer than is read of a page */
  readonly isCut: boolean;
}

const MOST_BYTES = 2 * 2 ** 20;
const MOST_CHARS = 400_000;
const MOST_MS = 30_000;
const MOST_REDIRECTS = 5;
const ACCEPT = "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8";

export interface PageOrder {
  readonly permits: Permits;
  readonly signal: AbortSignal;
  /** ms since 1970 */
  readonly now: number;
  /** ms; default 30,000 */
  readonly timeoutMs?: number;
}

/** Fetches a page; a sentence where that cannot be. Each address on the way is checked anew; all of it has one time limit. */
export async function fetchPage(url: string, order: PageOrder): Promise<Page | string> {
  const ms = order.timeoutMs ?? MOST_MS;
  const late = AbortSignal.timeout(ms);
  try {
    return await found(url, { ...order, signal: AbortSignal.any([order.signal, late]) });
  } catch (error) {
    if (order.signal.aborted) return "it was stopped";
    if (late.aborted) return `${url} did not answer within ${ms / 1_000} s`;
    if (error instanceof Unasked) return `${url} is not visited: ${error.message}`;
    return `${url} cannot be reached: ${error instanceof Error ? whyOf(error) : String(error)}`;
  }
}

async function found(url: string, { permits, signal, now }: PageOrder): Promise<Page | string> {
  let at = new URL(url);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await ask(at, { permits, signal, maxBytes: MOST_BYTES, headers: { accept: ACCEPT } });
    const next = redirectOf(answer, at);
    if (next === null) return pageOf(answer, { url, from: at.href, now });
    at = next;
  }
  return `${url} leads from address to address more than ${MOST_REDIRECTS} times`;
}

async function pageOf(answer: HttpAnswer, of: { url: string; from: string; now: number }): Promise<Page | string> {
  const { url, from, now } = of;
  if (answer.status < 200 || answer.status > 299) return `${from} answered ${answer.status}`;
  const read = await pageText(answer, from);
  if (typeof read === "string") return read;
  const isCut = answer.isCut || read.text.length > MOST_CHARS;
  return { url, from, title: read.title.slice(0, 300), text: read.text.slice(0, MOST_CHARS), at: now, isCut };
}

function redirectOf({ status, headers }: HttpAnswer, at: URL): URL | null {
  const to = headers.location;
  if (![301, 302, 303, 307, 308].includes(status) || !to) return null;
  if (!URL.canParse(to, at.href)) throw new Unasked("it leads to what is no address");
  return new URL(to, at);
}

const whyOf = (error: Error): string =>
  "errors" in error && Array.isArray(error.errors) && error.errors[0] instanceof Error
    ? error.errors[0].message
    : error.message;
