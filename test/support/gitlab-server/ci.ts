import type { IncomingMessage, ServerResponse } from "node:http";

export interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly allow_failure?: boolean;
  readonly failure_reason?: string;
  /** starts the pipeline of another project */
  readonly bridge?: boolean;
  readonly trace?: string;
}
export interface Pipeline {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  status: string;
  readonly yaml_errors?: string;
  readonly jobs: readonly Job[];
  /** of a merged result: the tip of the target, and the head */
  readonly parents?: readonly string[];
}

const show = ({ jobs: _, yaml_errors: __, parents: ___, ...shown }: Pipeline) => shown;

/** Those that a merge request shows: of its own refs, and of its branch. */
export const pipelinesOf = (all: readonly Pipeline[], request: { iid: number; source: string }): readonly unknown[] =>
  all
    .filter(({ ref }) => ref === request.source || ref.startsWith(`refs/merge-requests/${request.iid}/`))
    .toReversed()
    .map(show);

/** What is asked for below `/pipelines`: a list, or a pipeline; undefined: there is none. */
export function pipelinesAt(all: readonly Pipeline[], rest: string, query: URLSearchParams): unknown {
  if (rest === "") {
    const sha = query.get("sha");
    return all
      .filter((one) => sha === null || one.sha === sha)
      .toReversed()
      .map(show);
  }
  const [, id, more] = /^\/(\d+)(\/jobs|\/bridges)?$/.exec(rest) ?? [];
  const found = all.find((one) => one.id === Number(id));
  if (found === undefined || more === undefined)
    return found && { ...show(found), yaml_errors: found.yaml_errors ?? null };
  return found.jobs
    .filter(({ bridge }) => (bridge === true) === (more === "/bridges"))
    .map(({ trace: _, bridge: __, ...job }) => ({ allow_failure: false, ...job }));
}

/** Logs are text; a bridge has none. */
export function traces(
  request: IncomingMessage,
  response: ServerResponse,
  { pipelines, root, token }: { pipelines: readonly Pipeline[]; root: string; token: string },
): boolean {
  const prefix = `${root}/jobs/`;
  if (!request.url!.startsWith(prefix) || !request.url!.endsWith("/trace")) return false;
  const id = Number(request.url!.slice(prefix.length, -"/trace".length));
  const job = pipelines.flatMap(({ jobs }) => jobs).find((one) => one.id === id);
  if (request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end("{}");
  else if (job?.trace === undefined) response.writeHead(404).end('{"message":"404 Not Found"}');
  else response.writeHead(200, { "content-type": "text/plain" }).end(job.trace);
  return true;
}
