import { PawlError } from "../../../domain/errors.ts";
import type { Http } from "../remote/http.ts";
import { type Field, listOf, shapeOf, text, textOr } from "../remote/json.ts";
import type { Ask } from "../remote/signals.ts";
import type { Thread } from "../remote/threads.ts";
import type { GitHubOptions } from "./api.ts";
import { graphqlUrl } from "./graphql.ts";
import { MEMBERS } from "./members.ts";

const QUERY = `query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 50, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id isResolved isOutdated path line originalLine
        comments(first: 100) { nodes { author { login } authorAssociation body } }
      }
    }
  } }
}`;
const MOST_PAGES = 20;

/**
 * All review threads of a pull request; REST does not say which are resolved. It does say, for nothing where nothing
 * changed, whether there is any: GraphQL, which knows no ETag, is asked only then.
 */
export const threadsOf =
  (http: Http, { repo, baseUrl, now }: GitHubOptions): Ask<readonly Thread[]> =>
  async (number, _, signal) => {
    const some = await http.get(`/repos/${repo}/pulls/${number}/comments?per_page=1`, signal);
    if (listOf(some).length === 0) return [];
    const [owner, name] = repo.split("/");
    const found: Thread[] = [];
    const seen = new Set<string>();
    for (let after: string | null = null; ; ) {
      const body = { query: QUERY, variables: { owner, name, number, after } };
      const { nodes, next } = pageOf(await http.query(graphqlUrl(baseUrl), body, signal), now());
      found.push(...nodes.map(threadOf));
      if (next === null) return found;
      if (seen.has(next) || seen.size >= MOST_PAGES) throw endless(number, seen.has(next));
      seen.add(next);
      after = next;
    }
  };

const endless = (number: number, isAgain: boolean): PawlError => {
  const why = isAgain ? "names one page twice" : `goes on behind ${MOST_PAGES} pages`;
  return new PawlError("FORGE_UNREACHABLE", `GitHub's list of the review threads of pull request ${number} ${why}`, {
    retryable: true,
    next: "see whether base_url is that of GitHub's API",
  });
};

function pageOf(reply: unknown, now: number): { nodes: readonly unknown[]; next: string | null } {
  const { data, errors } = shapeOf(reply, "answer of GraphQL");
  refuse(listOf(errors)[0], now);
  const pull = inside(inside(data, "repository"), "pullRequest");
  const { nodes, pageInfo } = shapeOf(inside(pull, "reviewThreads"), "review threads");
  const { hasNextPage, endCursor } = shapeOf(pageInfo, "pageInfo");
  return { nodes: listOf(nodes), next: hasNextPage === true ? text(endCursor, "endCursor") : null };
}

const inside = (value: Field, name: string): Field => shapeOf(value, name)[name];

/** Errors of GraphQL come with status 200. */
function refuse(error: unknown, now: number): void {
  if (error === undefined) return;
  const { type, message } = shapeOf(error, "error");
  const words = `GitHub does not show the review threads: ${textOr(message, textOr(type, "no reason"))}`;
  const data = { until: now + 60_000 };
  if (type === "RATE_LIMITED") throw new PawlError("FORGE_LIMITED", words, { retryable: true, data });
  throw new PawlError("FORGE_DENIED", words, { next: "see whether the token may read pull requests" });
}

function threadOf(value: unknown): Thread {
  const { id, isResolved, isOutdated, path, line, originalLine, comments } = shapeOf(value, "review thread");
  const at = typeof line === "number" ? line : originalLine;
  return {
    id: text(id, "id"),
    file: textOr(path, null),
    line: typeof at === "number" ? at : null,
    isOutdated: isOutdated === true,
    isResolved: isResolved === true,
    said: listOf(shapeOf(comments, "comments").nodes).map((one) => {
      const { author, authorAssociation, body } = shapeOf(one, "comment");
      const by = textOr((author as { login?: unknown } | null)?.login, "somebody who is gone");
      return { by, isMember: MEMBERS.has(authorAssociation), text: textOr(body, "") };
    }),
  };
}
