import type { IncomingMessage, ServerResponse } from "node:http";

export interface Run {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly suite: number;
  /** github-actions, or another app's */
  readonly app: string;
  status: string;
  conclusion: string | null;
  /** of a job of Actions; null: it was deleted */
  readonly log?: string | null;
  /** what another app says of it */
  readonly output?: { readonly title: string; readonly summary: string | null };
}
export interface Suite {
  readonly id: number;
  readonly sha: string;
  readonly app: string;
  status: string;
  conclusion: string | null;
}
export interface Status {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
}

/** What is known of commits: check runs with their suites, and statuses, of which the newest of a context counts. */
export const createCi = () => ({
  runs: [] as Run[],
  suites: [] as Suite[],
  statuses: [] as Status[],
  /** the place of the logs does not answer */
  blobsGone: false,
});
export type Ci = ReturnType<typeof createCi>;

const app = (slug: string) => ({ slug, name: slug === "github-actions" ? "GitHub Actions" : slug });

/** The list that is asked for below `/commits/SHA/`, oldest first, and the name of its field; null: there is none. */
export function ciOf(ci: Ci, sha: string, what: string): { field: string; all: readonly unknown[] } | null {
  const here = <T extends { readonly sha: string }>(all: readonly T[]) => all.filter((one) => one.sha === sha);
  if (what === "check-runs") return { field: "check_runs", all: here(ci.runs).map(showRun) };
  if (what === "check-suites")
    return { field: "check_suites", all: here(ci.suites).map((suite) => showSuite(suite, ci.runs)) };
  if (what !== "status") return null;
  const newest = new Map(here(ci.statuses).map((one) => [one.context, one]));
  return { field: "statuses", all: [...newest.values()].map(({ sha: _, ...one }) => one) };
}

const showRun = ({ id, name, sha, suite, app: slug, status, conclusion, output }: Run) => ({
  ...{ id, name, head_sha: sha, status, conclusion, app: app(slug), check_suite: { id: suite } },
  details_url: slug === "github-actions" ? `https://github.com/acme/shop/actions/runs/9/job/${id}` : "https://x.test/",
  output: { title: null, summary: null, text: null, ...output },
});

const showSuite = ({ id, sha, app: slug, status, conclusion }: Suite, runs: readonly Run[]) => ({
  ...{ id, head_sha: sha, status, conclusion, app: app(slug) },
  latest_check_runs_count: runs.filter((run) => run.suite === id).length,
});

/** A log is at another place, with a signature in its address; who brings a token too is turned away, as Azure does. */
export function logs(
  request: IncomingMessage,
  response: ServerResponse,
  { ci, root, token }: { ci: Ci; root: string; token: string },
): boolean {
  const [, job] = new RegExp(`^${root}/actions/jobs/(\\d+)/logs$`).exec(request.url!) ?? [];
  const [, blob] = /^\/blobs\/(\d+)\?sig=s1gned$/.exec(request.url!) ?? [];
  const log = ci.runs.find(({ id }) => id === Number(job ?? blob))?.log ?? null;
  if (job === undefined && blob === undefined) return false;
  if (blob !== undefined && ci.blobsGone) response.destroy();
  else if (blob !== undefined) response.writeHead(request.headers.authorization ? 400 : 200).end(log);
  else if (request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end("{}");
  else if (log === null) response.writeHead(410).end('{"message":"Gone"}');
  else response.writeHead(302, { location: `/blobs/${job}?sig=s1gned` }).end();
  return true;
}
