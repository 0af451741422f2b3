import { expect, test } from "vitest";
import type { ModelRequest } from "../../src/ports/model.ts";
import { work } from "../../src/tactics/worker.ts";
import { memoryCheckout, memoryJournal, memoryWorker } from "../support/memory-worker.ts";
import { isPlanner, patternIn, plannerSays, type Says, scriptedMind } from "../support/scripted-mind.ts";
import { sensible } from "../support/sensible-mind.ts";

const LOST = "edits that no commit holds were taken away: src/add.mjs is as the last commit has it";
const isTold = (request: ModelRequest): boolean => JSON.stringify(request.turns).includes(LOST);

/** Believes that its edits are there, until it is told that they are not. */
function believing(request: ModelRequest): Says {
  const { turns } = request;
  if (isPlanner(request)) {
    const [text = ""] = (turns[0] as { text: string }).text.split(LOST).slice(-1);
    const isDone = text.includes("- code_modify: done");
    return isDone
      ? plannerSays({ action: "COMPLETE", reasoning: "" })
      : plannerSays({ action: "EXECUTE", task_type: "code_modify", goals: ["add adds"], reasoning: "" });
  }
  if (patternIn(request) !== "code_modify") return sensible(request);
  const from = turns.findLastIndex((turn) => JSON.stringify(turn).includes(LOST));
  return sensible({ ...request, turns: turns.slice(from < 0 ? 0 : from + 1) });
}

async function life(written: string[], checkout = memoryCheckout(), stopAt = Number.POSITIVE_INFINITY) {
  const stop = new AbortController();
  const mind = scriptedMind((request, n) => {
    if (n === stopAt) stop.abort();
    return believing(request);
  });
  const said: string[] = [];
  const { parts, assignment } = memoryWorker({ mind, checkout, journal: memoryJournal(written), said });
  const end = await work(assignment, parts, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
    return { how: "stopped" } as const;
  });
  return { end, mind, said, checkout, written: parts.journal as ReturnType<typeof memoryJournal> };
}

test("wherever a worker was stopped when its edits were taken away: its minds are told before they say anything, and make them again", async () => {
  const whole = await life([]);
  expect(whole.end).toMatchObject({ how: "finished", verdict: "PASS" });
  const losses: string[] = [];
  for (let at = 1; at <= whole.mind.asked.length; at++) {
    const first = await life([], memoryCheckout(), at);
    expect(first.end.how).toBe("stopped");
    const { checkout } = first;
    const dirty = await checkout.hands.dirty();
    for (const path of dirty) checkout.files.set(path, checkout.base.get(path)!);
    const second = await life(first.written.written, checkout);
    expect(second.end, `stopped at question ${at}`).toMatchObject({ how: "finished", verdict: "PASS" });
    expect(checkout.files.get("src/add.mjs")).toContain("a + b");
    expect(second.mind.asked.map(isTold)[0], `stopped at question ${at}`).toBe(dirty.length > 0);
    if (dirty.length > 0) losses.push(...second.said.filter((line) => line.startsWith("lost ")));
  }
  expect(new Set(losses)).toEqual(
    new Set(["lost      src/add.mjs: edited since the last commit, and not there any more"]),
  );
  expect(losses.length).toBeGreaterThan(1);
});
