import { PawlError } from "../../../domain/errors.ts";
import type { Reply } from "./http.ts";

/** A hundred entries each: no list that is asked for here is as long. */
const MOST_PAGES = 100;

interface List {
  readonly path: string;
  /** where in each page the list is; missing: the page is the list */
  readonly field?: string;
  /** of the forge, for messages */
  readonly name: string;
  readonly baseUrl: string;
}

/**
 * A list of many pages, whole; empty where the first is a 404. Throws FORGE_UNREACHABLE where it has no end: a page that is
 * named again, or more of them than 100.
 */
export async function allPages(ask: (page: string) => Promise<Reply | null>, list: List): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const seen = new Set<string>();
  for (let page: string | null = list.path; page !== null; ) {
    if (seen.has(whole(page, list))) throw odd(list, `names the page ${page} again, so that it has no end`);
    if (seen.size >= MOST_PAGES) throw odd(list, `goes on behind ${MOST_PAGES} pages, at ${page}`);
    seen.add(whole(page, list));
    const reply = await ask(page);
    if (reply === null && seen.size === 1) return found;
    if (reply === null) throw odd(list, `breaks off: there is no ${page}`);
    found.push(...partIn(reply, list));
    page = nextOf(reply, page, list);
  }
  return found;
}

const whole = (page: string, { baseUrl }: List): string => (page.startsWith("http") ? page : `${baseUrl}${page}`);

function partIn({ body }: Reply, list: List): readonly unknown[] {
  const part = list.field === undefined ? body : (body as Readonly<Record<string, unknown>>)[list.field];
  if (Array.isArray(part)) return part as unknown[];
  throw odd(list, "is no list");
}

/** The next page, at the same place only. A number says more than an address, which a proxy may have made wrong. */
function nextOf({ headers }: Reply, here: string, list: List): string | null {
  const page = headers.get("x-next-page");
  if (page !== null) return /^\d+$/.test(page) ? `${here.replace(/&page=\d+$/, "")}&page=${page}` : null;
  const said = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers.get("link") ?? "")?.[1];
  if (said === undefined) return null;
  const from = whole(here, list);
  const next = URL.canParse(said, from) ? new URL(said, from) : null;
  if (next?.origin === new URL(list.baseUrl).origin) return next.href;
  throw odd(list, `has its next page at another place, ${next?.origin ?? said}`);
}

const odd = ({ name, path, baseUrl }: List, what: string): PawlError =>
  new PawlError("FORGE_UNREACHABLE", `the list that ${name} gives for ${path} ${what}`, {
    retryable: true,
    next: `see whether base_url is that of ${name}'s API, and what stands between: it is asked at ${baseUrl}`,
  });
