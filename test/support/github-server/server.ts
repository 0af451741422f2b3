import type { IncomingMessage, ServerResponse } from "node:http";
import { type Bare, bareRepository } from "../forge-server/bare.ts";
import { serveGit } from "../forge-server/git-http.ts";
import { createHooks, gitHubDelivery, type Hooks } from "../forge-server/hooks.ts";
import { type ForgeHttp, listen, page, Refusal, type Reply, type Watch, type Wire } from "../forge-server/http.ts";
import { ciOf, logs } from "./ci.ts";
import { graphql } from "./graphql.ts";
import { created, listed, merged, patched, pullAt } from "./pulls.ts";
import { createSearch, type Search, searchIssues } from "./search.ts";
import { type Comment, createState, type Issue, type State } from "./state.ts";
import { commentsOf } from "./threads.ts";
import { fields, missing } from "./valid.ts";
import { showPull, showPush, showReview, showUser, type Where } from "./views.ts";

export interface GitHubServer extends ForgeHttp {
  readonly state: State;
  readonly bare: Bare;
  /** what is left of the rate; 0 refuses everything but a 304 */
  readonly rate: { left: number; reset: number };
  /** `forkGone`: pull requests are shown as those of a fork that is gone */
  readonly quirks: { forkGone: boolean };
  readonly search: Search;
  readonly hooks: Hooks;
  /** done once, between a client's last look and the merge that it asks for */
  between: (() => Promise<unknown>) | null;
}

const MOST_PER_PAGE = 100;

/**
 * A GitHub of one repository, written from the documentation of its REST API (2022-11-28) and GraphQL API. Git is a
 * bare repository; whoever pushes past it calls `state.pushed()`. One page is at most `perPage`, so that lists are long.
 */
export async function startGitHub(of: {
  gitDir: string;
  repo: string;
  token: string;
  user?: string;
  perPage?: number;
  watch?: Watch;
}): Promise<GitHubServer> {
  const { gitDir, repo, token, user = "pawl-bot" } = of;
  const bare = bareRepository(gitDir);
  const state = createState(bare);
  const owner = repo.split("/")[0]!;
  const rate = { left: 5_000, reset: Math.floor(Date.now() / 1_000) + 3_600 };
  const most = of.perPage ?? MOST_PER_PAGE;
  let where: Where = { api: "", web: "", repo };
  const root = `/repos/${repo}`;
  const quirks = { forkGone: false };
  const search = createSearch();
  const hooks = createHooks(gitHubDelivery);
  const server = { state, bare, rate, quirks, search, hooks, between: null } as unknown as GitHubServer;

  const http = await listen({
    watch: of.watch,
    answer: (wire) => {
      authorized(wire);
      if (rate.left <= 0) throw overLimit(rate);
      const reply = route(wire);
      if (wire.method !== "GET") void hooks.says(/comments/.test(wire.path) ? "issue_comment" : "pull_request");
      return reply;
    },
    raw: async (request, response) => {
      if (request.method === "PUT") await server.between?.();
      if (request.method === "PUT") server.between = null;
      return logs(request, response, { ci: state.ci, root, token }) || gitOf(request, response);
    },
    headers: ({ status }) => {
      if (status !== 304) rate.left--;
      return {
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": String(Math.max(0, rate.left)),
        "x-ratelimit-reset": String(rate.reset),
      };
    },
  });
  where = { api: http.url, web: http.url, repo };

  function authorized({ headers }: Wire): void {
    if (!headers["user-agent"])
      throw new Refusal(403, {
        message: "Request forbidden by administrative rules. Please make sure your request has a User-Agent header",
      });
    if (headers.authorization !== `Bearer ${token}`)
      throw new Refusal(401, { message: "Bad credentials", status: "401" });
    const version = headers["x-github-api-version"];
    if (version !== undefined && version !== "2022-11-28")
      throw new Refusal(400, { message: "Unsupported API version" });
  }

  function route(wire: Wire): Reply {
    const { method, path } = wire;
    if (method === "POST" && path === "/graphql") return graphql(wire, { state, repo, most });
    if (method === "GET" && path === "/search/issues")
      return searchIssues(wire, { search, repo, issues: state.issues, show: showIssue });
    if (!path.toLowerCase().startsWith(root.toLowerCase())) throw missing();
    const rest = path.slice(root.length);
    const show = (pull: Parameters<typeof showPull>[0], whole: boolean) =>
      showPull(pull, where, { whole, fork: quirks.forkGone });
    if (method === "GET" && rest === "")
      return ok({
        full_name: repo,
        html_url: `${where.web}/${repo}`,
        clone_url: `${where.web}/${repo}.git`,
        default_branch: "main",
      });
    if (method === "GET" && rest === "/pulls")
      return paged(
        wire,
        listed(wire, state, owner).map((one) => show(one, false)),
      );
    if (method === "POST" && rest === "/pulls")
      return { status: 201, body: show(created(wire, { state, bare, owner, user }), true) };
    if (method === "GET" && rest === "/issues") return paged(wire, issuesListed(wire).map(showIssue));
    if (method === "GET" && rest === "/activity") return paged(wire, activity(wire));
    const [, sha, what] = /^\/commits\/([0-9a-f]{40})\/([a-z-]+)$/.exec(rest) ?? [];
    if (method === "GET" && sha !== undefined) return ofCommit(wire, sha, what!);
    const comment = /^\/issues\/comments\/(\d+)$/.exec(rest);
    if (method === "PATCH" && comment) return edited(wire, comment[1]!);
    const [, kind, number = "", more = ""] = /^\/(pulls|issues)\/(\d+)(\/.*)?$/.exec(rest) ?? [];
    if (kind === undefined) throw missing();
    if (method === "GET" && kind === "issues" && more === "") return issueAt(number);
    const issue = kind === "issues" ? state.issues.find((one) => one.number === Number(number)) : undefined;
    if (issue !== undefined) return atIssue(wire, issue, more);
    const pull = pullAt(state, number);
    switch (`${method} ${kind}${more}`) {
      case "GET pulls":
        return ok(show(pull, true));
      case "PATCH pulls":
        return ok(show(patched(wire, pull, state), true));
      case "PUT pulls/merge": {
        const { sha } = merged(wire, pull, { state, bare });
        return ok({ sha, merged: true, message: "Pull Request successfully merged" });
      }
      case "GET pulls/reviews":
        return paged(wire, pull.reviews.map(showReview));
      case "GET pulls/comments":
        return paged(wire, commentsOf(pull));
      case "GET issues/comments":
        return paged(
          wire,
          pull.comments.map(({ id, body, user: by }) => ({ id, body, user: showUser(by) })),
        );
      case "POST issues/comments":
        return { status: 201, body: said(wire, pull.comments) };
      case "GET issues/events":
        return paged(
          wire,
          pull.events.map((one) => ({
            id: one.id,
            event: one.event,
            actor: showUser(one.user),
            created_at: one.at,
            label: { name: one.label },
          })),
        );
      default:
        throw missing();
    }
  }

  const paged = (wire: Wire, all: readonly unknown[]) => page(wire, all, { origin: http.url, most });

  /** A list within an object, page after page. */
  function ofCommit(wire: Wire, sha: string, what: string): Reply {
    const found = ciOf(state.ci, sha, what);
    if (found === null) throw missing();
    const reply = paged(wire, found.all);
    return { ...reply, body: { total_count: found.all.length, [found.field]: reply.body } };
  }

  /** A pull request is an issue too, and says so. */
  function issueAt(number: string): Reply {
    const issue = state.issues.find((one) => one.number === Number(number));
    return ok(issue === undefined ? showPullAsIssue(pullAt(state, number)) : showIssue(issue));
  }

  function atIssue(wire: Wire, issue: Issue, more: string): Reply {
    const comments = issue.comments ?? [];
    if (wire.method === "GET" && more === "/sub_issues") return paged(wire, (issue.parts ?? []).map(showLinked));
    if (wire.method === "GET" && more === "/dependencies/blocked_by")
      return paged(wire, (issue.blockers ?? []).map(showLinked));
    if (more !== "/comments") throw missing();
    if (wire.method === "GET")
      return paged(
        wire,
        comments.map(({ id, body, user: by }) => ({ id, body, user: showUser(by) })),
      );
    if (wire.method !== "POST") throw missing();
    return { status: 201, body: said(wire, comments) };
  }

  const isOpenHere = (link: number | string) =>
    typeof link === "string" || state.issues.some((one) => one.number === link && one.state === "open");

  function showLinked(link: number | string) {
    const [there, number] = typeof link === "string" ? link.split("#") : [repo, link];
    return {
      number: Number(number),
      state: isOpenHere(link) ? "open" : "closed",
      repository_url: `${where.api}/repos/${there}`,
    };
  }

  /** Pull requests are among them; each label that is named has to be there. */
  function issuesListed({ query }: Wire): readonly Issue[] {
    const wanted = (query.get("labels") ?? "").split(",").filter(Boolean);
    const pulls = state.open().map((pull) => ({ ...pull, labels: [...pull.labels], isPull: true }));
    const all = [...state.issues, ...pulls].filter((one) => (query.get("state") ?? "open") === one.state);
    return all.filter(({ labels }) => wanted.every((name) => labels.includes(name)));
  }

  const showPullAsIssue = (pull: Parameters<typeof showPull>[0]) => showIssue({ ...pull, labels: [], isPull: true });

  function showIssue(one: Omit<Issue, "comments"> & { readonly isPull?: boolean }) {
    const html_url = `${where.web}/${repo}/${one.isPull ? "pull" : "issues"}/${one.number}`;
    const labels = one.labels.map((name) => ({ id: state.id(), name }));
    const { number, title, body, state: open } = one;
    const parts = one.parts ?? [];
    const blocked_by = (one.blockers ?? []).filter(isOpenHere).length;
    return {
      ...{ number, title, body, state: open, labels, html_url },
      sub_issues_summary: { total: parts.length, completed: parts.filter((part) => !isOpenHere(part)).length },
      issue_dependencies_summary: { blocked_by, total_blocked_by: one.blockers?.length ?? 0 },
      ...(one.isPull ? { pull_request: { html_url } } : {}),
    };
  }

  function activity({ query }: Wire): readonly unknown[] {
    const ref = query.get("ref")?.replace(/^refs\/heads\//, "");
    return state.pushes
      .filter(({ branch }) => ref === undefined || branch === ref)
      .toReversed()
      .map(showPush);
  }

  function said({ body }: Wire, comments: Comment[]): unknown {
    const text = fields(body, { resource: "IssueComment", required: { body: "string" }, optional: {} }).body as string;
    const comment = { id: state.id(), body: text, user };
    comments.push(comment);
    return comment;
  }

  function edited({ body }: Wire, id: string): Reply {
    const text = fields(body, { resource: "IssueComment", required: { body: "string" }, optional: {} }).body as string;
    const comment = [...state.pulls, ...state.issues]
      .flatMap(({ comments }) => comments ?? [])
      .find((one) => one.id === Number(id));
    if (comment === undefined) throw missing();
    comment.body = text;
    return ok(comment);
  }

  async function gitOf(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const prefix = `/${repo}.git`;
    if (!request.url!.startsWith(prefix)) return false;
    const basic = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    if (request.headers.authorization !== basic) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="GitHub"' }).end();
      return true;
    }
    await serveGit(request, response, { gitDir, path: request.url!.slice(prefix.length), user });
    if (request.url!.endsWith("/git-receive-pack")) {
      state.pushed();
      void hooks.says("push");
    }
    return true;
  }

  Object.assign(server, http);
  return server;
}

const ok = (body: unknown): Reply => ({ status: 200, body });
const overLimit = ({ reset }: { reset: number }): Refusal =>
  new Refusal(
    403,
    {
      message: "API rate limit exceeded for user ID 1.",
      documentation_url: "https://docs.github.com/rest/overview/rate-limits",
    },
    {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(reset),
    },
  );
