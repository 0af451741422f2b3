import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startGitHub } from "../../../test/support/github-server/server.ts";
import { startGitLab } from "../../../test/support/gitlab-server/server.ts";
import type { Asked } from "../../../test/support/model-server/script.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { repository, write } from "../../../test/support/scratch.ts";
import { runProgram } from "../cli/program.ts";
import { readTicketFile } from "../config/written-task.ts";
import { idOfIssue, issueNamed } from "./issue-name.ts";
import { issueTicket } from "./issue-ticket.ts";

const BODY =
  'Nobody finds "red" things.\r\n\r\n## Acceptance criteria\r\n- [ ] red is found\r\n- [ ] case does not count\r\n';

async function gitHub() {
  const { repo, origin } = repository({ "a.txt": "a\n" }, { origin: true });
  const server = await startGitHub({ gitDir: origin!, repo: "acme/shop", token: "ghp_x" });
  onTestFinished(() => server.stop());
  server.state.issues.push({ number: 12, title: 'Find "red": all of it', body: BODY, state: "open", labels: ["bug"] });
  const pawl = { forge: { kind: "github" as const, repo: "acme/shop", tokenEnv: "GH", baseUrl: server.url } };
  const ticket = (word: string, { underWay = false, token = "ghp_x" } = {}) =>
    issueTicket(issueNamed(word)!, {
      state: join(repo, ".pawl"),
      pawl,
      env: { GH: token },
      isUnderWay: () => underWay,
      signal: new AbortController().signal,
    });
  return { repo, server, ticket };
}

describe("an issue as a ticket", () => {
  test.each([
    ["gh:acme/shop#12", { kind: "github", repo: "acme/shop", number: 12 }],
    ["https://github.com/acme/shop/issues/12", { kind: "github", repo: "acme/shop", number: 12 }],
    ["gl:acme/web/shop#12", { kind: "gitlab", repo: "acme/web/shop", number: 12 }],
    ["https://gitlab.com/acme/web/shop/-/issues/12", { kind: "gitlab", repo: "acme/web/shop", number: 12 }],
    ["tasks/gh:12.md", null],
    ["gh:acme#12", null],
    ["https://github.com/acme/shop/pull/12", null],
  ])("%s names %j", (word, name) => {
    expect(issueNamed(word)).toEqual(name);
  });

  test("has its title, its text and its check list, whatever stands in them", async () => {
    const { repo, ticket } = await gitHub();
    const path = await ticket("gh:acme/shop#12");
    const read = readTicketFile(repo, path.slice(repo.length + 1));
    expect(read.faults).toEqual([]);
    expect(read).toMatchObject({ id: { name: "gh-12" }, title: 'Find "red": all of it' });
    expect(read.body).toContain('Nobody finds "red" things.\n');
    expect(read.criteria.list).toMatchObject([{ text: "red is found" }, { text: "case does not count" }]);
    expect(idOfIssue({ kind: "github", number: 12 })).toBe("gh-12");
  });

  test("stays as it was while work on it is under way, without asking anybody; then it is brought anew", async () => {
    const { server, ticket } = await gitHub();
    const path = await ticket("gh:acme/shop#12");
    server.state.issues[0]!.title = "Changed since";
    await ticket("gh:acme/shop#12", { underWay: true, token: "" });
    expect(readFileSync(path, "utf8")).toContain("all of it");
    await ticket("gh:acme/shop#12");
    expect(readFileSync(path, "utf8")).toContain("Changed since");
  });

  test("that is none, or cannot be seen, is told with what to do", async () => {
    const { ticket } = await gitHub();
    await expect(ticket("gh:acme/shop#99")).rejects.toMatchObject({ code: "ISSUE_MISSING" });
    await expect(ticket("gh:acme/shop#12", { token: "" })).rejects.toMatchObject({
      code: "FORGE_DENIED",
      message: expect.stringContaining("GH is empty"),
    });
  });
});

test("an issue of GitLab is one too", async () => {
  const { repo, origin } = repository({ "a.txt": "a\n" }, { origin: true });
  const server = await startGitLab({ gitDir: origin!, repo: "acme/web/shop", token: "glpat" });
  onTestFinished(() => server.stop());
  const issue = { iid: 7, title: "Find red", description: BODY, state: "opened", labels: new Set(["bug"]), notes: [] };
  server.state.issues.push({ ...issue, state: "opened" });
  const pawl = { forge: { kind: "gitlab" as const, repo: "acme/web/shop", tokenEnv: "GL", baseUrl: server.api } };
  const { signal } = new AbortController();
  const order = { state: join(repo, ".pawl"), pawl, env: { GL: "glpat" }, isUnderWay: () => false, signal };
  const path = await issueTicket(issueNamed("gl:acme/web/shop#7")!, order);
  const read = readTicketFile(repo, path.slice(repo.length + 1));
  expect(read).toMatchObject({ id: { name: "gl-7" }, title: "Find red", fields: { labels: ["bug"] }, faults: [] });
  expect(read.fields.source).toBe(`${server.url}/acme/web/shop/-/issues/7`);
  await expect(issueTicket(issueNamed("gl:acme/web/shop#8")!, order)).rejects.toMatchObject({ code: "ISSUE_MISSING" });
});

test("pawl work gh:OWNER/NAME#12 gives the issue to the model", async () => {
  const { repo, server } = await gitHub();
  const asked: Asked[] = [];
  const mind = await startModelServer((request) => {
    asked.push(request);
    return { calls: [{ name: "escalate", args: { reason: "red is not defined" } }] };
  });
  onTestFinished(() => mind.close());
  write(repo, {
    "pawl.yaml": `checks: ["true"]
models: {mind: {provider: openai-compatible, base_url: "${mind.url}/v1", model: mind, key_env: KEY}}
forge: {kind: github, repo: acme/shop, token_env: GH, base_url: "${server.url}"}\n`,
  });
  let said = "";
  const stream = { write: (text: string) => (said += text) };
  const code = await runProgram(["work", "gh:acme/shop#12", "--model", "mind"], {
    cwd: repo,
    env: { PATH: process.env.PATH, HOME: repo, GH: "ghp_x", KEY: "k" },
    streams: { stdin: {}, stdout: stream, stderr: stream },
  });
  expect(code).toBe(1);
  expect(said).toMatch(/^gh-12 +Find "red": all of it/m);
  expect(said).toContain("BLOCKED   no plan: red is not defined");
  expect(JSON.stringify(asked[0]!.turns)).toContain("case does not count");
});
