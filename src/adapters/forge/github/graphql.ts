import type { FarPull, Written } from "../remote/api.ts";
import type { Http, Reply, Sent } from "../remote/http.ts";
import { written } from "../remote/written.ts";
import type { GitHubOptions } from "./api.ts";

const MUTATION = `mutation ($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}`;

/** The one call that REST does not have. Its errors come with status 200. */
export async function markReadyForReview(
  http: Http,
  { baseUrl, now }: Pick<GitHubOptions, "baseUrl" | "now">,
  pull: FarPull,
  signal: AbortSignal,
): Promise<Written<null>> {
  const sent = await http.send("POST", graphqlUrl(baseUrl), { query: MUTATION, variables: { id: pull.id } }, signal);
  const fault = sent.kind === "reply" && sent.status < 300 ? faultOf(sent) : null;
  if (fault !== null) return limited(sent, fault, now()) ?? { kind: "no", why: whyOf(fault), detail: wordsOf(fault) };
  return written(sent, { http, now, value: isReady, no: ({ status }) => ["denied", `GraphQL ${status}`] });
}

/** `https://api.github.com/graphql`; `https://HOST/api/graphql` beside `https://HOST/api/v3` of one's own. */
export const graphqlUrl = (baseUrl: string): string => `${baseUrl.replace(/\/v3$/, "")}/graphql`;

interface Fault {
  readonly type?: string;
  readonly message?: string;
}

function faultOf({ body }: Reply): Fault | null {
  const { errors } = (body ?? {}) as { errors?: unknown };
  return Array.isArray(errors) ? ((errors[0] as Fault | undefined) ?? null) : null;
}

function limited(sent: Sent, { type, message }: Fault, now: number): Written<null> | null {
  if (type !== "RATE_LIMITED" || sent.kind !== "reply") return null;
  const reset = Number(sent.headers.get("x-ratelimit-reset")) * 1_000;
  const until = reset > now ? reset : now + 60_000;
  return { kind: "later", until, owner: "forge", detail: `GitHub limits requests: ${message ?? type}` };
}

const whyOf = ({ type }: Fault) => (type === "NOT_FOUND" ? "gone" : "denied");
const wordsOf = ({ type, message }: Fault): string => `GitHub did not mark it ready: ${message ?? type ?? "no reason"}`;

function isReady(body: unknown): null {
  const { data } = (body ?? {}) as {
    data?: { markPullRequestReadyForReview?: { pullRequest?: { isDraft?: unknown } } };
  };
  if (data?.markPullRequestReadyForReview?.pullRequest?.isDraft === false) return null;
  throw new Error("GitHub does not say that it is ready");
}
