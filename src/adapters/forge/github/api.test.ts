import { describe, expect, it } from "vitest";
import { candidate, intents, permit, url } from "../../../../test/contracts/forge.contract.ts";
import { commitOn } from "../../../../test/support/commits.ts";
import { gitHubWorld, REPO, TOKEN, tokenOf } from "../../../../test/support/github-forge.ts";
import { git } from "../../../../test/support/scratch.ts";
import { testGit } from "../../../../test/support/test-git.ts";
import type { Commit, TaskId } from "../../../domain/names.ts";
import { createRemoteForge } from "../remote/remote.ts";
import { gitHubApi } from "./api.ts";

const BRANCH = "pawl/task-1";

/** A task whose branch is published, and what it wishes. */
async function published(of: { perPage?: number } = {}) {
  const world = await gitHubWorld(of);
  const wish = intents(world.base);
  const root = (await world.tip("main")) as Commit;
  const head = commitOn(world.repo, root, { "colour.txt": "red\n" }, "Add colours");
  await world.move(BRANCH, head);
  const perform = (intent: Parameters<typeof world.forge.perform>[0]) => world.forge.perform(intent, "Why", permit);
  const state = async (pr: string | null) => {
    const question = { task: "task-1" as TaskId, branch: BRANCH, base: "main", pr };
    return (await world.forge.branches([question], permit)).seen[0]!.branch;
  };
  return { ...world, world, wish, root, head, perform, state };
}

describe("GitHub says no, or nothing", () => {
  it.each([["cut" as const], [{ status: 502, body: { message: "Server Error" } }]])(
    "a pull request that was made before %j is found, not made again",
    async (answer) => {
      const { server, wish, head, perform, pulls } = await published();
      server.fault({ method: "POST", path: /\/pulls$/, after: true, answer });
      expect(await perform(wish.open(head))).toMatchObject({ kind: "done", found: true });
      expect(await pulls(BRANCH)).toHaveLength(1);
    },
  );

  it("a 502 before anything was made is in doubt; the next life finds nothing, and makes it", async () => {
    const { server, wish, head, perform, another } = await published();
    server.fault({ method: "POST", path: /\/pulls$/, answer: { status: 502 } });
    await expect(perform(wish.open(head))).rejects.toMatchObject({ code: "FORGE_IN_DOUBT", retryable: true });
    expect(await another().find(wish.open(head), permit)).toEqual({ kind: "absent" });
    expect(await perform(wish.open(head))).toMatchObject({ kind: "done", found: false });
  });

  it("a merge whose answer was lost is found by its key, and counts once", async () => {
    const { world, server, wish, head, perform } = await published();
    const pr = url(await perform(wish.open(head)));
    server.fault({ method: "POST", path: /graphql/, after: true, answer: "cut" });
    expect(await perform(wish.ready(pr, head))).toMatchObject({ kind: "done", found: true });
    const made = candidate(await perform(wish.prepare(head)));
    server.fault({ method: "PUT", path: /merge$/, after: true, answer: { status: 502 } });
    const landed = await perform(wish.land(pr, head, made));
    expect(landed).toMatchObject({ kind: "done", found: true, made: { what: "merge", onBase: true } });
    await world.bringHome("main");
    const message = git(world.repo, "log", "-1", "--format=%B", (await world.tip("main"))!);
    expect(message).toContain("Pawl-Task: task-1\nPawl-Key: task-1/1/prepare-merge/1");
    expect(server.asked.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it("a limit is waited for until it ends, and nothing counts as done or refused", async () => {
    const { world, server, wish, head, perform } = await published();
    await perform(wish.open(head));
    const reset = Math.floor(Date.now() / 1_000) + 90;
    const primary = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
    const rows = [
      [{ status: 403, headers: primary, body: { message: "API rate limit exceeded" } }, reset * 1_000],
      [{ status: 429, headers: { "retry-after": "120" }, body: { message: "Too many" } }, Date.now() + 120_000],
      [{ status: 403, body: { message: "You have exceeded a secondary rate limit" } }, Date.now() + 60_000],
    ] as const;
    for (const [answer, until] of rows) {
      server.fault({ method: "GET", path: /state=all/, answer });
      const forge = world.another();
      const result = await forge.perform(wish.open(head, "Again", 2), "", permit);
      expect(result).toMatchObject({
        kind: "later",
        owner: "forge",
        detail: expect.stringContaining("limits requests"),
      });
      expect(Math.abs((result.kind === "later" ? result.until! : 0) - until)).toBeLessThan(20_000);
      // until then nothing is sent, also where a hint comes
      const before = server.asked.length;
      expect(await forge.find(wish.open(head), permit)).toMatchObject({ kind: "unknown" });
      expect(server.asked.slice(before).filter(({ path }) => !path.includes(".git/"))).toEqual([]);
    }
    const forge = world.another();
    server.fault({ path: /state=open/, answer: rows[1][0] });
    const looked = await forge.branches([{ task: "task-1" as TaskId, branch: BRANCH, base: "main", pr: null }], permit);
    expect(looked.seen).toEqual([]);
    expect(looked.againAfterMs).toBeGreaterThan(100_000);
  });

  it("405 of a rule is for a person, 405 of a check that runs is asked again, 409 is a head that moved", async () => {
    const { world, server, wish, head, perform, root } = await published();
    const pr = url(await perform(wish.open(head)));
    await perform(wish.ready(pr, head));
    const made = candidate(await perform(wish.prepare(head)));
    const land = wish.land(pr, head, made);
    const no = (status: number, message: string) =>
      server.fault({ method: "PUT", path: /merge$/, answer: { status, body: { message } } });
    no(405, "At least 1 approving review is required by reviewers with write access.");
    expect(await perform(land)).toMatchObject({ code: "denied", detail: expect.stringContaining("approving review") });
    no(405, 'Required status check "test" is expected.');
    expect(await perform(land)).toMatchObject({ kind: "later", owner: "forge" });
    const late = commitOn(world.repo, head, { "late.txt": "!\n" });
    server.state.pulls[0]!.sha = late; // pushed between our look and the request
    expect(await perform(land)).toMatchObject({
      kind: "later",
      detail: expect.stringContaining("Head branch was modified"),
    });
    await world.move(BRANCH, late);
    expect(await perform(land)).toMatchObject({ code: "head-moved", actual: late });
    expect(await world.tip("main")).toBe(root);
  });

  it("a merge onto a tip that moved after the last look is said in one comment", async () => {
    const { world, server, wish, head, perform, root } = await published();
    const pr = url(await perform(wish.open(head)));
    await perform(wish.ready(pr, head));
    const made = candidate(await perform(wish.prepare(head)));
    const land = wish.land(pr, head, made);
    const other = commitOn(world.repo, root, { "other.txt": "o\n" });
    // between the look at the tip and the merge
    server.between = async () => world.move("main", other);
    expect(await perform(land)).toMatchObject({ kind: "done", found: false });
    const [comment, ...more] = server.state.pulls[0]!.comments;
    expect(comment!.body).toContain(`stands on ${other.slice(0, 7)}, and was checked on ${root.slice(0, 7)}`);
    expect(more).toEqual([]);
  });

  it("a crash, or an answer that is lost, between such a merge and its comment costs neither, and repeats neither", async () => {
    const { world, server, wish, head, perform, root } = await published();
    const pr = url(await perform(wish.open(head)));
    await perform(wish.ready(pr, head));
    const land = wish.land(pr, head, candidate(await perform(wish.prepare(head))));
    const other = commitOn(world.repo, root, { "other.txt": "o\n" });
    server.between = async () => world.move("main", other);
    const comment = { method: "POST", path: /comments$/ };
    server.fault({ ...comment, answer: { status: 502 } });
    await expect(perform(land)).rejects.toMatchObject({ code: "FORGE_IN_DOUBT" });
    server.fault({ ...comment, answer: "cut", after: true });
    expect(await world.another().find(land, permit)).toMatchObject({ kind: "unknown" });
    for (let life = 0; life < 2; life++)
      expect(await world.another().find(land, permit)).toMatchObject({ kind: "done", made: { what: "merge" } });
    expect(await perform(land)).toMatchObject({ kind: "done", found: true });
    expect(server.state.pulls[0]!.comments).toEqual([
      expect.objectContaining({ body: expect.stringContaining(`stands on ${other.slice(0, 7)}`) }),
    ]);
  });

  it("a merge whose comment is refused is done without it", async () => {
    const { world, server, wish, head, perform, root } = await published();
    const pr = url(await perform(wish.open(head)));
    await perform(wish.ready(pr, head));
    const land = wish.land(pr, head, candidate(await perform(wish.prepare(head))));
    const other = commitOn(world.repo, root, { "other.txt": "o\n" });
    server.between = async () => world.move("main", other);
    const locked = { status: 403, body: { message: "Unable to create comment because issue is locked." } };
    server.fault({ method: "POST", path: /comments$/, answer: locked });
    expect(await perform(land)).toMatchObject({ kind: "done", found: false });
    expect(server.state.pulls[0]!.comments).toEqual([]);
  });

  it("a token that is refused or missing waits for a person, and is in no text", async () => {
    const { server, repo, wish, head } = await published();
    const forge = (token: string) =>
      createRemoteForge({
        repo,
        git: testGit(),
        api: gitHubApi({ repo: REPO, baseUrl: server.url, token: tokenOf(token), now: Date.now }),
      });
    const wrong = await forge(`${TOKEN}-wrong`).perform(wish.open(head), "Why", permit);
    expect(wrong).toMatchObject({ kind: "later", owner: "human", detail: expect.stringContaining("Bad credentials") });
    const none = await forge(" ").perform(wish.open(head), "Why", permit);
    expect(none).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining("GITHUB_TOKEN is empty"),
    });
    expect(JSON.stringify([wrong, none])).not.toContain(TOKEN);
    expect(git(repo, "config", "--list", "--show-origin")).not.toMatch(/extraheader|basic/i);
  });

  it("git that is not let in waits for a person, and the token is in no word of it", async () => {
    const { server, wish, head, perform, world } = await published();
    await perform(wish.open(head));
    server.fault({ path: /info\/refs/, answer: { status: 403 } });
    const next = commitOn(world.repo, head, { "b.txt": "b\n" });
    const result = await perform(wish.publish(head, next));
    expect(result).toMatchObject({ kind: "later", owner: "human" });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });
});

describe("GitHub's lists and answers", () => {
  it("what is on the second page counts", async () => {
    const { world, wish, head, perform, state, root, server } = await published({ perPage: 1 });
    for (const name of ["a", "b"]) {
      const branch = `other/${name}`;
      await world.move(branch, commitOn(world.repo, root, { [name]: name }));
      await perform({ ...wish.open((await world.tip(branch)) as Commit), branch });
    }
    const pr = url(await perform(wish.open(head)));
    expect(await state(null)).toMatchObject({ pr: "draft" });
    expect(await state(pr)).toMatchObject({ pr: "draft", head });
    await world.close(pr);
    const second = url(await perform(wish.open(head, "Again", 2)));
    expect(await world.another().find(wish.open(head, "Again", 2), permit)).toMatchObject({ made: { url: second } });
    expect(server.asked.some(({ path }) => path.includes("page=2"))).toBe(true);
  });

  it("what did not change is answered 304, and costs no rate", async () => {
    const { server, wish, head, perform, state } = await published();
    const pr = url(await perform(wish.open(head)));
    const first = await state(pr);
    const left = server.rate.left;
    expect(await state(pr)).toEqual(first);
    expect(await state(pr)).toEqual(first);
    expect(server.rate.left).toBe(left);
    expect(server.asked.at(-1)).toMatchObject({ status: 304 });
  });

  it("a pull request of a fork that is gone is read like any other", async () => {
    const { server, wish, head, perform, state, world } = await published();
    const pr = url(await perform(wish.open(head)));
    server.quirks.forkGone = true;
    expect(await state(pr)).toMatchObject({ pr: "draft" });
    await world.remove(BRANCH);
    expect(await state(pr)).toMatchObject({ head: null, pr: "closed", merged: null });
  });

  it("a pull request of somebody's fork is none of the task's, though its branch has the name", async () => {
    const { server, wish, head, perform, state } = await published();
    const ours = url(await perform(wish.open(head)));
    const [pull] = server.state.pulls;
    server.state.pulls.splice(0, 1, { ...pull!, from: "mallory" });
    expect(await state(null)).toMatchObject({ head, pr: "none" });
    expect(url(await perform(wish.open(head, "Ours", 2)))).not.toBe(ours);
    expect(await state(null)).toMatchObject({ head, pr: "draft" });
  });

  it("`draft: false` in REST changes nothing: it takes GraphQL", async () => {
    const { server, wish, head, perform, state } = await published();
    const pr = url(await perform(wish.open(head)));
    const headers = { authorization: `Bearer ${TOKEN}`, "user-agent": "test" };
    const answer = await fetch(`${server.url}/repos/${REPO}/pulls/1`, {
      method: "PATCH",
      headers,
      body: '{"draft":false}',
    });
    expect(answer.status).toBe(200);
    expect(await state(pr)).toMatchObject({ pr: "draft" });
    expect(await perform(wish.ready(pr, head))).toMatchObject({ kind: "done", found: false });
    expect(await state(pr)).toMatchObject({ pr: "open" });
  });
});
