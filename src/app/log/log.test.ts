import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { project, start, WORKER } from "../../../test/support/project.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { ticksIn } from "./read-log.ts";

const pawl = (cwd: string, ...args: readonly string[]) => commandLine(cwd, args);

const CONFIG = "agents: {implementer: {command: agents/work.sh}, verifier: {command: agents/work.sh}}\nphases: auto\n";

describe("pawl export and pawl replay", () => {
  test("a log is exported while its processor runs, and decided again to the same facts; a changed one says where and why", async () => {
    const { repo } = project({
      config: CONFIG,
      tasks: { "task-1": "One.", "task-2": "Two." },
      files: { "agents/work.sh": WORKER },
    });
    const run = await start(repo, { only: new Set(["task-1" as never]) });
    const running = run.run("terminal");
    await run.fact("task-completed", "task-1");
    const during = await pawl(repo, "export");
    expect(during.code).toBe(0);
    await running;
    await run.stop();

    const { out } = await pawl(repo, "export");
    const lines = out.trimEnd().split("\n");
    expect(JSON.parse(lines[0]!)).toEqual({ log: "pawl", version: 1, build: expect.stringMatching(/^\d/) });
    expect(out.startsWith(during.out)).toBe(true); // it only grows
    expect(lines.length - 1).toBe(run.ticks.length);
    for (const [i, line] of lines.slice(1).entries())
      expect(JSON.parse(line)).toMatchObject({ seq: i + 1, facts: JSON.parse(JSON.stringify(run.ticks[i]!.facts)) });

    const facts = join(repo, "facts.jsonl");
    writeFileSync(facts, out);
    for (const args of [[], [facts]]) {
      const same = await pawl(repo, "replay", ...args);
      expect(same).toMatchObject({ code: 0, err: "" });
      expect(same.out).toMatch(/^\d+ ticks and \d+ facts: this build .* decides each as it is in the log\n$/);
    }
    // the store is not needed for a file
    rmSync(join(repo, ".pawl"), { recursive: true });
    writeFileSync(facts, out.replace('"kind":"task-completed"', '"kind":"task-failed"'));
    const other = await pawl(repo, "replay", facts);
    expect(other.code).toBe(1);
    expect(other.out).toMatch(
      /is decided otherwise, at fact \d+ of \d+:\n {2}in the log .*"task-failed".*\n {2}this build .*"task-completed"/,
    );
    const document = JSON.parse((await pawl(repo, "replay", facts, "--json")).out);
    expect(document).toMatchObject({
      ok: false,
      difference: { logged: { kind: "task-failed" }, decided: { kind: "task-completed" } },
    });
    expect((await pawl(repo, "export")).err).toContain("error[STORE_MISSING]");
  });

  test.each([
    ["nothing", "", "LOG_BAD", "the log is empty"],
    ["another file", '{"name":"x"}\n', "LOG_BAD", "does not begin with"],
    ["a newer format", '{"log":"pawl","version":2,"build":"9"}\n', "LOG_NEWER", "version 2"],
    ["half a line", '{"log":"pawl","version":1,"build":"1"}\n{"seq":1,"no', "LOG_BAD", "it is no JSON"],
    [
      "a tick without facts",
      '{"log":"pawl","version":1}\n{"seq":1,"now":1,"epoch":1,"build":"","inputs":[]}\n',
      "LOG_BAD",
      "its facts",
    ],
    [
      "a gap",
      '{"log":"pawl","version":1}\n{"seq":2,"now":1,"epoch":1,"build":"","inputs":[],"facts":[]}\n',
      "LOG_GAP",
      "from tick 0 to tick 2",
    ],
  ])("a file that holds %s is refused", async (_, text, code, words) => {
    const folder = scratch();
    writeFileSync(join(folder, "facts.jsonl"), text);
    const said = await pawl(folder, "replay", "facts.jsonl");
    expect(said.code).toBe(2);
    expect(said.err).toContain(`error[${code}]`);
    expect(said.err).toContain(words);
  });

  test("a file that is not there is said; what stdin holds is read with -", async () => {
    expect((await pawl(scratch(), "replay", "no.jsonl")).err).toContain("error[FILE_UNREADABLE]");
    const stdin = Readable.from([
      '{"log":"pawl","version":1}\n{"seq":1,"now":5,',
      '"epoch":1,"build":"b","inputs":[],"facts":[]}\n',
    ]);
    const ticks = [];
    for await (const tick of ticksIn(null, stdin)) ticks.push(tick);
    expect(ticks).toEqual([{ seq: 1, now: 5, epoch: 1, build: "b", inputs: [], facts: [] }]);
  });
});
