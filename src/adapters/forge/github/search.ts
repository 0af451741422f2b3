import { PawlError } from "../../../domain/errors.ts";
import type { Http } from "../remote/http.ts";
import { listOf, shapeOf } from "../remote/json.ts";

/** What a search of GitHub's gives of issues of one repository. A search of its own syntax stands in brackets: it may hold OR. */
export function searchOf(repo: string, labels: readonly string[], query: string): string {
  const words = /\sOR\s/.test(query) ? `(${query})` : query;
  return [`repo:${repo}`, "is:issue", "is:open", ...labels.map((name) => `label:"${name}"`), words].join(" ");
}

const PER_PAGE = 100;
/** No search gives more. */
const MOST = 1_000;

/**
 * Every item of a search, oldest first; `missing`: why some may be left out. Searches have a limit of their own, 30 a minute.
 * Throws FORGE_*; what GitHub cannot understand is FORGE_QUERY.
 */
export async function searched(
  http: Http,
  query: string,
  signal: AbortSignal,
): Promise<{ items: readonly unknown[]; missing: string | null }> {
  const items: unknown[] = [];
  let isCut = false;
  for (let page = 1; page <= MOST / PER_PAGE; page++) {
    const path = `/search/issues?q=${encodeURIComponent(query)}&sort=created&order=asc&per_page=${PER_PAGE}&page=${page}`;
    const {
      total_count,
      incomplete_results,
      items: found,
    } = shapeOf(await http.get(path, signal, notUnderstood), "a result");
    items.push(...listOf(found));
    isCut ||= incomplete_results === true;
    const total = Number(total_count);
    if (items.length >= total || listOf(found).length === 0) return { items, missing: isCut ? CUT : null };
    if (items.length >= MOST)
      return { items, missing: `a search gives the ${MOST} oldest of ${total}: narrow the query` };
  }
  return { items, missing: isCut ? CUT : null };
}

const CUT = "GitHub searched for too long, and gave what it had found until then";

const notUnderstood = (status: number, words: string): PawlError | null =>
  status === 422
    ? new PawlError("FORGE_QUERY", `GitHub does not take the query: ${words}`, {
        next: "try it in the search of the repository's issues, and write what works into query:",
      })
    : null;
