import { describe, expect, it } from "vitest";
import { candidate, intents, permit, url } from "../../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../../test/support/commits.ts";
import { gitLabWorld, REPO, TOKEN, tokenOf } from "../../../../test/support/gitlab-forge.ts";
import { isDraft, type Project } from "../../../../test/support/gitlab-server/state.ts";
import { git } from "../../../../test/support/scratch.ts";
import { testGit } from "../../../../test/support/test-git.ts";
import type { Commit, TaskId } from "../../../domain/names.ts";
import { createRemoteForge } from "../remote/remote.ts";
import { gitLabApi } from "./api.ts";

const BRANCH = "pawl/task-1";
const BODY = "Why\n\n/close\n/label ~ship-it\n`a`/b\n";

/** A task whose branch is published, and what it wishes. */
async function published(of: { perPage?: number; project?: Partial<Project> } = {}) {
  const world = await gitLabWorld(of);
  const wish = intents(world.base);
  const root = (await world.tip("main")) as Commit;
  const head = commitOn(world.repo, root, { "colour.txt": "red\n" }, "Add colours");
  await world.move(BRANCH, head);
  const perform = (intent: Parameters<typeof world.forge.perform>[0], body = "Why") =>
    world.forge.perform(intent, body, permit);
  const state = async (pr: string | null) => {
    const question = { task: "task-1" as TaskId, branch: BRANCH, base: "main", pr };
    return (await world.forge.branches([question], permit)).seen[0]!.branch;
  };
  const readied = async () => {
    const pr = url(await perform(wish.open(head)));
    await perform(wish.ready(pr, head));
    const made = candidate(await perform(wish.prepare(head)));
    return { pr, made, land: wish.land(pr, head, made) };
  };
  return { ...world, world, wish, root, head, perform, state, readied, requests: world.server.state.requests };
}

describe("GitLab says no, or nothing", () => {
  it.each([["cut" as const], [{ status: 502, body: { message: "GitLab is not responding" } }]])(
    "a merge request that was made before %j is found, not made again",
    async (answer) => {
      const { server, wish, head, perform, pulls } = await published();
      server.fault({ method: "POST", path: /\/merge_requests$/, after: true, answer });
      expect(await perform(wish.open(head))).toMatchObject({ kind: "done", found: true });
      expect(await pulls(BRANCH)).toHaveLength(1);
    },
  );

  it("409 for one that was opened a moment before is found too", async () => {
    const { server, wish, head, perform, pulls } = await published();
    const first = url(await perform(wish.open(head)));
    // the look before the request does not see it yet
    server.fault({ method: "GET", path: /state=all/, answer: { status: 200, body: [] } });
    const again = await perform(wish.open(head, "Again", 2));
    expect(again).toMatchObject({ kind: "done", found: true });
    expect(url(again)).toBe(first);
    expect(server.asked.some(({ method, status }) => method === "POST" && status === 409)).toBe(true);
    expect(await pulls(BRANCH)).toHaveLength(1);
  });

  it("a merge and a title whose answers were lost are found, and sent once", async () => {
    const { world, server, wish, head, perform } = await published();
    const pr = url(await perform(wish.open(head)));
    server.fault({ method: "PUT", path: /\/merge_requests\/1$/, after: true, answer: "cut" });
    expect(await perform(wish.ready(pr, head))).toMatchObject({ kind: "done", found: true });
    const made = candidate(await perform(wish.prepare(head)));
    server.fault({ method: "PUT", path: /merge$/, after: true, answer: { status: 502 } });
    const landed = await perform(wish.land(pr, head, made));
    expect(landed).toMatchObject({ kind: "done", found: true, made: { what: "merge", onBase: true } });
    await world.bringHome("main");
    const message = git(world.repo, "log", "--no-merges", "-1", "--format=%B", (await world.tip("main"))!);
    expect(message).toContain("Pawl-Task: task-1\nPawl-Key: task-1/1/prepare-merge/1");
    expect(server.asked.filter(({ method }) => method === "PUT")).toHaveLength(2);
  });

  it("429 is waited for until it ends: by Retry-After, else by RateLimit-Reset", async () => {
    const { world, server, wish, head } = await published();
    const perform = (intent: ReturnType<typeof wish.open>) => world.another().perform(intent, "", permit);
    const reset = Math.floor(Date.now() / 1_000) + 90;
    const rows = [
      [{ "retry-after": "120" }, Date.now() + 120_000],
      [{ "ratelimit-remaining": "0", "ratelimit-reset": String(reset) }, reset * 1_000],
    ] as const;
    for (const [headers, until] of rows) {
      server.fault({ path: /state=all/, answer: { status: 429, headers, body: "Retry later" } });
      const result = await perform(wish.open(head));
      expect(result).toMatchObject({ kind: "later", owner: "forge" });
      expect(Math.abs((result.kind === "later" ? result.until! : 0) - until)).toBeLessThan(20_000);
    }
    server.fault({ method: "POST", path: /merge_requests/, answer: { status: 429, body: "Retry later" } });
    expect(await perform(wish.open(head))).toMatchObject({ kind: "later", owner: "forge" });
  });

  it("a merge that is refused without words is told with what stands in its way", async () => {
    const { world, server, perform, readied, root } = await published();
    const { land } = await readied();
    const usual = { ...server.state.project };
    const told = (words: string) => ({ code: "denied", detail: expect.stringContaining(words) });
    const rows: readonly (readonly [Partial<Project>, object])[] = [
      [{ approvalsRequired: 1 }, told("approvals")],
      [
        { mustPass: true, pipeline: "running" },
        { kind: "later", owner: "forge" },
      ],
      [{ mustPass: true }, { kind: "later", owner: "forge", detail: expect.stringContaining("no pipeline of it yet") }],
      [{ mustPass: true, pipeline: "failed" }, told("pipelines/1")],
      [{ squash: "never" }, told("squashing")],
    ];
    for (const [project, answer] of rows) {
      Object.assign(server.state.project, usual, project);
      expect(await perform(land), JSON.stringify(project)).toMatchObject(answer);
    }
    expect(await world.tip("main")).toBe(root);
  });

  it("405 and 406 of what GitLab still computes are asked again, 401 is for a person", async () => {
    const { server, perform, readied } = await published();
    const { land } = await readied();
    const no = (status: number, message: string) =>
      server.fault({ method: "PUT", path: /merge$/, answer: { status, body: { message } } });
    no(405, "405 Method Not Allowed");
    expect(await perform(land)).toMatchObject({ kind: "later", owner: "forge" });
    no(406, "Branch cannot be merged");
    expect(await perform(land)).toMatchObject({ kind: "later", owner: "forge" });
    no(401, "401 Unauthorized");
    expect(await perform(land)).toMatchObject({ kind: "later", owner: "human" });
    expect(await perform(land)).toMatchObject({ kind: "done", found: false });
  });

  it("409 is a head that moved: GitLab may know it before git says so, or after", async () => {
    const { world, server, head, perform, readied, root, requests } = await published();
    const { land } = await readied();
    const late = commitOn(world.repo, head, { "late.txt": "!\n" });
    await world.move("elsewhere", late);
    requests[0]!.sha = late; // pushed between our look and the request
    expect(await perform(land)).toMatchObject({ kind: "later", detail: expect.stringContaining("SHA does not match") });
    requests[0]!.sha = head;
    server.state.project.slow = true;
    await world.move(BRANCH, late);
    expect(await perform(land)).toMatchObject({ code: "head-moved", actual: late });
    expect(await world.tip("main")).toBe(root);
  });

  it("a merge onto a tip that moved after the last look is said in one note, edited and not repeated", async () => {
    const { world, server, perform, readied, root, requests } = await published();
    const { land } = await readied();
    const other = commitOn(world.repo, root, { "other.txt": "o\n" });
    server.between = async () => world.move("main", other);
    expect(await perform(land)).toMatchObject({ kind: "done", found: false });
    const [note, ...more] = requests[0]!.notes;
    expect(note!.body).toContain(`stands on ${other.slice(0, 7)}, and was checked on ${root.slice(0, 7)}`);
    expect(more).toEqual([]);
    const api = gitLabApi(world.options);
    const said = async () => (await api.comments(1, permit.signal)).map(({ text }) => text);
    await api.comment(1, String(note!.id), "Other words\n/close", permit.signal);
    expect(await said()).toEqual(["Other words\n\\/close"]);
  });

  it("a token that is refused or missing waits for a person, and is in no text", async () => {
    const { server, repo, wish, head } = await published();
    const forge = (token: string) =>
      createRemoteForge({
        repo,
        git: testGit(),
        api: gitLabApi({ repo: REPO, baseUrl: server.api, token: tokenOf(token), now: Date.now }),
      });
    const wrong = await forge(`${TOKEN}-wrong`).perform(wish.open(head), "Why", permit);
    expect(wrong).toMatchObject({ kind: "later", owner: "human", detail: expect.stringContaining("401 Unauthorized") });
    const none = await forge(" ").perform(wish.open(head), "Why", permit);
    expect(none).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining("GITLAB_TOKEN is empty"),
    });
    expect(JSON.stringify([wrong, none])).not.toContain(TOKEN);
    expect(git(repo, "config", "--list", "--show-origin")).not.toMatch(/extraheader|basic/i);
  });

  it("a project that the token does not see is named", async () => {
    const { server, repo, wish, head } = await published();
    const api = gitLabApi({ repo: "acme/other", baseUrl: server.api, token: tokenOf(TOKEN), now: Date.now });
    const result = await createRemoteForge({ repo, git: testGit(), api }).perform(wish.open(head), "Why", permit);
    expect(result).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining("no project acme/other"),
    });
  });
});

describe("GitLab's lists and answers", () => {
  it.each([true, false])("what is on the second page counts; addresses of pages: %s", async (links) => {
    const { world, wish, head, perform, state, root, server } = await published({ perPage: 1, project: { links } });
    for (const name of ["a", "b"]) {
      const branch = `other/${name}`;
      await world.move(branch, commitOn(world.repo, root, { [name]: name }));
      await perform({ ...wish.open((await world.tip(branch)) as Commit), branch });
    }
    const pr = url(await perform(wish.open(head)));
    expect(await state(null)).toMatchObject({ pr: "draft" });
    await world.close(pr);
    const second = url(await perform(wish.open(head, "Again", 2)));
    expect(await world.another().find(wish.open(head, "Again", 2), permit)).toMatchObject({ made: { url: second } });
    expect(server.asked.some(({ path }) => path.endsWith("&page=3"))).toBe(true);
  });

  it("what did not change is answered 304", async () => {
    const { server, wish, head, perform, state } = await published();
    const pr = url(await perform(wish.open(head)));
    const first = await state(pr);
    expect(await state(pr)).toEqual(first);
    expect(server.asked.at(-1)).toMatchObject({ status: 304 });
  });

  it("a merge request of a fork, also of one that is gone, is none of ours though its branch has the name", async () => {
    const { server, wish, head, perform, state } = await published();
    const pr = url(await perform(wish.open(head)));
    expect(await state(null)).toMatchObject({ pr: "draft" });
    server.state.project.forkGone = true;
    expect(await state(null)).toMatchObject({ head, pr: "none" });
    expect(await state(pr)).toMatchObject({ head, pr: "closed" });
  });

  it("that of a deleted branch is closed, and so is the task's", async () => {
    const { wish, head, perform, state, world, requests } = await published();
    const pr = url(await perform(wish.open(head)));
    await world.remove(BRANCH);
    expect(requests[0]!.state).toBe("closed");
    expect(await state(pr)).toMatchObject({ head: null, pr: "closed", merged: null });
  });

  it("a draft is one by its title, in every form that GitLab takes, and words of people stay", async () => {
    const { wish, head, perform, state, requests } = await published();
    const pr = url(await perform(wish.open(head)));
    const [request] = requests;
    expect(request).toMatchObject({ title: "Draft: Search by colour", squash: true });
    request!.title = "draft: [Draft] (DRAFT) Colours, a draft";
    expect(await state(pr)).toMatchObject({ pr: "draft" });
    expect(await perform(wish.ready(pr, head))).toMatchObject({ kind: "done", found: false });
    expect([request!.title, isDraft(request!)]).toEqual(["Colours, a draft", false]);
    expect(await state(pr)).toMatchObject({ pr: "open" });
  });

  it("lines that GitLab would obey are shown to it, in a description", async () => {
    const { wish, head, perform, requests } = await published();
    await perform(wish.open(head), BODY);
    const [request] = requests;
    expect(request).toMatchObject({ state: "opened", labels: new Set() });
    expect(request!.description).toContain("Why\n\n\\/close\n\\/label ~ship-it\n`a`/b");
  });
});

describe("GitLab's ways to merge", () => {
  it.each(["merge", "rebase_merge", "ff"] as const)("%s: one squash, with our key, on the tip", async (method) => {
    const { world, perform, readied, root, state } = await published({ project: { method } });
    const { pr, land } = await readied();
    const landed = await perform(land);
    const tip = (await world.tip("main"))!;
    expect(landed).toMatchObject({ kind: "done", made: { what: "merge", commit: tip, onBase: true } });
    expect(await world.another().find(land, permit)).toMatchObject({ made: { commit: tip } });
    expect(await state(pr)).toMatchObject({ pr: "merged", merged: tip });
    await world.bringHome("main");
    const log = (...args: string[]) => git(world.repo, "log", ...args, `${root}..${tip}`);
    expect(log("--no-merges", "--format=%(trailers:key=Pawl-Key,valueonly)").trim()).toBe("task-1/1/prepare-merge/1");
    expect(log("--format=%h").split("\n")).toHaveLength(method === "ff" ? 1 : 2);
  });

  it("fast-forward only: a branch that is behind its base has to merge it, as with a conflict", async () => {
    const { world, wish, head, perform, root } = await published({ project: { method: "ff" } });
    const pr = url(await perform(wish.open(head)));
    await perform(wish.ready(pr, head));
    await world.move("main", commitOn(world.repo, root, { "other.txt": "o\n" }));
    const made = candidate(await perform(wish.prepare(head)));
    expect(await perform(wish.land(pr, head, made))).toMatchObject({
      code: "conflict",
      actual: made.tip,
      detail: expect.stringContaining("behind its base"),
    });
  });
});
