import { expect, test } from "vitest";
import { commandLine } from "../../../../test/support/command-line.ts";
import { project, start, WORKER } from "../../../../test/support/project.ts";

test("a reader sees each tick once, as it is committed, in lines and as JSON, and ends when the processor does", async () => {
  const { repo } = project({
    config: "agents: {implementer: {command: agents/work.sh}, verifier: {command: agents/work.sh}}\nphases: auto\n",
    tasks: { "task-1": "One.", "task-2": "Two." },
    files: { "agents/work.sh": WORKER },
  });
  const run = await start(repo);
  await run.processor.engine.step(); // the store is there, and everything of it is still to come
  const before = run.ticks.at(-1)!.seq;
  const began: Promise<void>[] = [];
  const [all, one, lines] = ["--json", "task-2 --json", ""].map((args) => {
    let ready = () => {};
    began.push(
      new Promise((resolve) => {
        ready = resolve;
      }),
    );
    return commandLine(repo, ["watch", ...args.split(" ").filter(Boolean)], {}, (text) => {
      if (text.startsWith("watching")) ready();
    });
  });
  await Promise.all(began);
  await run.run("terminal");
  await run.stop();
  const [said, mine, told] = await Promise.all([all!, one!, lines!]);
  for (const { code } of [said, mine, told]) expect(code).toBe(0);

  const ticks = said.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const first = ticks[0].seq;
  expect(first).toBeGreaterThan(before - 1);
  expect(ticks.map(({ seq }) => seq)).toEqual(run.ticks.map(({ seq }) => seq).filter((seq) => seq >= first));
  for (const { seq, facts } of ticks)
    expect(facts).toEqual(JSON.parse(JSON.stringify(run.ticks.find((tick) => tick.seq === seq)!.facts)));
  expect(said.err).toMatch(/watching pid \d+ on \S+, epoch 1\nthe processor has ended\n$/);
  const about = mine.out
    .trimEnd()
    .split("\n")
    .flatMap((line) => JSON.parse(line).facts.map(({ task }: { task: string }) => task));
  expect(new Set(about)).toEqual(new Set(["task-2"]));
  expect(told.out).toMatch(/^\d\d:\d\d:\d\d task-1 .* completed/m);
  const unknown = await commandLine(repo, ["watch", "task-9"]);
  expect([unknown.code, unknown.err]).toEqual([6, expect.stringContaining("TASK_UNKNOWN")]);
});
