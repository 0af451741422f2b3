import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { openReader } from "../../src/adapters/store/index.ts";
import { replay } from "../../src/app/log/replay.ts";
import type { Fact } from "../../src/domain/fact.ts";
import { isTrace } from "../../src/domain/intent.ts";
import type { TaskId } from "../../src/domain/names.ts";
import type { Task } from "../../src/domain/task.ts";
import type { Parts } from "../../src/engine/parts.ts";
import type { Store } from "../../src/ports/store.ts";
import { ask, project, start, verdict, WORKER } from "../support/project.ts";

const CONFIG = `agents: {implementer: {command: agents/work.sh}}
limits: {max_workers: 3}
defaults: {authorized_files: ["task-*.txt"]}
signals: {gauge: {command: "true", every: 1s}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: gauge, on_fail: implement}
    gauge: {run: signal gauge, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: merge, on_fail: ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
/** Everything that acts, each with what has to be in the log before it does. */
function watched(parts: Parts, seen: { readonly early: string[]; acts: number }): Parts {
  const { store, runtime, forge, signals, channels } = parts;
  const mustStand = async (what: string, stands: (fact: Fact) => boolean) => {
    seen.acts++;
    const ticks = await store.ticks(0, 1_000);
    if (!ticks.some(({ facts }) => facts.some(stands))) seen.early.push(what);
  };
  const intended = (key: string) => (fact: Fact) => fact.kind === "effect-intended" && fact.intent.key === key;
  const spawned = (leg: string) => (fact: Fact) =>
    fact.kind === "effect-intended" && fact.intent.kind === "spawn" && fact.intent.wish.leg === leg;
  return {
    ...parts,
    runtime: {
      ...runtime,
      async spawn(order, permit) {
        await mustStand(`spawn ${order.wish.leg}`, spawned(order.wish.leg));
        return runtime.spawn(order, permit);
      },
    },
    forge: {
      ...forge,
      async perform(intent, body, permit) {
        if (isTrace(intent)) await mustStand(intent.key, intended(intent.key));
        return forge.perform(intent, body, permit);
      },
    },
    signals: new Map(
      [...signals].map(([name, source]) => [
        name,
        {
          ...source,
          // asked again and again
          async *rung(signal: AbortSignal) {
            for (let i = 1; !signal.aborted; i++, await setImmediate()) if (i % 1000 === 0) yield;
          },
          async ask(questions, permit) {
            for (const { task } of questions)
              await mustStand(`${name} of ${task}`, (fact) => fact.kind === "asking-started" && fact.task === task);
            return source.ask(questions, permit);
          },
        },
      ]),
    ),
    channels: channels.map((channel) => ({
      async notify(notice, permit) {
        await mustStand(notice.key, intended(notice.key));
        return channel.notify(notice, permit);
      },
    })),
  };
}

/** A store that takes its time for each commit: much else goes on meanwhile. */
const slow = (store: Store, begun: number[]): Store => ({
  ...store,
  async commit(epoch, ...ticks) {
    begun.push(ticks.length);
    for (let i = 0; i < 200; i++) await setImmediate();
    return store.commit(epoch, ...ticks);
  },
});

describe("what is decided is durable before it is acted on", () => {
  test("also where a commit takes long and turns are decided meanwhile; the log is decided alike again", async () => {
    const ids = ["task-1", "task-2", "task-3", "task-4", "task-5"];
    const { repo } = project({
      config: CONFIG,
      tasks: Object.fromEntries(ids.map((id) => [id, `The work of ${id}`])),
      files: { "agents/work.sh": WORKER },
    });
    const seen = { early: [] as string[], acts: 0 };
    const begun: number[] = [];
    const run = await start(repo, {
      wrap: (parts) => ({ ...watched(parts, seen), store: slow(parts.store, begun) }),
    });
    await run.run("idle");
    expect(ids.map((id) => run.task(id).status)).toEqual(ids.map(() => "completed"));
    expect(seen.early).toEqual([]);
    expect(seen.acts).toBeGreaterThanOrEqual(ids.length * 4);
    expect(begun.some((ticks) => ticks > 1)).toBe(true);
    await run.stop();
    const seqs = run.ticks.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    const log = run.ticks.map(({ seq, now, inputs, facts }) => ({ seq, now, epoch: 1, build: "test", inputs, facts }));
    expect(await replay(each(JSON.parse(JSON.stringify(log)) as typeof log))).toMatchObject({ difference: null });
  });

  test("a store that fails in the middle ends the processor with its word, and nothing of that turn was started", async () => {
    const { repo } = project({
      config: CONFIG,
      tasks: { "task-1": "One", "task-2": "Two" },
      files: { "agents/work.sh": WORKER },
    });
    const spawned: string[] = [];
    const run = await start(repo, {
      wrap: (parts) => ({
        ...parts,
        runtime: {
          ...parts.runtime,
          spawn: (order, permit) => {
            spawned.push(order.wish.leg);
            return parts.runtime.spawn(order, permit);
          },
        },
        store: {
          ...parts.store,
          async commit(epoch, ...ticks) {
            if (ticks.some(({ facts }) => facts.some(({ kind }) => kind === "effect-intended")))
              throw new Error("the disk went away");
            return parts.store.commit(epoch, ...ticks);
          },
        },
      }),
    });
    await expect(run.run("idle")).rejects.toThrow("the disk went away");
    expect([spawned, run.facts.some(({ kind }) => kind === "effect-intended")]).toEqual([[], false]);
  });

  test("a request about a task that ended a moment ago finds its row, though that is still on its way", async () => {
    const agent = `${verdict("FAIL", "not today").replace("#!/bin/sh -e\n", '#!/bin/sh -e\n[ -e "$PAWL_RUN_DIR/../../once" ] || {\n')}touch "$PAWL_RUN_DIR/../../once"\nexit; }
${WORKER.split("\n").slice(1).join("\n")}`;
    const { repo } = project({
      config: CONFIG.replace("limits: {", "limits: {max_task_rounds: 1, "),
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": agent },
    });
    let isEnding = false;
    const run = await start(repo, {
      wrap: (parts) => ({
        ...parts,
        inbox: {
          ...parts.inbox,
          // an answer that takes its time: what it brings comes while the last row is written
          async unread(limit) {
            const requests = await parts.inbox.unread(limit);
            while (requests.length > 0 && !isEnding) await setImmediate();
            return requests;
          },
        },
        store: {
          ...parts.store,
          async commit(epoch, ...ticks) {
            if (ticks.some(({ rows }) => rows.some(isOver))) {
              isEnding = true;
              for (let i = 0; i < 200; i++) await setImmediate();
            }
            return parts.store.commit(epoch, ...ticks);
          },
        },
      }),
    });
    const answer = ask(run, "task-1", { do: "retry", from: null });
    await run.run("idle");
    expect(await answer).toMatchObject({ accepted: true });
    expect(isEnding).toBe(true);
    await run.stop();
    const reader = await openReader(run.processor.settings.store);
    onTestFinished(() => reader.close());
    expect(await reader.task("task-1" as TaskId)).toMatchObject({ status: "completed", chores: [] });
  });
});

/** Its row is let go with this. */
const isOver = (row: Task): boolean => row.status === "failed" && row.chores.length === 0;

async function* each<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}
