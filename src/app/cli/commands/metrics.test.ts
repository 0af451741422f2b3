import { expect, it } from "vitest";
import { ago, row, seed } from "../../../../test/support/scenes.ts";
import { toldStore } from "../../../../test/support/told-store.ts";
import type { Instant } from "../../../domain/names.ts";
import { runProgram } from "../program.ts";

async function pawl(cwd: string, ...args: string[]): Promise<string> {
  let out = "";
  const streams = { stdout: { write: (text: string) => (out += text) }, stderr: { write: () => {} }, stdin: {} };
  expect(await runProgram(args, { cwd, env: { PATH: process.env.PATH, LANG: "C.UTF-8" }, streams })).toBe(0);
  return out;
}

const LEDGER = { reserved: {}, extra: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 }, estimated: [] };
const rows = [
  row("task-1", "One", {
    endings: { crash: 2, "rate-limit": 1, verdict: 4 },
    ledger: {
      ...LEDGER,
      spent: { microUsd: 0, tokens: 61_234, wallMs: 1, spawns: 7 },
      moneyKnown: true,
      unpriced: true,
    },
    doing: {
      kind: "waiting",
      on: { code: "quota", owner: "human", reason: "quota used up: 402", since: ago(60), until: null },
    },
  }),
  row("task-2", "Two", {
    status: "completed",
    phase: null,
    endings: { verdict: 2, stall: 1 },
    finished: ago(9) as Instant,
  }),
];

it("pawl metrics: what ended workers, counted over all tasks; an end that never came is 0, for a monitor's rates", async () => {
  const { repo } = await toldStore({ rows, seeds: [seed("task-3", "Three")] });
  const lines = (await pawl(repo, "metrics")).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# TYPE pawl_worker_endings_total counter",
      'pawl_worker_endings_total{ending="verdict"} 6',
      'pawl_worker_endings_total{ending="crash"} 2',
      'pawl_worker_endings_total{ending="stall"} 1',
      'pawl_worker_endings_total{ending="rate-limit"} 1',
      'pawl_worker_endings_total{ending="host-lost"} 0',
      'pawl_tasks{status="completed"} 1',
      'pawl_tasks_waiting{code="quota",owner="human"} 1',
      "pawl_processor_up 0",
    ]),
  );
});

it("pawl status and pawl show say how workers ended otherwise than by their word, and tokens where no money is known", async () => {
  const { repo } = await toldStore({ rows });
  const status = await pawl(repo, "status");
  expect(status).toContain("workers ended: crash 2, stall 1, rate limit 1\n");
  expect(status).toMatch(/task-1 .* you: quota .* 61k tok\n/);
  expect(status).not.toContain("$0.00");
  expect(await pawl(repo, "show", "task-1")).toMatch(/workers ended: crash 2, rate limit 1 .*61k tok/);
  const json = JSON.parse(await pawl(repo, "status", "--json"));
  expect(json).toMatchObject({ endings: { crash: 2, stall: 1, "rate-limit": 1, verdict: 6 }, cost_usd: null });
  expect(json.tasks[0]).toMatchObject({ cost_usd: null, tokens: 61_234, endings: { crash: 2 } });
});
