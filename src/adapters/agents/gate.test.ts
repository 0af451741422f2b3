import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { house, permit, until } from "../../../test/support/host.ts";
import type { LegKey } from "../../domain/names.ts";
import type { Runtime, SpawnOrder } from "../../ports/runtime.ts";
import { findLeg } from "./leg.ts";

const PLAN = JSON.stringify({
  message_type: "PLAN_SUBMISSION",
  agent_id: "a",
  task_id: "t",
  plan: { approach: "x", ac_mapping: [], files: [], tests: [] },
  submitted_at: "2026-11-28T00:00:00Z",
  head: "c".repeat(40),
});
/** Says its plan, and `then`; after an answer, says where it stands and passes. */
const asks = (then: string): { readonly command: string } => ({
  command: `
if [ -z "$PAWL_RESUME" ]; then
  printf '%s' '${PLAN}' > "$PAWL_RUN_DIR/outbox/.t" && mv "$PAWL_RUN_DIR/outbox/.t" "$PAWL_RUN_DIR/outbox/001-PLAN_SUBMISSION.json"
  echo mine >> src/a.txt
  ${then}
fi
cat "$PAWL_RUN_DIR"/inbox/001-* > "$PAWL_RUN_DIR/heard"
cat src/a.txt > "$PAWL_RUN_DIR/stood"
git commit -qam work
printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"`,
});
const WAITS = `until [ -e "$PAWL_RUN_DIR/inbox/001-GO.json" ]; do sleep 0.05; done`;
const GO = { name: "001-GO.json", message: '{"message_type":"GO"}' };

const see = async (runtime: Runtime, leg: LegKey) => (await runtime.look([leg], permit())).get(leg)!;
const second = (order: SpawnOrder): SpawnOrder => ({
  ...order,
  wish: { ...order.wish, leg: `${order.wish.run}.2` as LegKey, answer: GO },
});

describe("a worker at its gate", () => {
  it("is parked when its process has ended with its question open; the next leg finds the answer, and goes on in the same place", async () => {
    const { runtime, order, ended, parts } = await house();
    const first = order({ program: asks("exit 5") });
    await runtime.spawn(first, permit());
    await until(async () => (await see(runtime, first.wish.leg)).kind === "gate", "it is at its gate");
    await until(async () => Reflect.get(await see(runtime, first.wish.leg), "alive") === false, "it is parked");
    expect(await see(runtime, first.wish.leg)).toEqual({
      kind: "gate",
      gate: "GO",
      seq: 1,
      head: "c".repeat(40),
      alive: false,
      message: PLAN,
    });
    const next = second(first);
    await runtime.spawn(next, permit());
    await ended(next.wish.leg);
    const { run } = findLeg(parts.state, next.wish.leg)!;
    expect(readFileSync(join(run, "heard"), "utf8")).toBe(GO.message);
    expect(readFileSync(join(run, "stood"), "utf8"), "what it had changed is as it was").toContain("mine");
    expect(readdirSync(join(run, "inbox"))).toEqual([GO.name]);
    const end = await runtime.reap(next.wish.leg, permit());
    expect(end).toMatchObject({ how: "verdict", verdict: "PASS", usage: { spawns: 1 }, change: { commits: 1 } });
  });

  it("that lives is answered where it waits; what it waited counts for no limit", async () => {
    const { runtime, order, ended } = await house();
    const wanted = order({ wallMs: 1_500, program: { ...asks(WAITS), stallMs: 700 } });
    const { leg } = wanted.wish;
    await runtime.spawn(wanted, permit());
    await until(async () => Reflect.get(await see(runtime, leg), "alive") === true, "it waits alive");
    const since = performance.now();
    await until(() => performance.now() - since > 2_500, "longer than its limits have passed");
    await runtime.deliver(leg, GO.name, Buffer.from(GO.message), permit());
    await ended(leg);
    const end = await runtime.reap(leg, permit());
    expect(end).toMatchObject({ how: "verdict", verdict: "PASS" });
    expect(end.usage.wallMs).toBeLessThan(2_500);
  });

  it("that was answered just when it went has not read it: its run goes on; once it has said nothing more, that is a crash", async () => {
    const { runtime, order, ended } = await house();
    const first = order({ program: asks(`${WAITS}; exit 5`) });
    await runtime.spawn(first, permit());
    await until(async () => (await see(runtime, first.wish.leg)).kind === "gate", "it is at its gate");
    await runtime.deliver(first.wish.leg, GO.name, Buffer.from(GO.message), permit());
    await until(async () => Reflect.get(await see(runtime, first.wish.leg), "alive") === false, "it is parked");
    const next = {
      ...second(first),
      brief: { ...first.brief, program: { ...first.brief.program, command: "exit 5" } },
    };
    await runtime.spawn(next, permit());
    await ended(next.wish.leg);
    expect(await runtime.reap(next.wish.leg, permit())).toMatchObject({ how: "no-verdict" });
  });

  it("with a verdict, or with a message that is none, is at no gate", async () => {
    const { runtime, order, ended } = await house();
    const over = order({
      task: "task-1",
      program: asks(`printf '{"verdict":"FAIL","detail":"no"}' > "$PAWL_RUN_DIR/verdict.json"; exit 1`),
    });
    await runtime.spawn(over, permit());
    await ended(over.wish.leg);
    const half = order({
      task: "task-2",
      program: { command: `echo '{"message_type":' > "$PAWL_RUN_DIR/outbox/001-PLAN_SUBMISSION.json"; exit 5` },
    });
    await runtime.spawn(half, permit());
    await ended(half.wish.leg);
    expect(await runtime.reap(half.wish.leg, permit())).toMatchObject({ how: "no-verdict" });
  });
});
