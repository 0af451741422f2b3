import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ticksIn } from "../../src/app/log/read-log.ts";
import { replay } from "../../src/app/log/replay.ts";
import type { LoggedTick } from "../../src/ports/store.ts";

/**
 * Logs of real runs, as `pawl export` wrote them. They are never made anew: a build that decides one of them otherwise
 * than the build that wrote it would go on otherwise in a store that somebody has.
 */
const LOGS = join(import.meta.dirname, "logs");
const logs = readdirSync(LOGS);

describe("histories", () => {
  const read = (name: string) => ticksIn(join(LOGS, name), process.stdin);

  test.each(logs)("%s is decided as it was", async (name) => {
    const { difference, ticks, facts } = await replay(read(name));
    expect(difference).toBeNull();
    expect(ticks).toBeGreaterThan(20);
    expect(facts).toBeGreaterThan(ticks);
  });

  test("together they hold a merge conflict, gates, a second life of the processor, and what is done about each", async () => {
    const kinds = new Set<string>();
    let lives = 0;
    for (const name of logs)
      for await (const { inputs, facts } of read(name)) {
        for (const { kind } of facts) kinds.add(kind);
        lives += inputs.filter(({ kind }) => kind === "processor-started").length;
      }
    for (const kind of [
      "conflict-met",
      "gate-opened",
      "gate-answered",
      "worker-parked",
      "finding-fixed",
      "merge-landed",
    ])
      expect(kinds).toContain(kind);
    expect(lives).toBeGreaterThan(logs.length);
  });

  test("a log whose end is told otherwise is not decided as it was: the first fact that differs is named", async () => {
    async function* forged(): AsyncGenerator<LoggedTick> {
      for await (const tick of read(logs[0]!))
        yield {
          ...tick,
          facts: tick.facts.map((fact) =>
            fact.kind === "worker-ended" ? { ...fact, at: 1 } : fact,
          ) as typeof tick.facts,
        };
    }
    const { difference } = await replay(forged());
    expect(difference?.logged).toMatchObject({ kind: "worker-ended", at: 1 });
    expect(difference?.decided).toMatchObject({ kind: "worker-ended", at: difference?.tick.now });
    expect(difference?.tick.facts[difference.index]).toBe(difference?.logged);
  });
});
