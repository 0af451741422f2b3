import type { IncomingMessage, ServerResponse } from "node:http";
import { type Bare, bareRepository } from "../forge-server/bare.ts";
import { serveGit } from "../forge-server/git-http.ts";
import { createHooks, gitLabDelivery, type Hooks } from "../forge-server/hooks.ts";
import { type ForgeHttp, listen, page, Refusal, type Reply, type Watch, type Wire } from "../forge-server/http.ts";
import { pipelinesAt, pipelinesOf, traces } from "./ci.ts";
import { merged } from "./merge.ts";
import { obey } from "./quick-actions.ts";
import { created, listed, requestAt, updated } from "./requests.ts";
import { createState, type Issue, type Request, type State } from "./state.ts";
import { fields, missing, oneOf, said } from "./valid.ts";
import * as views from "./views.ts";

export interface GitLabServer extends ForgeHttp {
  /** of its API */
  readonly api: string;
  readonly state: State;
  readonly bare: Bare;
  readonly hooks: Hooks;
  /** done once, between a client's last look and the merge that it asks for */
  between: (() => Promise<unknown>) | null;
}

const MOST_PER_PAGE = 100;

/**
 * A GitLab of one project, written from the documentation of its REST API (v4). Git is a bare repository; whoever pushes
 * past it calls `state.pushed()`. One page is at most `perPage`, so that lists are long.
 */
export async function startGitLab(of: {
  gitDir: string;
  repo: string;
  token: string;
  user?: string;
  perPage?: number;
  watch?: Watch;
}): Promise<GitLabServer> {
  const { gitDir, repo, token, user = "pawl-bot" } = of;
  const bare = bareRepository(gitDir);
  const state = createState(bare);
  const most = of.perPage ?? MOST_PER_PAGE;
  let where: views.Where = { web: "", repo };
  const root = `/api/v4/projects/${encodeURIComponent(repo)}`;
  const hooks = createHooks(gitLabDelivery);
  const server = { state, bare, hooks, between: null } as unknown as GitLabServer;

  const http = await listen({
    watch: of.watch,
    answer: (wire) => {
      authorized(wire);
      const reply = route(wire);
      if (wire.method !== "GET") void hooks.says(/notes/.test(wire.path) ? "Note Hook" : "Merge Request Hook");
      return reply;
    },
    raw: async (request, response) => {
      if (request.method === "PUT" && request.url!.endsWith("/merge")) {
        await server.between?.();
        server.between = null;
      }
      return traces(request, response, { pipelines: state.pipelines, root, token }) || gitOf(request, response);
    },
    headers: () => ({ "ratelimit-limit": "2000", "ratelimit-remaining": "1990", "ratelimit-reset": "1" }),
  });
  where = { web: http.url, repo };

  function authorized({ headers }: Wire): void {
    const given = headers["private-token"] ?? headers.authorization?.replace(/^Bearer /, "");
    if (given !== token) throw new Refusal(401, { message: "401 Unauthorized" });
  }

  function route(wire: Wire): Reply {
    const { method, path } = wire;
    if (path !== root && !path.startsWith(`${root}/`)) throw missing("Project");
    const rest = path.slice(root.length);
    if (method === "GET" && rest === "") return ok(views.showProject(state.project, where));
    const member = /^\/members\/all\/(\d+)$/.exec(rest);
    if (method === "GET" && member) return memberOf(Number(member[1]));
    const [, iid, more = ""] = /^\/merge_requests(?:\/(\d+)(\/.*)?)?$/.exec(rest) ?? [];
    if (rest.startsWith("/issues")) return ofIssues(wire, rest.slice("/issues".length));
    if (method === "GET" && rest.startsWith("/pipelines")) return ofPipelines(wire, rest.slice("/pipelines".length));
    const [, sha] = /^\/repository\/commits\/([0-9a-f]{40})$/.exec(rest) ?? [];
    if (method === "GET" && sha !== undefined) return ok(commitAt(sha));
    if (!rest.startsWith("/merge_requests")) throw missing();
    if (iid === undefined) return ofList(wire);
    return ofOne(wire, requestAt(state, iid), more);
  }

  const show = (one: Request) => views.showRequest(one, { where, project: state.project });

  function ofList(wire: Wire): Reply {
    if (wire.method === "GET") return paged(wire, listed(wire, state).map(show));
    if (wire.method === "POST") return { status: 201, body: show(created(wire, { state, bare, user })) };
    throw said(405, "405 Method Not Allowed");
  }

  function ofOne(wire: Wire, request: Request, more: string): Reply {
    switch (`${wire.method} ${more}`) {
      case "GET ":
        return ok(show(request));
      case "PUT ":
        return ok(show(updated(wire, request, state)));
      case "PUT /merge":
        return ok(show(merged(wire, request, { state, bare })));
      case "GET /approvals":
        return ok(views.showApprovals(request, state.project));
      case "GET /reviewers":
        return paged(wire, views.showReviewers(request));
      case "GET /discussions":
        return paged(wire, views.showDiscussions(request));
      case "GET /pipelines":
        return paged(wire, pipelinesOf(state.pipelines, request));
      case "GET /versions":
        return paged(wire, views.showVersions(request));
      case "GET /resource_label_events":
        return paged(wire, request.events.map(views.showEvent));
      default:
        return ofNotes(wire, request, more);
    }
  }

  function ofPipelines(wire: Wire, rest: string): Reply {
    const found = pipelinesAt(state.pipelines, rest, wire.query);
    if (found === undefined) throw missing();
    return Array.isArray(found) ? paged(wire, found) : ok(found);
  }

  /** Those of merged results are under refs that nobody fetches. */
  function commitAt(id: string) {
    const made = state.pipelines.find((one) => one.sha === id);
    if (made?.parents === undefined) throw missing("Commit");
    return { id, parent_ids: made.parents };
  }

  function ofNotes(wire: Wire, of: Request | Issue, more: string): Reply {
    const [, id] = /^\/notes\/(\d+)$/.exec(more) ?? [];
    if (wire.method === "PUT" && id) return ok(views.showNote(edited(wire, of, Number(id))));
    if (wire.method === "GET" && more === "/notes") return paged(wire, sorted(wire, of.notes.map(views.showNote)));
    if (wire.method === "POST" && more === "/notes") return { status: 201, body: views.showNote(noted(wire, of)) };
    throw missing();
  }

  function ofIssues(wire: Wire, rest: string): Reply {
    const [, iid, more = ""] = /^(?:\/(\d+)(\/.*)?)?$/.exec(rest) ?? [];
    const shown = (one: Issue) => views.showIssue(one, where);
    if (iid === undefined) {
      const wanted = (wire.query.get("labels") ?? "").split(",").filter(Boolean);
      const only = oneOf(wire.query, "state", ["all", "opened", "closed"]);
      const all = state.issues.filter((one) => (only === "all" || one.state === only) && isFiltered(wire, one));
      return paged(wire, sorted(wire, all.filter(({ labels }) => wanted.every((name) => labels.has(name))).map(shown)));
    }
    const issue = state.issues.find((one) => one.iid === Number(iid));
    if (issue === undefined) throw missing("Issue");
    if (wire.method === "GET" && more === "/links") return paged(wire, [...linksOf(issue), ...relatedTo(issue)]);
    return wire.method === "GET" && more === "" ? ok(shown(issue)) : ofNotes(wire, issue, more);
  }

  function isFiltered({ query }: Wire, { milestone, labels, title }: Issue): boolean {
    const assignee = query.get("assignee_id");
    if (assignee !== null && !/^\d+$/.test(assignee)) throw new Refusal(400, { error: "assignee_id is invalid" });
    const not = (query.get("not[labels]") ?? "").split(",");
    const isOf = query.get("milestone") === null || query.get("milestone") === milestone;
    return isOf && title.includes(query.get("search") ?? "") && !not.some((name) => labels.has(name));
  }

  const linksOf = ({ blockers = [] }: Issue) =>
    blockers.map((link) => {
      const full = typeof link === "string" ? link : `${repo}#${link}`;
      const isOver = state.issues.some(({ iid, state: is }) => iid === link && is === "closed");
      const shown = { iid: Number(full.split("#")[1]), state: isOver ? "closed" : "opened", references: { full } };
      return { ...shown, link_type: "is_blocked_by" };
    });
  /** every other issue is related to it, which is no order of work */
  const relatedTo = ({ iid: own }: Issue) =>
    state.issues
      .filter(({ iid }) => iid !== own)
      .map(({ iid, state: is }) => ({
        iid,
        state: is,
        references: { full: `${repo}#${iid}` },
        link_type: "relates_to",
      }));

  const sorted = <T>({ query }: Wire, oldestFirst: readonly T[]): readonly T[] =>
    query.get("sort") === "asc" ? oldestFirst : oldestFirst.toReversed();

  /** Numbers of pages in headers of their own, and addresses where this GitLab says them. */
  function paged(wire: Wire, all: readonly unknown[]): Reply {
    wire.query.set("per_page", wire.query.get("per_page") ?? "20");
    const reply = page(wire, all, { origin: http.url, most });
    const at = Number(wire.query.get("page") ?? 1);
    const size = Math.min(Number(wire.query.get("per_page")), most);
    const next = at * size < all.length ? String(at + 1) : "";
    const links = state.project.links ? reply.headers : {};
    return {
      ...reply,
      headers: { ...links, "x-page": String(at), "x-next-page": next, "x-total": String(all.length) },
    };
  }

  function memberOf(id: number): Reply {
    const [found] = [...state.project.members].filter(([name]) => views.userId(name) === id);
    if (found === undefined) throw missing();
    return ok({ id, username: found[0], access_level: found[1] });
  }

  const bodyOf = ({ body }: Wire): string =>
    fields(body, { required: { body: "string" }, optional: {} }).body as string;

  function noted(wire: Wire, request: Request | Issue) {
    const note = { id: state.id(), body: obey(request, bodyOf(wire)), user, at: state.now() };
    request.notes.push(note);
    return note;
  }

  function edited(wire: Wire, request: Request | Issue, id: number) {
    const note = request.notes.find((one) => one.id === id && !one.system);
    if (note === undefined) throw missing("Note");
    note.body = obey(request, bodyOf(wire));
    return note;
  }

  async function gitOf(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const prefix = `/${repo}.git`;
    if (!request.url!.startsWith(prefix)) return false;
    const [name, given] = Buffer.from(request.headers.authorization?.replace(/^Basic /, "") ?? "", "base64")
      .toString()
      .split(/:(.*)/s);
    if (!name || given !== token) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="GitLab"' }).end();
      return true;
    }
    await serveGit(request, response, { gitDir, path: request.url!.slice(prefix.length), user });
    if (request.url!.endsWith("/git-receive-pack")) {
      state.pushed();
      void hooks.says("Push Hook");
    }
    return true;
  }

  Object.assign(server, http, { api: `${http.url}/api/v4` });
  return server;
}

const ok = (body: unknown): Reply => ({ status: 200, body });
