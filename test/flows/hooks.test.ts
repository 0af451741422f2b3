import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitHubProject, gitLabProject } from "../support/far-project.ts";
import { type Delivery, deliver, gitHubDelivery, gitLabDelivery, type Hook } from "../support/forge-server/hooks.ts";
import { project, start, WORKER } from "../support/project.ts";

const SECRETS = {
  PAWL_TEST_HUB: "a secret of the hook",
  PAWL_TEST_LAB: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
};
const WEBHOOKS = "{listen: 127.0.0.1:0, github_secret_env: PAWL_TEST_HUB, gitlab_secret_env: PAWL_TEST_LAB}";
const config = `agents: {implementer: {command: agents/work.sh}}
webhooks: ${WEBHOOKS}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: review, on_fail: implement}
    review: {run: signal pr-approved, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: merge, on_fail: mark-ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
// whatever is seen, is seen because of a hook
const far = { config, tasks: { "task-1": "Do it" }, files: { "agents/work.sh": WORKER }, every: "1h" };

const bare = (webhooks: string) => ({
  config: `agents: {default: {command: agents/work.sh}}\nwebhooks: ${webhooks}\n`,
  tasks: {},
  files: { "agents/work.sh": WORKER },
});

function secrets(): void {
  Object.assign(process.env, SECRETS);
  onTestFinished(() => {
    for (const name of Object.keys(SECRETS)) delete process.env[name];
  });
}

const events = (state: string): readonly Record<string, unknown>[] =>
  readFileSync(join(state, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const urlIn = (state: string): string =>
  events(state).findLast(({ event }) => event === "hooks_listening")!.url as string;

const onGitHub = async () => {
  const made = await gitHubProject(far);
  const { state } = made.server;
  const approve = () => {
    const pull = state.pulls[0]!;
    const one = { id: state.id(), user: "lead", association: "MEMBER", state: "APPROVED" as const, body: "" };
    pull.reviews.push({ ...one, at: state.now(), sha: pull.sha, lines: [] });
  };
  const hook = (): Hook => ({ url: `${urlIn(made.state)}/github`, secret: SECRETS.PAWL_TEST_HUB });
  const delivery = (of: Hook): Delivery => gitHubDelivery(of, "pull_request_review", { action: "submitted" });
  return { ...made, approve, hook, delivery, event: "pull_request_review", looks: /reviews/ };
};
const onGitLab = async () => {
  const made = await gitLabProject(far);
  const { state } = made.server;
  state.project.members.set("lead", 40);
  const approve = () => void state.requests[0]!.approvals.push({ user: "lead", at: state.now() });
  const hook = (): Hook => ({ url: `${urlIn(made.state)}/gitlab`, secret: SECRETS.PAWL_TEST_LAB });
  const delivery = (of: Hook): Delivery => gitLabDelivery(of, "Merge Request Hook", { object_kind: "merge_request" });
  return { ...made, approve, hook, delivery, event: "Merge Request Hook", looks: /discussions/ };
};

test.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
] as const)("a hook of %s is why an approval is seen; what it says itself decides nothing", async (_, make) => {
  secrets();
  const { repo, state, server, approve, hook, delivery, event, looks } = await make();
  const run = await start(repo);
  server.hooks.all.push(hook());
  void run.run();
  await run.fact("asking-started", "task-1");
  const seen = () => server.asked.filter(({ path }) => looks.test(path)).length;
  await expect.poll(seen, { timeout: 20_000 }).toBeGreaterThan(0);

  const to = hook();
  expect(await deliver(to, delivery({ ...to, secret: "not that one" }))).toBe(401);
  const before = seen();
  expect(await server.hooks.says(event)).toEqual([202]);
  await expect.poll(seen, { timeout: 20_000 }).toBeGreaterThan(before);
  expect(run.task("task-1").doing, "nobody has approved there").toMatchObject({ kind: "asking" });

  approve();
  expect(await server.hooks.says(event)).toEqual([202]);
  await run.fact("task-completed", "task-1");
  // our own writes came back as hooks too, and led to nothing more
  await run.stop();
  const said = events(state).filter(({ event }) => String(event).startsWith("hook"));
  expect(said.map((one) => [one.event, one.refused])).toEqual([
    ["hooks_listening", undefined],
    ["hook_refused", undefined],
    ["hooks_closed", 1],
  ]);
  expect(said.at(-1)!.taken).toBeGreaterThan(4);
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(events(state))).not.toContain(secret);
  await expect(deliver(to, delivery(to)), "it is closed with the processor").rejects.toThrow();
});

test("a hook is why it is seen that somebody merged it there by hand", async () => {
  secrets();
  const { repo, server, hook } = await onGitHub();
  const run = await start(repo);
  void run.run();
  await run.fact("asking-started", "task-1");
  // the forge is looked at once, and then in an hour
  await expect.poll(() => server.asked.some(({ path }) => path.includes("state=open")), { timeout: 20_000 }).toBe(true);
  server.bare.merge("main", { head: server.bare.tip("pawl/task-1")!, message: "Merge it" });
  server.state.pushed();
  server.hooks.all.push(hook());
  expect(await server.hooks.says("pull_request", { action: "closed" })).toEqual([202]);
  await run.fact("task-completed", "task-1");
});

test("a flood of what is not signed is one line; the processor goes on, and ends", async () => {
  secrets();
  const { repo, state } = project(bare(WEBHOOKS));
  const run = await start(repo);
  const to: Hook = { url: `${urlIn(state)}/github`, secret: "guessed" };
  const some = () =>
    Array.from({ length: 20 }, () => deliver(to, gitHubDelivery(to, "push", { text: "x".repeat(1_000) })));
  for (let i = 0; i < 10; i++) expect(new Set(await Promise.all(some()))).toEqual(new Set([401]));
  await run.run();
  await run.stop();
  expect(events(state).filter(({ event }) => event === "hook_refused")).toHaveLength(1);
  expect(events(state).at(-1)).toMatchObject({ event: "hooks_closed", taken: 0, refused: 200 });
});

test.each<readonly [string, string, Record<string, string>, object]>([
  ["a secret that is missing", WEBHOOKS, { PAWL_TEST_HUB: "" }, { code: "CREDENTIAL_MISSING" }],
  ["half a signing token", WEBHOOKS, { PAWL_TEST_LAB: "whsec_" }, { code: "WEBHOOK_SECRET" }],
  ["a port that is taken", WEBHOOKS.replace(":0", ":TAKEN"), {}, { code: "WEBHOOK_LISTEN" }],
])("%s is said before anything is started, and holds no store", async (_, webhooks, env, error) => {
  secrets();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { repo } = project(bare(webhooks.replace("TAKEN", String(port))));
  Object.assign(process.env, env);
  await expect(start(repo)).rejects.toMatchObject(error);
  Object.assign(process.env, SECRETS);
  await new Promise((resolve) => other.close(resolve));
  await (await start(repo)).stop();
});
