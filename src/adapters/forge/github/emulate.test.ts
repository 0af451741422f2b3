import { createEmulator } from "emulate";
import { describe, expect, it, onTestFinished } from "vitest";
import { permit, question } from "../../../../test/contracts/signals.contract.ts";
import type { Commit } from "../../../domain/names.ts";
import { gitHubApi } from "./api.ts";
import { gitHubIssues } from "./issues.ts";
import { gitHubApprovals, gitHubLabel } from "./signals.ts";

const BRANCH = "pawl/task-1";
const { signal } = permit;

/**
 * The REST calls of the adapter against a fake of GitHub that others wrote. It has no git, so the forge contract cannot be
 * run on it. Where it differs from the documentation, a test says how.
 */
async function emulated() {
  const server = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: { tok: { login: "octocat", scopes: ["repo"] }, "tok-ann": { login: "ann", scopes: ["repo"] } },
      github: {
        users: [{ login: "octocat" }, { login: "ann" }],
        repos: [{ owner: "octocat", name: "shop", auto_init: true }],
      },
    },
  });
  onTestFinished(() => server.close());
  const call = async (method: string, path: string, body?: object, token = "tok") => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}/repos/octocat/shop${path}`, init);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Fields };
  };
  const options = {
    repo: "octocat/shop",
    baseUrl: server.url,
    token: { variable: "GITHUB_TOKEN", read: () => "tok" },
    now: Date.now,
  };
  const main = (await call("GET", "/git/ref/heads/main")).body.object.sha;
  const { tree } = (await call("GET", `/git/commits/${main}`)).body;
  const commit = async (message: string, parent = main): Promise<Commit> =>
    (await call("POST", "/git/commits", { message, tree: tree.sha, parents: [parent] })).body.sha;
  const branch = (name: string, sha: Commit) => call("POST", "/git/refs", { ref: `refs/heads/${name}`, sha });
  const head = await commit("Add colours");
  await branch(BRANCH, head);
  const api = gitHubApi(options);
  const open = async () => {
    const made = await api.create({ branch: BRANCH, base: "main", title: "Search by colour", body: "Why" }, signal);
    if (made.kind !== "ok") throw new Error(JSON.stringify(made));
    return made.value;
  };
  return { server, options, api, call, commit, branch, head, open };
}
// biome-ignore lint/suspicious/noExplicitAny: what it answers is looked at by the tests
type Fields = any;

describe("GitHub's API, by the public fake emulate", () => {
  it("a draft is opened, found by its branch and its number, and says where it stands", async () => {
    const { api, head, open, server } = await emulated();
    const { pullUrl } = await api.place(signal);
    const pull = await open();
    const { merged, ...same } = pull;
    expect([pullUrl, merged]).toEqual([`${server.url}/octocat/shop/pull/`, null]);
    expect(pull).toMatchObject({ url: `${pullUrl}1`, state: "draft", branch: BRANCH, base: "main", head, body: "Why" });
    expect(await api.pull(1, signal)).toMatchObject(same);
    expect(await api.pullsOf(BRANCH, signal)).toMatchObject([same]);
    expect(await api.openPulls(signal)).toMatchObject([same]);
    expect(await api.pullsOf("pawl/task-2", signal)).toEqual([]);
    expect(await api.pull(99, signal)).toBe(null);
  });

  it("a list of more than one page is whole", async () => {
    const { api, branch, commit, call } = await emulated();
    const names = Array.from({ length: 101 }, (_, i) => `many/${i}`);
    for (const name of names) await branch(name, await commit(name));
    for (const name of names) await call("POST", "/pulls", { title: name, head: name, base: "main" });
    expect((await api.openPulls(signal)).map(({ branch }) => branch)).toEqual(names);
  });

  it("a comment is edited, not repeated", async () => {
    const { api, open } = await emulated();
    const { number } = await open();
    expect(await api.comment(number, null, "first", signal)).toEqual({ kind: "ok", value: null });
    const [comment] = await api.comments(number, signal);
    expect(await api.comment(number, comment!.id, "second", signal)).toEqual({ kind: "ok", value: null });
    expect((await api.comments(number, signal)).map(({ text }) => text)).toEqual(["second"]);
  });

  it("one that is closed is seen, and so is one that was merged as a squash", async () => {
    const { api, call, head, open } = await emulated();
    const first = await open();
    await call("PATCH", `/pulls/${first.number}`, { state: "closed" });
    expect(await api.pull(first.number, signal)).toMatchObject({ state: "closed", merged: null });
    const second = await open();
    await call("PATCH", `/pulls/${second.number}`, { draft: false });
    const squash = { head, title: "Colours", message: "Colours\n\nPawl-Key: k" };
    const merged = await api.merge(second, squash, signal);
    const pull = await api.pull(second.number, signal);
    expect(pull).toMatchObject({ state: "merged", head });
    expect(merged).toEqual({ kind: "ok", value: pull!.merged });
    const { message, parents } = (await call("GET", `/git/commits/${pull!.merged}`)).body;
    expect([message, parents.length]).toEqual([squash.message, 1]);
  });

  it("a review counts for its commit", async () => {
    const { options, call, head, commit, open } = await emulated();
    const { url, number } = await open();
    const signals = gitHubApprovals(options, { approvals: 1, from: ["ann"] });
    const ask = async (at: Commit) => (await signals.ask([{ ...question("task-1", at), pr: url }], permit)).seen;
    await call("POST", `/pulls/${number}/reviews`, { event: "APPROVE", body: "fine", commit_id: head }, "tok-ann");
    expect(await ask(head)).toMatchObject([{ answer: { status: "approved", by: "ann", message: "fine" } }]);
    expect(await ask(await commit("Later"))).toEqual([]);
  });

  it("issues are read by number and by label; a pull request is none", async () => {
    const { options, call, open } = await emulated();
    await call("POST", "/labels", { name: "pawl", color: "ededed" });
    await call("POST", "/issues", { title: "Find red", body: "all\r\nof it", labels: ["pawl"] });
    await open();
    const issues = gitHubIssues(options);
    expect(await issues.issue(1, signal)).toMatchObject({ title: "Find red", body: "all\nof it", state: "open" });
    expect([await issues.issue(2, signal), await issues.issue(3, signal)]).toEqual([null, null]);
    const labelled = (name: string) => issues.open({ labels: [name], query: null }, signal);
    expect(await labelled("pawl")).toMatchObject({ issues: [{ number: 1, labels: ["pawl"] }] });
    expect(await labelled("bug")).toMatchObject({ issues: [] });
  });
});

describe("where emulate 0.12.2 is not like GitHub", () => {
  it("it has no GraphQL: marking ready is refused, and is not taken for done", async () => {
    const { api, open } = await emulated();
    const pull = await open();
    expect(await api.ready(pull, signal)).toMatchObject({ kind: "no", detail: expect.stringContaining("404") });
    expect(await api.pull(pull.number, signal)).toMatchObject({ state: "draft" });
  });

  it("REST marks ready, which GitHub ignores", async () => {
    const { api, call, open } = await emulated();
    const { number } = await open();
    await call("PATCH", `/pulls/${number}`, { draft: false });
    expect(await api.pull(number, signal)).toMatchObject({ state: "open" });
  });

  it("a head that moved is 422, in GitHub 409: refused all the same, and never merged", async () => {
    const { api, call, commit, open } = await emulated();
    const pull = await open();
    await call("PATCH", `/pulls/${pull.number}`, { draft: false });
    const stale = { head: await commit("Other"), title: "T", message: "T" };
    expect(await api.merge(pull, stale, signal)).toMatchObject({ kind: "no", why: "invalid" });
    expect(await api.pull(pull.number, signal)).toMatchObject({ state: "open" });
  });

  it("a second pull request of a branch is taken, a head does not follow its branch, nothing has an ETag", async () => {
    const { api, call, commit, head, open } = await emulated();
    await open();
    expect(await open()).toMatchObject({ number: 2 });
    await call("PATCH", `/git/refs/heads/${BRANCH}`, { sha: await commit("Later", head) });
    const { headers } = await call("GET", "/pulls/1");
    expect([(await api.pull(1, signal))!.head, headers.get("etag")]).toEqual([head, null]);
  });

  it("it keeps neither pushes nor events, so nobody can tell which head a label is for: it is no answer", async () => {
    const { options, api, call, head, open } = await emulated();
    const { number, url } = await open();
    await call("POST", "/labels", { name: "ship-it", color: "ededed" });
    await call("POST", `/issues/${number}/labels`, { labels: ["ship-it"] });
    expect((await api.pull(number, signal))!.labels).toEqual(["ship-it"]);
    const asked = [{ ...question("task-1", head), signal: "label:ship-it", pr: url }];
    expect((await gitHubLabel(options, "ship-it").ask(asked, permit)).seen).toEqual([]);
  });
});
