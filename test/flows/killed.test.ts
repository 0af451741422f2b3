import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import type { Identity } from "../../src/ports/system.ts";
import { project, start, WORKER } from "../support/project.ts";

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
