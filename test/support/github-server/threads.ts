import type { Reply } from "../forge-server/http.ts";
import type { Line, Pull, Review, State } from "./state.ts";

const failed = (type: string, message: string): Reply => ({
  status: 200,
  body: { data: null, errors: [{ type, message }] },
});

/** GET pulls/N/comments: all that was said at lines, which says nothing of what is resolved. */
export const commentsOf = ({ reviews }: Pull): readonly unknown[] =>
  reviews.flatMap((review) =>
    review.lines.map(({ path, line, body }, i) => ({
      id: review.id * 100 + i,
      path,
      line,
      body,
      commit_id: review.sha,
    })),
  );

/** `reviewThreads` of one pull request, with the fields that GitHub's schema has, page after page. */
export function threadsAsked(
  { query, variables }: { query: string; variables: Record<string, unknown> },
  { state, repo, most }: { state: State; repo: string; most: number },
): Reply {
  const unknown = fieldsOf(query).find((field) => !KNOWN.has(field));
  if (unknown !== undefined) return failed("undefinedField", `Field '${unknown}' doesn't exist`);
  const { owner, name, number, after } = variables;
  if (`${owner}/${name}` !== repo) return failed("NOT_FOUND", `Could not resolve to a Repository '${owner}/${name}'.`);
  const pull = state.pulls.find((one) => one.number === number);
  if (pull === undefined)
    return failed("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
  const all = pull.reviews.flatMap((review) => review.lines.map((line, i) => showThread(review, line, i)));
  const from = after === null || after === undefined ? 0 : Number(Buffer.from(String(after), "base64").toString());
  const to = from + Math.min(50, most);
  const pageInfo = { hasNextPage: to < all.length, endCursor: Buffer.from(String(to)).toString("base64") };
  const reviewThreads = { pageInfo, nodes: all.slice(from, to) };
  return { status: 200, body: { data: { repository: { pullRequest: { reviewThreads } } } } };
}

const KNOWN = new Set(
  "query repository pullRequest reviewThreads pageInfo hasNextPage endCursor nodes id isResolved isOutdated path line originalLine comments author login authorAssociation body".split(
    " ",
  ),
);
const fieldsOf = (query: string): readonly string[] => query.replace(/\([^)]*\)/g, "").match(/[A-Za-z_]\w*/g) ?? [];

const showThread = (review: Review, line: Line, i: number) => ({
  id: `PRRT_kwDO${review.id}${i}`,
  isResolved: line.resolved ?? false,
  isOutdated: line.outdated ?? false,
  path: line.path,
  line: line.outdated ? null : line.line,
  originalLine: line.line,
  comments: {
    nodes: [{ user: review.user, association: review.association, body: line.body }, ...(line.replies ?? [])].map(
      ({ user, association, body }) => ({ author: { login: user }, authorAssociation: association, body }),
    ),
  },
});
