import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TaskId } from "../../src/domain/names.ts";
import { issuesOnGitHub, issuesOnGitLab } from "../support/far-issues.ts";
import { deliver, gitHubDelivery } from "../support/forge-server/hooks.ts";
import { start, WORKER } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";

const SECRET = "a secret of the hook";
const config = `agents: {implementer: {command: agents/work.sh}}
forge: {kind: local}
webhooks: {listen: 127.0.0.1:0, github_secret_env: PAWL_TEST_HUB}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: review, on_fail: implement}
    review: {run: signal human-approval, on_pass: done, on_fail: implement}
`;
const KEYS = "label: pawl, write_back: true";

type Far = Awaited<ReturnType<typeof issuesOnGitHub | typeof issuesOnGitLab>>;

/** The same repository with a worker, and a token for a processor in this process. */
function workable<T extends Far>(far: T, worker = WORKER): T {
  write(far.repo, { "agents/work.sh": worker, ".gitignore": ".pawl\n" });
  git(far.repo, "add", ".");
  git(far.repo, "update-index", "--chmod=+x", "agents/work.sh");
  git(far.repo, "commit", "-qm", "A worker");
  git(far.repo, "push", "-q", "origin", "main");
  Object.assign(process.env, { TOK: "tok", PAWL_TEST_HUB: SECRET });
  onTestFinished(() => {
    for (const name of ["TOK", "PAWL_TEST_HUB"]) delete process.env[name];
  });
  return far;
}

const approve = (repo: string, id: string) => write(repo, { [`.pawl/inbox/${id}.approve`]: "good" });
const events = (repo: string): readonly Record<string, unknown>[] =>
  readFileSync(join(repo, ".pawl", "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const states = (texts: readonly string[]) => texts.map((text) => text.split("\n")[1]?.replace(/^.*`gh-\d+`: /, ""));
const looked = (far: Far, path: RegExp, before = 0) =>
  expect.poll(() => far.server.asked.filter((one) => path.test(one.path)).length - before, { timeout: 20_000 });

/** The hook of GitHub that somebody changed an issue. */
async function ring(repo: string): Promise<void> {
  const url = `${events(repo).findLast(({ event }) => event === "hooks_listening")!.url as string}/github`;
  expect(await deliver({ url }, gitHubDelivery({ url, secret: SECRET }, "issues", { action: "labeled" }))).toBe(202);
}

test.each([
  ["GitHub", () => issuesOnGitHub({ keys: `${KEYS}, every: 1h`, config })],
  ["GitLab", () => issuesOnGitLab({ keys: `${KEYS}, every: 1h`, config })],
] as const)(
  "issues of %s become tasks of the running processor, and each is told where its task is, in one comment",
  async (_, make) => {
    const { repo, issue, comments } = workable(await make());
    issue(1, { title: "Find red" });
    const run = await start(repo);
    const ended = run.run();
    await run.fact("asking-started", "gh-1");
    await expect.poll(() => comments(1).join(), { timeout: 20_000 }).toMatch(/as task `gh-1`: in-progress at `/);
    // before it ends it looks once more: what came meanwhile is a task too
    issue(2, { title: "Find blue", body: "Depends on #1" });
    approve(repo, "gh-1");
    await run.fact("task-completed", "gh-1");
    await run.fact("asking-started", "gh-2");
    approve(repo, "gh-2");
    await ended;
    expect(states([...comments(1), ...comments(2)])).toEqual(["completed.", "completed."]);
  },
);

test("a hook is why a new issue is seen; a tracker that is down is said once, holds up no other one, and is read later", async () => {
  const far = workable(await issuesOnGitHub({ keys: `${KEYS}, every: 1h`, config }));
  const { repo, issue, server } = far;
  const yaml = readFileSync(join(repo, "pawl.yaml"), "utf8");
  const gone = `{github: {repo: acme/gone, label: pawl, prefix: gone-, every: 1h, token_env: TOK, base_url: "${server.url}"}}`;
  write(repo, {
    "pawl.yaml": yaml.replace("intake: [", `intake: [${gone}, `),
    "tasks/own.md": "---\ntitle: O\n---\nO\n",
  });
  const run = await start(repo);
  void run.run();
  await run.fact("asking-started", "own");
  const failures = () => events(repo).filter(({ event }) => event === "intake_failed");
  await expect.poll(failures, { timeout: 20_000 }).toMatchObject([{ repo: "acme/gone" }]);
  const issues = /acme\/shop\/issues\?/;
  await looked(far, issues).toBe(1);
  issue(1, { title: "Find red" });
  server.fault({ path: issues, answer: { status: 503 } });
  server.fault({ path: issues, answer: { status: 503 } });
  await ring(repo);
  await looked(far, issues).toBe(3);
  await expect.poll(failures, { timeout: 20_000 }).toMatchObject([{ repo: "acme/gone" }, { repo: "acme/shop" }]);
  await ring(repo);
  await run.fact("asking-started", "gh-1");
  // edited here and there: it stays, whatever comes
  const mine = `${readFileSync(join(repo, "tasks/gh-1.md"), "utf8")}And blue.\n`;
  write(repo, { "tasks/gh-1.md": mine });
  issue(1, { title: "Find another red" });
  issue(2, {});
  await ring(repo);
  await run.fact("asking-started", "gh-2");
  expect(readFileSync(join(repo, "tasks/gh-1.md"), "utf8")).toBe(mine);
  issue(2, { title: "Find blue" });
  await ring(repo);
  await expect
    .poll(() => run.processor.engine.board.find("gh-2" as TaskId)!.terms.title, { timeout: 20_000 })
    .toBe("Find blue");
  expect(readFileSync(join(repo, "tasks/gh-1.md"), "utf8")).toBe(mine);
  expect(failures()).toHaveLength(2);
});

test("a comment whose answer was lost, or whose record, is found by its mark: there is one for ever", async () => {
  const far = workable(await issuesOnGitHub({ keys: `${KEYS}, every: 1h`, config }));
  const { repo, issue, comments, server } = far;
  issue(1, { title: "Find red" });
  issue(9, {});
  write(repo, { "tasks/gh-9.md": "---\ntitle: By hand\n---\nMine.\n" });
  server.fault({ method: "POST", path: /issues\/1\/comments/, after: true, answer: "cut" });
  const writes = () => server.asked.filter(({ method }) => method === "POST" || method === "PATCH").length;
  const first = await start(repo);
  void first.run();
  await first.fact("asking-started", "gh-1");
  await expect.poll(() => comments(1).length, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => events(repo).some(({ event }) => event === "issue_untold"), { timeout: 20_000 }).toBe(true);
  await first.stop();

  const second = await start(repo);
  await second.run("idle");
  await second.stop();
  expect(states(comments(1))).toEqual(["in-progress at `review`."]);
  expect(second.task("gh-9").phase).toBe("review");
  expect(comments(9), "a file by hand is no issue").toEqual([]);
  const before = writes();
  rmSync(join(repo, ".pawl", "issues-told.json"));
  const third = await start(repo);
  await third.run("idle");
  expect(writes(), "it says that already").toBe(before);
  await third.stop();
  // what it was told is known now: nobody asks again
  const asked = () => server.asked.filter(({ path }) => path.includes("/comments")).length;
  const known = asked();
  const fourth = await start(repo);
  await fourth.run("idle");
  expect(asked()).toBe(known);
});

test("while the tracker limits requests no more is sent; another processor tells what could not be told", async () => {
  const far = workable(await issuesOnGitHub({ keys: `${KEYS}, every: 1h`, config }));
  const { repo, issue, comments, server } = far;
  issue(1, { title: "Find red" });
  const limit = { status: 403, headers: { "retry-after": "3600" }, body: { message: "secondary rate limit" } };
  server.fault({ method: "POST", path: /comments/, answer: limit });
  const run = await start(repo);
  const ended = run.run();
  await run.fact("asking-started", "gh-1");
  await expect.poll(() => events(repo).some(({ event }) => event === "issue_untold"), { timeout: 20_000 }).toBe(true);
  const before = server.asked.length;
  await ring(repo);
  approve(repo, "gh-1");
  // before it ends it would look, and tell, once more
  await ended;
  await run.stop();
  expect(server.asked.length).toBe(before);
  expect(comments(1)).toEqual([]);
  await (await start(repo)).run();
  expect(states(comments(1))).toEqual(["completed."]);
});

test("one that stays goes on when nothing is left: an issue that comes then is a task, until somebody stops it", async () => {
  const far = workable(await issuesOnGitHub({ keys: `${KEYS}, every: 1h`, config }));
  const { repo, issue } = far;
  const run = await start(repo);
  const ended = run.run("stopped");
  await looked(far, /acme\/shop\/issues\?/).toBe(1);
  issue(1, { title: "Find red" });
  await ring(repo);
  await run.fact("asking-started", "gh-1");
  // it tells by itself: two at once could write two comments
  const sync = JSON.parse((await far.sync("--json")).out) as { told: unknown[] };
  expect(sync.told).toEqual([]);
  approve(repo, "gh-1");
  await run.fact("task-completed", "gh-1");
  await run.stop();
  expect(await ended).toEqual({ kind: "interrupted" });
});

test("with every: never only pawl sync takes issues", async () => {
  const far = workable(await issuesOnGitHub({ keys: `${KEYS}, every: never`, config }));
  const { repo, issue, task, sync } = far;
  issue(1, {});
  write(repo, { "tasks/own.md": "---\ntitle: O\n---\nO\n" });
  await (await start(repo)).run("idle");
  expect(task("gh-1")).toBe(null);
  expect((await sync()).out).toMatch(/^wrote +tasks\/gh-1\.md/);
});
