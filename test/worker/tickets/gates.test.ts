import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../../src/app/cli/program.ts";
import { until } from "../../support/host.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import { git, repository, write } from "../../support/scratch.ts";
import { FILES, STORY } from "./add-adds.ts";
import { tell } from "./story.ts";

const MET = { _type: "REVIEW_DECISION", met: ["AC-001"], findings: [] };

async function pawl(cwd: string, ...args: string[]) {
  let said = "";
  const stream = { write: (text: string) => (said += text) };
  const env = { PATH: process.env.PATH, HOME: cwd, KEY: "k", GIT_AUTHOR_NAME: "t" };
  const code = await runProgram(args, { cwd, env, streams: { stdin: {}, stdout: stream, stderr: stream } });
  return { code, said };
}

test("a model and a person answer the gates of pawl work, each in its place of the chain", async () => {
  const plan = STORY.executor.plan!;
  const server = await startModelServer(
    tell({
      ...STORY,
      executor: { ...STORY.executor, plan: [...plan, ...plan] },
      reviewers: {
        "plan-reviewer": [
          { _type: "PLAN_REVIEW", issues: [{ text: "say what happens to negatives" }] },
          { _type: "PLAN_REVIEW", issues: [] },
        ],
        reviewer: [MET, MET],
      },
    }),
  );
  onTestFinished(() => server.close());
  const { repo } = repository(FILES);
  write(repo, {
    "pawl.yaml": `models: {mind: {provider: openai-compatible, base_url: "${server.url}/v1", model: mind, key_env: KEY}}
agents: {reviewer: {pawl: {model: mind}}}
gates: {go: [rules, "model:mind"], next: [rules, "model:reviewer", human]}\n`,
  });
  git(repo, "add", ".");
  git(repo, "commit", "-qm", "Setup");

  const first = await pawl(repo, "work", "TICKET.md", "--model", "mind", "--wait", "0");
  expect(first.said).toContain("gates rules+model:mind, rules+model:reviewer+human");
  expect(first.code).toBe(5);
  expect(first.said).toContain('pawl next TICKET | pawl fix TICKET -m "…"');
  const asked = server.log.map(({ body }) => JSON.stringify(body));
  expect(asked.some((body) => body.includes("say what happens to negatives") && body.includes("plan_submit"))).toBe(
    true,
  );

  // what was changed under it is another ticket, and another gate is none
  const before = readFileSync(join(repo, "TICKET.md"), "utf8");
  write(repo, { "TICKET.md": before.replace("Mend it", "Leave it") });
  expect(await pawl(repo, "work", "TICKET.md", "--model", "mind", "--wait", "0")).toMatchObject({
    code: 2,
    said: expect.stringContaining("error[TICKET_CHANGED]"),
  });
  write(repo, { "TICKET.md": before });
  expect(await pawl(repo, "go", "TICKET")).toMatchObject({
    code: 1,
    said: expect.stringContaining("it waits at NEXT"),
  });
  expect(await pawl(repo, "next", "TICKET", "--as", "ann")).toMatchObject({ code: 0 });
  expect(await pawl(repo, "fix", "TICKET", "-m", "no", "--as", "bob")).toMatchObject({
    code: 1,
    said: expect.stringContaining("NEXT of ann is noted for it already"),
  });
  const second = await pawl(repo, "work", "TICKET.md", "--model", "mind", "--wait", "0");
  expect([second.code, second.said]).toEqual([0, expect.stringMatching(/^PASS /m)]);
  // the reviewer is asked again, as each owner is in a new leg; the worker's own minds are not
  expect(server.log.slice(asked.length).every(({ body }) => JSON.stringify(body).includes("You read a change"))).toBe(
    true,
  );
  expect(await pawl(repo, "next", "TICKET")).toMatchObject({
    code: 1,
    said: expect.stringContaining("it has ended with PASS"),
  });
  expect(await pawl(repo, "go", "nosuch")).toMatchObject({
    code: 6,
    said: expect.stringContaining('nothing is called "nosuch"'),
  });
  // a store is made where only pawl work has been
  expect((await pawl(repo, "status")).said).toContain("there is no store");
}, 120_000);

const PLAN_BY_HAND = { go: ["human"], next: ["human"] };

/** A repository with the ticket, whose gates a person answers; `kept`: what the model is asked. */
async function byHand() {
  const server = await startModelServer(tell(STORY));
  onTestFinished(() => server.close());
  const { repo } = repository(FILES);
  write(repo, {
    "pawl.yaml": `models: {mind: {provider: openai-compatible, base_url: "${server.url}/v1", model: mind, key_env: KEY}}
gates: ${JSON.stringify(PLAN_BY_HAND)}\n`,
  });
  git(repo, "add", ".");
  git(repo, "commit", "-qm", "Setup");
  const work = (...flags: string[]) => pawl(repo, "work", "TICKET.md", "--model", "mind", "--wait", "0", ...flags);
  return { repo, server, work };
}

test("a person's other words for a ticket of pawl work: more time, how it stands, its end; what does not fit says what does", async () => {
  const { repo, work } = await byHand();
  expect(await work()).toMatchObject({ code: 5 });
  expect(await pawl(repo, "extend", "TICKET", "--time", "30m")).toMatchObject({
    code: 0,
    said: "30m more is noted for TICKET; the same pawl work command goes on with it.\n",
  });
  expect(await pawl(repo, "extend", "TICKET", "--time", "1h", "--json")).toMatchObject({ code: 0 });
  expect(await pawl(repo, "extend", "TICKET", "--cost", "3")).toMatchObject({
    code: 1,
    said: expect.stringMatching(/error\[REFUSED\].*has a time, and no budget[\s\S]*pawl extend TICKET --time 30m/),
  });
  for (const [code, ...asked] of [
    [6, "why", "TICKET"],
    [6, "show", "TICKET"],
    [6, "logs", "TICKET"],
    [1, "approve", "TICKET"],
    [1, "retry", "TICKET"],
  ] as const)
    expect([asked, await pawl(repo, ...asked)]).toMatchObject([
      asked,
      { code, said: expect.stringMatching(/it waits at GO for you[\s\S]*pawl go TICKET \| pawl feedback TICKET/) },
    ]);
  await pawl(repo, "go", "TICKET");
  expect(await work()).toMatchObject({ code: 5 });
  const journal = readFileSync(join(repo, ".pawl/runs/TICKET/01-work-a1/journal.jsonl"), "utf8");
  expect(journal.match(/"minutes":(30|60)\b/g)).toEqual(['"minutes":30', '"minutes":60']);
  expect(await pawl(repo, "cancel", "TICKET", "-m", "not now", "--yes")).toMatchObject({
    code: 0,
    said: "END is noted for TICKET; the same pawl work command ends it.\n",
  });
  expect(await work()).toMatchObject({ code: 1, said: expect.stringMatching(/^FAIL .*not now/m) });
  expect(await pawl(repo, "extend", "TICKET", "--time", "30m")).toMatchObject({
    code: 1,
    said: expect.stringMatching(/it has ended with FAIL[\s\S]*--again/),
  });
}, 120_000);

test("a pawl work that is alive and waits takes what a person says itself, and they are told so", async () => {
  const { repo, work } = await byHand();
  const run = join(repo, ".pawl/runs/TICKET/01-work-a1");
  const asked = (n: number) => () =>
    existsSync(join(run, "owner/asked.json")) && readFileSync(join(run, "owner/asked.json"), "utf8").includes(`: ${n}`);
  const working = work("--wait", "100s");
  await until(asked(1), "it waits for GO");
  expect((await pawl(repo, "why", "TICKET")).said).toContain("waits at GO for you");
  expect((await pawl(repo, "extend", "TICKET", "--time", "5m")).said).toContain(
    "it has them after what it does just now",
  );
  expect((await pawl(repo, "go", "TICKET")).said).toBe(
    "GO is noted for TICKET; pawl work, which waits, goes on with it.\n",
  );
  await until(asked(2), "it waits for NEXT");
  await pawl(repo, "next", "TICKET");
  expect(await working).toMatchObject({ code: 0, said: expect.stringMatching(/^PASS /m) });
}, 120_000);

test("a run in place goes on there without the flag, on its branch alone; its end is told and paid for once", async () => {
  const { repo, server, work } = await byHand();
  expect(await work("--in-place")).toMatchObject({ code: 5 });
  await pawl(repo, "go", "TICKET");
  git(repo, "switch", "-qc", "elsewhere");
  expect(await work()).toMatchObject({ code: 2, said: expect.stringContaining("error[PLACE_MOVED]") });
  git(repo, "switch", "-q", "main");
  const second = await work();
  expect(second.said).toContain("resumed   in . on main");
  expect([second.code, git(repo, "status", "--porcelain", "src")]).toEqual([5, ""]);
  await pawl(repo, "next", "TICKET");
  expect(await work()).toMatchObject({ code: 0, said: expect.stringMatching(/^PASS /m) });
  const [asked, head] = [server.log.length, git(repo, "rev-parse", "main")];
  expect(await work()).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^PASS .* ended before, nothing was done now$/m),
  });
  expect([server.log.length, git(repo, "rev-parse", "main")]).toEqual([asked, head]);
}, 120_000);

test("a worktree that was deleted while its run waited is made again; what ended BLOCKED is begun again with --again alone", async () => {
  const { repo, server, work } = await byHand();
  expect(await work()).toMatchObject({ code: 5 });
  rmSync(join(repo, ".pawl/worktrees/TICKET"), { recursive: true });
  await pawl(repo, "block", "TICKET", "-m", "not now");
  const blocked = await work();
  expect(blocked).toMatchObject({ code: 1, said: expect.stringContaining("BLOCKED") });
  expect(existsSync(join(repo, ".pawl/worktrees/TICKET/src"))).toBe(true);
  const asked = server.log.length;
  const again = await work();
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining("pawl work TICKET.md --again") });
  expect(server.log.length).toBe(asked);
  await work("--again");
  expect(server.log.length).toBeGreaterThan(asked);
}, 120_000);

test("a person's NEXT is for the commit that was reported: where the branch was moved since, the run ends BLOCKED", async () => {
  const { repo, work } = await byHand();
  expect(await work()).toMatchObject({ code: 5 });
  await pawl(repo, "go", "TICKET");
  expect(await work()).toMatchObject({ code: 5 });
  await pawl(repo, "next", "TICKET");
  const tree = join(repo, ".pawl/worktrees/TICKET");
  write(tree, { "src/late.mjs": "export const late = 1;\n" });
  git(tree, "add", ".");
  git(tree, "commit", "-qm", "Late");
  const end = await work();
  expect(end).toMatchObject({ code: 1, said: expect.stringMatching(/^BLOCKED .*NEXT was said of commit/m) });
}, 120_000);

test("a time to wait that is none is said to be wrong, before anything begins", async () => {
  const { repo } = repository(FILES);
  const said = await pawl(repo, "work", "TICKET.md", "--wait", "soon");
  expect(said).toMatchObject({ code: 2, said: expect.stringContaining('error[USAGE] --wait cannot be "soon"') });
  expect(existsSync(`${repo}/.pawl`)).toBe(false);
});
