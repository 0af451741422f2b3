import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import type { Identity } from "../../src/ports/system.ts";
import { project, start, WORKER } from "../support/project.ts";
import { write } from "../support/scratch.ts";

const CONFIG = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
`;
/** works until the file go is there */
const HELD = `#!/bin/sh -e
while [ ! -e "$PAWL_RUN_DIR/../../go" ]; do sleep 0.05; done
${WORKER.split("\n").slice(1).join("\n")}`;

test("processor, driver and worker killed together: the task goes on at once, with no round and no crash", async () => {
  const { repo, state } = project({ config: CONFIG, tasks: { "task-1": "One" }, files: { "agents/work.sh": HELD } });
  const first = await start(repo);
  void first.run();
  await first.fact("worker-spawned", "task-1");
  const path = `${state}/runs/task-1/01-implement-a1/leg-1/claim.json`;
  const claim = () => JSON.parse(readFileSync(path, "utf8")) as { driver: Identity; agent: Identity | null };
  await expect.poll(() => existsSync(path) && claim().agent !== null, { timeout: 10_000 }).toBe(true);
  await first.stop();
  const processes = systemProcesses();
  for (const who of [claim().driver, claim().agent!]) await processes.signal(who, "SIGKILL", "process");

  const second = await start(repo);
  void second.run();
  // what is left of the first leg must not come to its end before it is found
  await second.fact("worker-ended", "task-1");
  writeFileSync(`${state}/runs/go`, "");
  await second.fact("task-completed", "task-1");
  expect(second.facts.find((fact) => fact.kind === "worker-ended")).toMatchObject({
    end: { how: "killed", by: "kill" },
  });
  expect(second.task("task-1")).toMatchObject({
    round: 0,
    counts: { crashes: 0, infra: 0 },
    findings: [],
    ledger: { spent: { spawns: 2 } },
  });
});

const ASKED = CONFIG.replace("on_pass: done", "on_pass: review").concat(
  "    review: {run: signal human-approval, on_pass: done, on_fail: implement}\n",
);

test("a rejection whose file was not put away before a crash takes no later approval along", async () => {
  const { repo, state } = project({ config: ASKED, tasks: { "task-1": "One" }, files: { "agents/work.sh": HELD } });
  const first = await start(repo);
  void first.run();
  write(state, { "runs/go": "" });
  await first.fact("asking-started", "task-1");
  rmSync(`${state}/runs/go`); // the second run works until the processor was started again
  write(state, { "inbox/task-1.reject": "again" });
  await first.fact("signal-answered", "task-1");
  const taken = join(state, "inbox/taken");
  await expect.poll(() => existsSync(taken) && readdirSync(taken).length, { timeout: 10_000 }).toBe(1);
  await first.stop();
  const [name = ""] = readdirSync(taken);
  renameSync(join(taken, name), join(state, "inbox/task-1.reject")); // as it is after a crash between the two

  const second = await start(repo);
  expect(readdirSync(taken)).toEqual([name]);
  write(state, { "inbox/task-1.approve": "now", "runs/go": "" });
  void second.run();
  await second.fact("task-completed", "task-1");
  expect(second.facts.filter((fact) => fact.kind === "signal-answered")).toHaveLength(1);
});
