import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createHost } from "../../src/adapters/agents/host.ts";
import { SCREEN_FOLDER } from "../../src/adapters/agents/screen-work.ts";
import { answerQuestion } from "../../src/app/device/asked-in-folder.ts";
import type { LegKey } from "../../src/domain/names.ts";
import { type RuntimeWorld, runtimeContract } from "../contracts/runtime.contract.ts";
import { type AcpHouse, acpHouse } from "../support/acp-agent/acp-house.ts";
import type { Step } from "../support/acp-agent/script.ts";
import { permit, until } from "../support/host.ts";
import { IS_LONG, long } from "../support/long.ts";

const SET: Step = { do: "write", path: "src/one.txt", text: "1\n" };
const END: Step = { do: "write", path: "src/two.txt", text: "2\n" };

/** What it was told in its prompts, without the manner of work. */
const prompts = (home: AcpHouse) =>
  home.heard().flatMap(({ what, text }) => (what === "session/prompt" ? [String(text)] : []));
const marks = (home: AcpHouse) => prompts(home).map((text) => /\[pawl (\S+)\]\n$/.exec(text)?.[1]);
const count = (home: AcpHouse, what: string) => home.heard().filter((one) => one.what === what).length;

/** The first run of task-1, whose worker is killed (with its agent) when the agent has done the first step. */
async function killedInTheMiddle(home: AcpHouse, sessions: string | null): Promise<void> {
  const turns = [[SET, { do: "hang" } as const], [END]];
  const wanted = home.acp({ turns, ...(sessions === null ? {} : { sessions }) });
  const order = home.order(wanted);
  await home.runtime.spawn(order, permit());
  await until(() => count(home, "wrote") === 1, "the first file is written");
  const folder = join(home.parts.state, "runs/task-1/01-implement-a1/leg-1");
  const { agent } = JSON.parse(readFileSync(join(folder, "claim.json"), "utf8"));
  process.kill(agent.pid, "SIGKILL");
  await home.ended(order.wish.leg as LegKey);
  expect(await home.runtime.reap(order.wish.leg as LegKey, permit())).toMatchObject({ how: "no-verdict" });
}

/** The run that the processor begins after it. */
const again = (home: AcpHouse, sessions: string | null, steps: readonly Step[] = [END]) =>
  home.through(
    home.acp(
      {
        turns: sessions === null ? [steps] : [[{ do: "say", text: "not asked" }], steps],
        ...(sessions === null ? {} : { sessions }),
      },
      { visit: 2 },
    ),
  );

it("after a crash the session is loaded and goes on: what was said in it is not said again", async () => {
  const home = await acpHouse();
  const sessions = home.file("sessions");
  await killedInTheMiddle(home, sessions);
  expect(await again(home, sessions)).toMatchObject({ verdict: "PASS", change: { files: 2 } });
  expect(count(home, "session/new")).toBe(1);
  expect(count(home, "session/load")).toBe(1);
  expect(marks(home)).toEqual(["task/task-1/1/1", "go-on/task-1/2/1.1"]);
  expect(prompts(home)[1]).toContain("What is done stays done");
  expect(prompts(home)[1]).toContain("?? src/one.txt");
  expect(prompts(home)[1]).not.toContain("Do task-1.");
});

it("an agent that has lost the session begins another, and is told what was done", async () => {
  const home = await acpHouse();
  const sessions = home.file("sessions");
  await killedInTheMiddle(home, sessions);
  rmSync(sessions, { recursive: true });
  await again(home, sessions, [END]);
  expect(count(home, "session/load")).toBe(1);
  expect(count(home, "session/new")).toBe(2);
  expect(marks(home)).toEqual(["task/task-1/1/1", "task/task-1/2/1"]);
  expect(prompts(home)[1]).toContain("Do task-1.");
  expect(prompts(home)[1]).toMatch(/## What was done so far[\s\S]*\?\? src\/one\.txt/);
});

it("an agent that cannot load sessions begins another", async () => {
  const home = await acpHouse();
  await killedInTheMiddle(home, null);
  expect(await again(home, null)).toMatchObject({ verdict: "PASS", change: { files: 2 } });
  expect(count(home, "session/load")).toBe(0);
  expect(marks(home)).toEqual(["task/task-1/1/1", "task/task-1/2/1"]);
});

it("a message that was kept and never came is sent, once", async () => {
  const home = await acpHouse();
  const sessions = home.file("sessions");
  await killedInTheMiddle(home, sessions);
  // the crash fell between our note that we send, and the sending
  const { session } = JSON.parse(
    readFileSync(join(home.parts.state, "runs/task-1/01-implement-a1/session.json"), "utf8"),
  );
  writeFileSync(join(sessions, `${session}.json`), "[]");
  expect(await again(home, sessions)).toMatchObject({ how: "verdict" });
  expect(count(home, "session/load")).toBe(1);
  expect(marks(home)).toEqual(["task/task-1/1/1", "task/task-1/2/1"]);
});

it("parked at a gate it ends its turn, and its next leg gets the answer in the same session", async () => {
  const home = await acpHouse();
  const sessions = home.file("sessions");
  const plan = { approach: "add it", ac_mapping: [], files: [{ path: "src/two.txt", changes: ["new"] }], tests: [] };
  const turns = [[{ do: "mcp", tool: "submit_plan", input: { plan } } as const], [END]];
  const wanted = home.acp({ turns, sessions });
  const first = home.order(wanted);
  const leg = first.wish.leg as LegKey;
  await home.runtime.spawn(first, permit());
  const seen = async () => (await home.runtime.look([leg], permit())).get(leg);
  await until(async () => (await seen())?.kind === "gate", "it waits at its gate");
  await until(async () => ((await seen()) as { alive?: boolean })?.alive === false, "it has ended its turn");
  expect(home.heard().find(({ what }) => what === "tool")?.text).toContain("end your turn now");
  const answer = { message_type: "GO", in_reply_to: "001-PLAN_SUBMISSION.json", by: "lead" };
  await home.runtime.deliver(leg, "001-GO.json", Buffer.from(JSON.stringify(answer)), permit());
  expect(await home.through({ ...wanted, n: 2 })).toMatchObject({ verdict: "PASS", change: { files: 1 } });
  expect(count(home, "session/new")).toBe(1);
  expect(marks(home)).toEqual(["task/task-1/1/1", "answer/task-1/1/1/1"]);
  expect(prompts(home)[1]).toMatch(/^GO: the owner agrees/);
});

it("stopped, its turn is cancelled, and nothing of it lives", async () => {
  const home = await acpHouse();
  const order = home.order(home.acp([SET, { do: "hang" }]));
  const leg = order.wish.leg as LegKey;
  await home.runtime.spawn(order, permit());
  await until(() => count(home, "wrote") === 1, "it works");
  await home.runtime.stop(leg, "stopped", permit());
  expect(await home.runtime.reap(leg, permit())).toMatchObject({ how: "stopped" });
  expect(count(home, "session/cancel")).toBe(1);
  await home.leaveNothing();
});

/** The question that lies in a run's folder; null: none. */
const questionIn = (folder: string): Parameters<typeof answerQuestion>[1] | null =>
  existsSync(join(folder, "question.json")) ? JSON.parse(readFileSync(join(folder, "question.json"), "utf8")) : null;

it("what only a person may allow is asked, and done or left as they say; while they think that is no silence", async () => {
  const home = await acpHouse();
  const asks: Step = { do: "ask", kind: "execute", title: "make", options: ["allow_once", "reject_once"] };
  const wanted = home.acp([asks, { ...asks, title: "rm -rf build" }, SET], { flags: ["--permit", "execute=ask"] });
  const order = home.order(wanted);
  const leg = order.wish.leg as LegKey;
  await home.runtime.spawn(order, permit());
  const run = join(home.parts.state, "runs/task-1/01-implement-a1");
  const folder = join(run, SCREEN_FOLDER);
  for (const [title, answer] of [
    ["make", "yes"],
    ["rm -rf build", "no, it is needed"],
  ] as const) {
    await until(() => questionIn(folder)?.question.includes(title) ?? false, `it asks for ${title}`);
    const { activity } = JSON.parse(readFileSync(join(run, "progress.json"), "utf8"));
    expect(activity).toContain(`may it execute: ${title}? (yes or no) pawl answer task-1 yes`);
    answerQuestion(folder, questionIn(folder)!, answer, "lead");
  }
  await home.ended(leg);
  expect(await home.runtime.reap(leg, permit())).toMatchObject({ verdict: "PASS" });
  const chosen = home.heard().flatMap(({ what, chosen }) => (what === "permission" ? [chosen] : []));
  expect(chosen).toEqual(["allow_once", "reject_once"]);
});

it("stopped while a person is asked, it is stopped, and not blocked", async () => {
  const home = await acpHouse();
  const asks: Step = { do: "ask", kind: "execute", title: "make", options: ["allow_once"] };
  const order = home.order(home.acp([asks, SET], { flags: ["--permit", "execute=ask"] }));
  const leg = order.wish.leg as LegKey;
  await home.runtime.spawn(order, permit());
  const folder = join(home.parts.state, "runs/task-1/01-implement-a1", SCREEN_FOLDER);
  await until(() => questionIn(folder) !== null, "it asks");
  await home.runtime.stop(leg, "stopped", permit());
  expect(await home.runtime.reap(leg, permit())).toMatchObject({ how: "stopped" });
  expect(questionIn(folder)).toBeNull();
});

it("an agent that takes no notice of being stopped is ended all the same", async () => {
  const home = await acpHouse();
  const order = home.order(home.acp({ turns: [[SET, { do: "hang" }]], isDeaf: true }));
  const leg = order.wish.leg as LegKey;
  await home.runtime.spawn(order, permit());
  await until(() => count(home, "wrote") === 1, "it works");
  await home.runtime.stop(leg, "stopped", permit());
  expect(await home.runtime.reap(leg, permit())).toMatchObject({ how: "stopped" });
  await home.leaveNothing();
  expect(existsSync(join(home.parts.state, "worktrees/task-1/src/one.txt"))).toBe(true);
});

/** What holds for a command (see host.test.ts) holds for an agent that speaks ACP: the driver is the same. */
const contractWorld = async (): Promise<RuntimeWorld> => {
  const home = await acpHouse();
  const go = join(dirname(home.repo), "go");
  const scripts: Record<string, readonly Step[]> = {
    passes: [SET],
    waits: [{ do: "wait", file: go }, SET],
    spends: [{ do: "usage", costUsd: 0.5 }, { do: "wait", file: go }, SET],
  };
  const more = { spends: { reserve: { microUsd: 10_000, tokens: 0, wallMs: 0, spawns: 1 } } };
  return {
    runtime: home.runtime,
    another: () => createHost(home.parts),
    order: (task, kind) =>
      kind === "exit-7"
        ? home.order({ task, purpose: "action", program: { command: "exit 7", verdict: "exit" } })
        : home.order(home.acp(scripts[kind]!, { task, ...(kind === "spends" ? more.spends : {}) })),
    release: () => writeFileSync(go, ""),
    starts: () => home.heard().filter(({ what }) => what === "started").length,
  };
};
if (IS_LONG) runtimeContract("host, with agents that speak ACP", contractWorld);
else long("the runtime's contract, with agents that speak ACP", () => {});
