import type { Permits } from "./address.ts";
import { ask, type HttpOrder } from "./http.ts";
import type { SearchSpec } from "./search-spec.ts";

/** What a search found. */
export interface Hit {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export interface SearchOrder {
  readonly spec: SearchSpec;
  readonly env: Env;
  readonly permits: Permits;
  readonly signal: AbortSignal;
  /** instead of the provider's own; for tests */
  readonly endpoint?: string;
}

const MOST_HITS = 8;
const MOST_MS = 20_000;
const MOST_BYTES = 2 * 2 ** 20;

/** Searches; a sentence where that cannot be. It names the provider and its host, never a key. */
export async function search(query: string, order: SearchOrder): Promise<readonly Hit[] | string> {
  const { spec, env, signal } = order;
  const named = spec.provider === "searxng" ? spec.urlEnv : spec.keyEnv;
  const value = env[named]?.trim();
  if (!value) return `no search is possible: ${named} is not set, which research in pawl.yaml names`;
  const late = AbortSignal.timeout(MOST_MS);
  try {
    const { url, http } = requestOf(query, order, value);
    const limits = { signal: AbortSignal.any([signal, late]), maxBytes: MOST_BYTES };
    const { status, bytes } = await ask(url, { ...http, ...limits });
    if (status !== 200)
      return `${spec.provider} answered ${status}${status === 401 || status === 403 ? `: look at ${named}` : ""}`;
    return hitsIn(JSON.parse(new TextDecoder().decode(bytes)), spec.provider);
  } catch (error) {
    if (signal.aborted) return "it was stopped";
    if (late.aborted) return `${spec.provider} did not answer within ${MOST_MS / 1_000} s`;
    if (error instanceof SyntaxError) return `${spec.provider} did not answer with JSON`;
    const code = error instanceof Error && "code" in error ? String(error.code) : "it is no address that can be asked";
    return `${spec.provider} cannot be reached: ${code}`;
  }
}

type Request = { readonly url: URL; readonly http: Pick<HttpOrder, "method" | "headers" | "body" | "permits"> };

function requestOf(query: string, { spec, permits, endpoint }: SearchOrder, value: string): Request {
  switch (spec.provider) {
    case "searxng": {
      // the user's own server may well be on this machine
      const url = new URL("search", value.replace(/\/*$/, "/"));
      url.search = new URLSearchParams({ q: query, format: "json" }).toString();
      return { url, http: { permits: () => true, headers: JSON_WANTED } };
    }
    case "brave": {
      const url = new URL(endpoint ?? "https://api.search.brave.com/res/v1/web/search");
      url.search = new URLSearchParams({ q: query, count: String(MOST_HITS) }).toString();
      return { url, http: { permits, headers: { ...JSON_WANTED, "x-subscription-token": value } } };
    }
    case "tavily": {
      const headers = { ...JSON_WANTED, "content-type": "application/json", authorization: `Bearer ${value}` };
      const body = JSON.stringify({ query, max_results: MOST_HITS });
      return {
        url: new URL(endpoint ?? "https://api.tavily.com/search"),
        http: { permits, method: "POST", headers, body },
      };
    }
  }
}

const JSON_WANTED = { accept: "application/json" };

interface Raw {
  readonly title?: unknown;
  readonly url?: unknown;
  readonly content?: unknown;
  readonly description?: unknown;
}

function hitsIn(answer: unknown, provider: SearchSpec["provider"]): readonly Hit[] {
  const of = answer as { results?: unknown; web?: { results?: unknown } } | null;
  const list = provider === "brave" ? of?.web?.results : of?.results;
  if (!Array.isArray(list)) return [];
  return (list as Raw[]).flatMap((raw) => hitOf(raw)).slice(0, MOST_HITS);
}

/** Providers mark the words that were found with tags. */
const plainOf = (value: unknown, most: number): string =>
  typeof value === "string"
    ? value
        .replace(/<\/?(?:strong|b|em|mark)>/gi, "")
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, most)
    : "";

function hitOf(raw: Raw | null): readonly Hit[] {
  if (typeof raw?.url !== "string" || !/^https?:\/\//.test(raw.url)) return [];
  const excerpt = plainOf(raw.content ?? raw.description, 500);
  return [{ title: plainOf(raw.title, 200) || raw.url, url: raw.url.slice(0, 2_000), excerpt }];
}
