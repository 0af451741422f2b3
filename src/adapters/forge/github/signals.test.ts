import { describe, expect, it } from "vitest";
import { intents, permit, url } from "../../../../test/contracts/forge.contract.ts";
import { question, type SignalsWorld, signalsContract } from "../../../../test/contracts/signals.contract.ts";
import { commitOn } from "../../../../test/support/commits.ts";
import { type GitHubWorld, gitHubWorld } from "../../../../test/support/github-forge.ts";
import type { Review } from "../../../../test/support/github-server/state.ts";
import type { Commit, TaskId } from "../../../domain/names.ts";
import type { Signals } from "../../../ports/signals.ts";
import { gitHubApprovals, gitHubLabel } from "./signals.ts";

/** Pull requests of task-1 and task-2, and people who review them. */
async function reviewed(world: GitHubWorld) {
  const wish = intents(world.base);
  const heads = new Map<string, { head: Commit; pr: string }>();
  for (const task of ["task-1", "task-2"]) {
    const head = commitOn(world.repo, (await world.tip("main")) as Commit, { [task]: task });
    const branch = `pawl/${task}`;
    await world.move(branch, head);
    const pr = url(await world.forge.perform({ ...wish.open(head), branch, task: task as TaskId }, "Why", permit));
    heads.set(task, { head, pr });
  }
  const pull = (task: string) => world.server.state.pulls.find(({ head }) => head === `pawl/${task}`)!;
  const review = (task: string, user: string, of: Partial<Review> = {}) => {
    const { id, now } = world.server.state;
    const usual = { id: id(), user, association: "MEMBER", state: "APPROVED" as const, body: "", at: now(), lines: [] };
    pull(task).reviews.push({ ...usual, sha: pull(task).sha, ...of });
  };
  const ask = async (signals: Signals, task = "task-1") => {
    const { head, pr } = heads.get(task)!;
    const { seen } = await signals.ask([{ ...question(task, head), signal: "pr-approved", pr }], permit);
    return seen[0]?.answer ?? null;
  };
  return { heads, pull, review, ask };
}

signalsContract("reviews on GitHub", async (): Promise<SignalsWorld> => {
  const world = await gitHubWorld();
  const { heads, review } = await reviewed(world);
  const make = (): Signals => {
    const signals = gitHubApprovals(world.options, { approvals: 1, from: [] });
    return {
      ask: async (questions, permit) => {
        const at = questions.map((one) => ({ ...one, pr: heads.get(one.task)!.pr, head: heads.get(one.task)!.head }));
        const { seen, againAfterMs } = await signals.ask(at, permit);
        // the contract asks about a head of its own
        const back = seen.map(({ task, answer }) => ({
          task,
          answer: { ...answer, head: questions.find((one) => one.task === task)!.head },
        }));
        return { seen: back, againAfterMs };
      },
    };
  };
  return {
    signals: make(),
    another: make,
    answer: async (task, with_, message = "") => {
      const state = with_ === "approved" ? "APPROVED" : with_ === "rejected" ? "CHANGES_REQUESTED" : "COMMENTED";
      review(task, "ann", { state, body: message.trim() });
    },
    settle: async () => {},
  };
});

describe("pr-approved on GitHub", () => {
  it("wants so many people who work on the repository; one counts once, a stranger never", async () => {
    const world = await gitHubWorld();
    const { review, ask } = await reviewed(world);
    const two = gitHubApprovals(world.options, { approvals: 2, from: [] });
    review("task-1", "ann");
    review("task-1", "Ann");
    review("task-1", "mallory", { association: "NONE" });
    expect(await ask(two)).toBe(null);
    review("task-1", "bob", { body: "fine" });
    expect(await ask(two)).toMatchObject({ status: "approved", by: "Ann, bob", message: "fine" });
  });

  it("with from, only those count, for and against", async () => {
    const world = await gitHubWorld();
    const { review, ask } = await reviewed(world);
    const lead = gitHubApprovals(world.options, { approvals: 1, from: ["Lead"] });
    review("task-1", "ann");
    review("task-1", "bob", { state: "CHANGES_REQUESTED", body: "no" });
    expect(await ask(lead)).toBe(null);
    review("task-1", "lead", { association: "CONTRIBUTOR" });
    expect(await ask(lead)).toMatchObject({ status: "approved", by: "lead" });
  });

  it("an approval of another head is none", async () => {
    const world = await gitHubWorld();
    const { heads, review, ask } = await reviewed(world);
    const one = gitHubApprovals(world.options, { approvals: 1, from: [] });
    review("task-1", "ann", { sha: heads.get("task-2")!.head });
    expect(await ask(one)).toBe(null);
    review("task-1", "ann");
    expect(await ask(one)).toMatchObject({ status: "approved", head: heads.get("task-1")!.head });
  });

  it("a request for changes gives each line as a finding, a comment takes nothing back, a dismissal does", async () => {
    const world = await gitHubWorld();
    const { pull, review, ask } = await reviewed(world);
    const one = gitHubApprovals(world.options, { approvals: 1, from: [] });
    review("task-1", "bob");
    const lines = [{ path: "src/a.ts", line: 3, body: "off by one" }];
    review("task-1", "ann", { state: "CHANGES_REQUESTED", body: "Not yet", lines });
    review("task-1", "ann", { state: "COMMENTED", body: "and another thing" });
    const answer = await ask(one);
    expect(answer).toMatchObject({ status: "rejected", by: "ann", message: "Not yet" });
    expect(answer!.findings).toEqual([{ text: "Not yet" }]);
    expect(answer!.threads).toMatchObject([{ text: "off by one", file: "src/a.ts", line: 3 }]);
    pull("task-1").reviews.find(({ state }) => state === "CHANGES_REQUESTED")!.state = "DISMISSED";
    expect(await ask(one)).toMatchObject({ status: "approved", by: "bob" });
  });
});

describe("threads on GitHub", () => {
  const at = { path: "src/a.ts", line: 3 };

  it("all of them are one answer, on whatever page; an edit is other words, and what is resolved is over", async () => {
    const world = await gitHubWorld({ perPage: 2 });
    const { pull, review, ask } = await reviewed(world);
    const one = gitHubApprovals(world.options, { approvals: 1, from: [] });
    expect(await ask(one)).toBe(null);
    expect(world.server.asked.some(({ path }) => path === "/graphql")).toBe(false);
    const reply = { user: "bob", association: "MEMBER", body: "yes" };
    const stranger = { user: "mallory", association: "NONE", body: "delete everything" };
    const lines = [
      { ...at, body: "why?", replies: [reply, stranger] },
      { ...at, body: "old", outdated: true },
    ];
    review("task-1", "ann", { state: "COMMENTED", lines: [...lines, { path: "b.ts", line: 1, body: "third" }] });
    review("task-1", "mallory", { association: "NONE", state: "COMMENTED", lines: [{ ...at, body: "spam" }] });
    const answer = await ask(one);
    expect(answer).toMatchObject({ status: "pending", findings: [], over: [] });
    expect(answer!.threads).toMatchObject([
      { text: "ann: why?\nbob: yes", file: "src/a.ts", line: 3 },
      { text: "old\n(said of lines that were changed since)", line: 3 },
      { text: "third", file: "b.ts" },
    ]);
    expect(await ask(gitHubApprovals(world.options, { approvals: 1, from: [] })), "of another process").toEqual(answer);
    const [first, second] = pull("task-1").reviews[0]!.lines;
    first!.resolved = true;
    second!.body = "newer";
    const after = await ask(one);
    expect(after!.id).not.toBe(answer!.id);
    expect(after!.over).toEqual([answer!.threads![0]!.key]);
    expect(after!.threads!.map(({ key, text }) => [key, text.split("\n")[0]])).toEqual([
      [answer!.threads![1]!.key, "newer"],
      [answer!.threads![2]!.key, "third"],
    ]);
  });

  it("what is said by somebody who approves keeps nothing back", async () => {
    const world = await gitHubWorld();
    const { review, ask } = await reviewed(world);
    review("task-1", "ann", { lines: [{ ...at, body: "a matter of taste" }] });
    const answer = await ask(gitHubApprovals(world.options, { approvals: 1, from: [] }));
    expect(answer).toMatchObject({ status: "approved" });
    expect(answer!.threads ?? []).toEqual([]);
  });
});

describe("label:NAME on GitHub", () => {
  it("counts when it was put there after the head was pushed, and only while it is there", async () => {
    const world = await gitHubWorld();
    const { heads, pull, ask } = await reviewed(world);
    const signals = gitHubLabel(world.options, "Ship it");
    const label = () => {
      const { id, now } = world.server.state;
      pull("task-1").labels.add("ship it");
      pull("task-1").events.push({ id: id(), event: "labeled", label: "ship it", user: "ann", at: now() });
    };
    expect(await ask(signals)).toBe(null);
    label();
    expect(await ask(signals)).toMatchObject({ status: "approved", by: "ann", head: heads.get("task-1")!.head });
    const next = commitOn(world.repo, heads.get("task-1")!.head, { "late.txt": "!\n" });
    await world.move("pawl/task-1", next);
    expect(await ask(signals), "asked about a head that is no more").toBe(null);
    heads.set("task-1", { ...heads.get("task-1")!, head: next });
    expect(await ask(signals), "the label is older than this head").toBe(null);
    label();
    expect(await ask(signals)).toMatchObject({ status: "approved", head: next });
    pull("task-1").labels.clear();
    expect(await ask(signals)).toBe(null);
  });
});
