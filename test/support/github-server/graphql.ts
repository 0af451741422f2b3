import { Refusal, type Reply, type Wire } from "../forge-server/http.ts";
import type { State } from "./state.ts";
import { threadsAsked } from "./threads.ts";

/** POST /graphql for what REST does not have: one mutation, and the threads of reviews. Errors come with status 200. */
export function graphql({ body }: Wire, { state, ...of }: { state: State; repo: string; most: number }): Reply {
  const { query, variables } = (body ?? {}) as { query?: unknown; variables?: Record<string, unknown> };
  if (typeof query !== "string")
    throw new Refusal(400, { message: "A query attribute must be specified and must be a string." });
  if (/^\s*query\b/.test(query)) return threadsAsked({ query, variables: variables ?? {} }, { state, ...of });
  const fault = shapeFault(query, variables ?? {});
  if (fault !== null) return { status: 200, body: { errors: [{ message: fault }] } };
  const id = Object.values(variables ?? {})[0];
  const pull = state.pulls.find(({ number }) => `PR_kwDO${number}` === id);
  if (pull === undefined) return failed("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'`);
  if (pull.state === "closed") return failed("UNPROCESSABLE", "Pull request is closed");
  pull.draft = false;
  pull.at = state.now();
  return { status: 200, body: { data: { markPullRequestReadyForReview: { pullRequest: { isDraft: false } } } } };
}

const failed = (type: string, message: string): Reply => ({
  status: 200,
  body: {
    data: { markPullRequestReadyForReview: null },
    errors: [{ type, path: ["markPullRequestReadyForReview"], message }],
  },
});

/** The mutation with one variable of type ID!, which is its input's pullRequestId, and fields that there are. */
function shapeFault(query: string, variables: Record<string, unknown>): string | null {
  const shape =
    /^\s*mutation\s*\w*\s*\(\s*\$(\w+)\s*:\s*ID!\s*\)\s*\{\s*markPullRequestReadyForReview\s*\(\s*input\s*:\s*\{\s*pullRequestId\s*:\s*\$(\w+)\s*\}\s*\)\s*\{\s*pullRequest\s*\{\s*((?:isDraft|id|number|state|\s)+)\}\s*\}\s*\}\s*$/;
  const [, declared, used] = shape.exec(query) ?? [];
  if (declared === undefined) return "Parse error, or a field that does not exist on type 'Mutation'";
  if (declared !== used) return `Variable $${used} is used by anonymous mutation but not declared`;
  return typeof variables[declared] === "string"
    ? null
    : `Variable $${declared} of type ID! was provided invalid value`;
}
