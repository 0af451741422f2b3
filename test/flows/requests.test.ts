import { expect, onTestFinished, test } from "vitest";
import { openReader } from "../../src/adapters/store/index.ts";
import type { Instant } from "../../src/domain/names.ts";
import { program } from "../support/program.ts";
import { project, start } from "../support/project.ts";

const CONFIG = `agents: {implementer: {command: "true"}}
signals: {human-approval: {pr: false}}
phases:
  version: 1
  phases:
    review: {run: signal human-approval, on_pass: done, on_fail: review}
`;

test("50 requests of five processes beside a running processor are each answered, none lost, none taken twice", async () => {
  // the eleventh is asked nothing: the processor goes on as long as it waits
  const ids = Array.from({ length: 11 }, (_, i) => `task-${i + 1}`);
  const { repo } = project({
    config: CONFIG,
    tasks: Object.fromEntries(ids.map((id) => [id, "Do it"])),
  });
  const run = await start(repo);
  void run.run();
  for (const id of ids) await run.fact("asking-started", id, () => true, 60_000);
  const names = ["a", "bb", "ccc", "dddd", "eeeee"];
  const programs = await Promise.all(
    names.map((name) => program("test/fixtures/requester.ts", [run.processor.settings.store, name, "10"])),
  );
  const replies: { id: string; accepted: boolean; reply: string }[] = [];
  for (const one of programs)
    for (let line = await one.line(); line !== null; line = await one.line()) replies.push(JSON.parse(line));
  expect(new Set(replies.map(({ id }) => id)).size).toBe(50);
  const answered = run.facts.flatMap((fact) => (fact.kind === "command-answered" ? [fact.id] : []));
  expect(answered).toHaveLength(50);
  expect(new Set(answered).size).toBe(50);
  for (const { reply } of replies) expect(reply).not.toBe("");
  // what was accepted happened exactly once: an answer per accepted approve or reject, an end per accepted cancel
  const accepted = replies.filter((reply) => reply.accepted).map(({ reply }) => reply.split(" ")[0]);
  const facts = run.facts.map((fact) => fact.kind);
  expect(facts.filter((kind) => kind === "signal-answered")).toHaveLength(
    accepted.filter((word) => word !== "cancelled").length,
  );
  expect(facts.filter((kind) => kind === "task-failed")).toHaveLength(
    accepted.filter((word) => word === "cancelled").length,
  );
}, 120_000);

test("a stop that comes while a processor starts ends it, before it has begun anything", async () => {
  const config = `agents: {implementer: {command: "true"}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
`;
  const { repo } = project({ config, tasks: { "task-1": "Do it" } });
  const run = await start(repo);
  const inbox = await openReader(run.processor.settings.store);
  onTestFinished(() => inbox.close());
  const command = { do: "stop", workers: false } as const;
  await inbox.post({ id: "stop-1", by: "lead", task: null, command, at: Date.now() as Instant });
  expect(await run.run()).toMatchObject({ kind: "stopped", workers: false });
  expect(await inbox.reply("stop-1")).toMatchObject({ accepted: true });
  expect(run.facts.filter(({ kind }) => kind === "worker-spawned")).toEqual([]);
});
