import { describe, expect, it } from "vitest";
import { intents, permit, url } from "../../../../test/contracts/forge.contract.ts";
import { question, type SignalsWorld, signalsContract } from "../../../../test/contracts/signals.contract.ts";
import { commitOn } from "../../../../test/support/commits.ts";
import { type GitLabWorld, gitLabWorld } from "../../../../test/support/gitlab-forge.ts";
import type { Note } from "../../../../test/support/gitlab-server/state.ts";
import type { Commit, TaskId } from "../../../domain/names.ts";
import type { Signals } from "../../../ports/signals.ts";
import { gitLabApprovals, gitLabLabel } from "./signals.ts";

/** Merge requests of task-1 and task-2, and people who look at them. */
async function reviewed(world: GitLabWorld) {
  const wish = intents(world.base);
  const { state } = world.server;
  const heads = new Map<string, { head: Commit; pr: string }>();
  for (const [name, level] of [
    ["ann", 30],
    ["bob", 30],
    ["lead", 40],
    ["guest", 10],
  ] as const)
    state.project.members.set(name, level);
  for (const task of ["task-1", "task-2"]) {
    const head = commitOn(world.repo, (await world.tip("main")) as Commit, { [task]: task });
    const branch = `pawl/${task}`;
    await world.move(branch, head);
    const pr = url(await world.forge.perform({ ...wish.open(head), branch, task: task as TaskId }, "Why", permit));
    heads.set(task, { head, pr });
  }
  const request = (task = "task-1") => state.requests.find(({ source }) => source === `pawl/${task}`)!;
  const note = (user: string, body: string, of: Partial<Note> = {}, task = "task-1") =>
    void request(task).notes.push({ id: state.id(), body, user, at: state.now(), ...of });
  const approve = (user: string, task = "task-1") => {
    request(task).approvals.push({ user, at: state.now() });
    state.did(request(task), user, "approved this merge request");
  };
  const refuse = (user: string, task = "task-1") => {
    request(task).reviewers.set(user, "requested_changes");
    state.did(request(task), user, "requested changes");
  };
  const ask = async (signals: Signals, task = "task-1") => {
    const { head, pr } = heads.get(task)!;
    const { seen } = await signals.ask([{ ...question(task, head), signal: "pr-approved", pr }], permit);
    return seen[0]?.answer ?? null;
  };
  const push = async (task = "task-1") => {
    const head = commitOn(world.repo, heads.get(task)!.head, { "late.txt": "!\n" });
    await world.move(`pawl/${task}`, head);
    return head;
  };
  return { heads, request, note, approve, refuse, ask, push, state };
}
const one = { approvals: 1, from: [] };

signalsContract("approvals on GitLab", async (): Promise<SignalsWorld> => {
  const world = await gitLabWorld();
  const { heads, approve, refuse, note } = await reviewed(world);
  const make = (): Signals => {
    const signals = gitLabApprovals(world.options, one);
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
      if (message || with_ === null) note("ann", message.trim() || "Too early to say", {}, task);
      if (with_ === "approved") approve("ann", task);
      if (with_ === "rejected") refuse("ann", task);
    },
    settle: async () => {},
  };
});

describe("pr-approved on GitLab", () => {
  it("wants so many people who may write there; one counts once, a guest and a stranger never", async () => {
    const world = await gitLabWorld();
    const { approve, note, ask } = await reviewed(world);
    const two = gitLabApprovals(world.options, { approvals: 2, from: [] });
    for (const name of ["ann", "guest", "mallory"]) approve(name);
    expect(await ask(two)).toBe(null);
    note("bob", "fine");
    approve("bob");
    expect(await ask(two)).toMatchObject({
      status: "approved",
      by: expect.stringMatching(/ann.*bob|bob.*ann/),
      message: "fine",
    });
  });

  it("with from, only those count, for and against", async () => {
    const world = await gitLabWorld();
    const { approve, refuse, ask } = await reviewed(world);
    const lead = gitLabApprovals(world.options, { approvals: 1, from: ["Lead"] });
    approve("ann");
    refuse("bob");
    expect(await ask(lead)).toBe(null);
    approve("lead");
    expect(await ask(lead)).toMatchObject({ status: "approved", by: "lead" });
  });

  it.each([true, false])(
    "an approval of an older head is none, though GitLab keeps it; dated by GitLab: %s",
    async (dated) => {
      const world = await gitLabWorld({ project: { datesApprovals: dated } });
      const { heads, approve, ask, push, request } = await reviewed(world);
      const signals = gitLabApprovals(world.options, one);
      approve("ann");
      expect(await ask(signals)).toMatchObject({ status: "approved", head: heads.get("task-1")!.head });
      const head = await push();
      expect(await ask(signals), "asked about a head that is no more").toBe(null);
      heads.set("task-1", { ...heads.get("task-1")!, head });
      expect(await ask(signals), "the approval is older than this head").toBe(null);
      request().approvals.length = 0;
      approve("ann");
      expect(await ask(signals)).toMatchObject({ status: "approved", head });
    },
  );

  it("a push that GitLab has not noticed yet is not approved by what was said before", async () => {
    const world = await gitLabWorld();
    const { heads, approve, ask, push, state } = await reviewed(world);
    const signals = gitLabApprovals(world.options, one);
    state.project.slow = true;
    const head = await push();
    heads.set("task-1", { ...heads.get("task-1")!, head });
    approve("ann");
    expect(await ask(signals)).toBe(null);
    state.catchUp();
    expect(await ask(signals)).toBe(null);
  });

  it("a request for changes gives each open thread as a finding, and stands against approvals until it is taken back", async () => {
    const world = await gitLabWorld();
    const { request, approve, refuse, note, ask } = await reviewed(world);
    const signals = gitLabApprovals(world.options, one);
    approve("bob");
    const position = { new_path: "src/a.ts", new_line: 3 };
    note("ann", "off by one", { position });
    note("ann", "was a typo", { position, resolved: true });
    note("ann", "Not yet");
    refuse("ann");
    const answer = await ask(signals);
    expect(answer).toMatchObject({ status: "rejected", by: "ann", message: "Not yet" });
    expect(answer!.findings).toEqual([{ text: "Not yet" }]);
    expect(answer!.threads).toMatchObject([{ text: "off by one", file: "src/a.ts", line: 3 }]);
    expect(answer!.over).toHaveLength(1);
    request().reviewers.set("ann", "unreviewed");
    expect(await ask(signals)).toMatchObject({ status: "approved", by: "bob" });
  });
});

describe("threads on GitLab", () => {
  it("GitLab's own words say that lines were changed since: a thread says so once, and is open still", async () => {
    const world = await gitLabWorld();
    const { request, note, ask, state } = await reviewed(world);
    const signals = gitLabApprovals(world.options, one);
    note("ann", "off by one", { position: { new_path: "src/a.ts", new_line: 3 } });
    const begun = request().notes.at(-1)!.id;
    const say = (user: string, body: string, system: boolean) =>
      request().notes.push({ id: state.id(), user, body, at: state.now(), system, inReplyTo: begun });
    say("bob", "changed this line in my head", false);
    const before = (await ask(signals))!;
    expect(before.threads).toMatchObject([{ text: "ann: off by one\nbob: changed this line in my head", line: 3 }]);
    say("pawl-bot", "changed this line in [version 2 of the diff](/acme/web/shop/-/merge_requests/1/diffs)", true);
    const after = (await ask(signals))!;
    expect(after.threads![0]!.text).toMatch(/^ann: off by one\n.*\n\(said of lines that were changed since\)$/);
    expect([after.threads![0]!.key, after.over]).toEqual([before.threads![0]!.key, []]);
  });
});

describe("label:NAME on GitLab", () => {
  it("counts when it was put there after the head was pushed, and only while it is there", async () => {
    const world = await gitLabWorld();
    const { heads, request, ask, push, state } = await reviewed(world);
    const signals = gitLabLabel(world.options, "ship it");
    const label = (name = "ship it") => {
      request().labels.add(name);
      request().events.push({ id: state.id(), action: "add", label: name, user: "ann", at: state.now() });
    };
    expect(await ask(signals)).toBe(null);
    label("Ship it");
    expect(await ask(signals), "names of labels have a case").toBe(null);
    label();
    expect(await ask(signals)).toMatchObject({ status: "approved", by: "ann", head: heads.get("task-1")!.head });
    const head = await push();
    expect(await ask(signals), "asked about a head that is no more").toBe(null);
    heads.set("task-1", { ...heads.get("task-1")!, head });
    expect(await ask(signals), "the label is older than this head").toBe(null);
    request().events.push({ id: state.id(), action: "add", label: null, user: "ann", at: state.now() });
    expect(await ask(signals), "another label, which is gone").toBe(null);
    label();
    expect(await ask(signals)).toMatchObject({ status: "approved", head });
    request().labels.delete("ship it");
    expect(await ask(signals)).toBe(null);
  });
});
