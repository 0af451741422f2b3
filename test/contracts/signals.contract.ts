import { describe, expect, it } from "vitest";
import type { SignalAnswer } from "../../src/domain/input.ts";
import type { Commit, Instant, TaskId } from "../../src/domain/names.ts";
import type { Question, Signals } from "../../src/ports/signals.ts";

/** Somebody who can be made to answer. */
export interface SignalsWorld {
  readonly signals: Signals;
  /** as another process would have it */
  another(): Signals;
  /** null: does not answer, or says that it is too early */
  answer(task: TaskId, with_: "approved" | "rejected" | null, message?: string): Promise<void>;
  /** until an answer that was just given counts */
  settle(): Promise<void>;
}

export const permit = { epoch: 1, signal: new AbortController().signal };
export const question = (task: string, head = "a".repeat(40)): Question => ({
  task: task as TaskId,
  signal: "human-approval",
  title: "Search by colour",
  head: head as Commit,
  branch: `pawl/${task}`,
  base: "main",
  pr: "pawl://pr/1",
  since: 1_700_000_000_000 as Instant,
});

/** What every source of answers does. */
export function signalsContract(label: string, make: () => Promise<SignalsWorld>): void {
  describe(`signals: ${label}`, () => {
    const one = question("task-1");
    const two = question("task-2");
    const decided = async (signals: Signals, questions: readonly Question[]): Promise<readonly SignalAnswer[]> => {
      const { seen, againAfterMs } = await signals.ask(questions, permit);
      expect(againAfterMs).toBeGreaterThanOrEqual(0);
      return seen.map(({ answer }) => answer).filter(({ status }) => status !== "pending");
    };

    it("answers nothing as long as nobody has", async () => {
      const { signals, answer } = await make();
      expect(await decided(signals, [])).toEqual([]);
      await answer(one.task, null);
      expect(await decided(signals, [one])).toEqual([]);
    });

    it("one call answers many questions, each with its head, its words and who said them", async () => {
      const { signals, answer, settle } = await make();
      await answer(one.task, "approved", "looks good");
      await answer(two.task, "rejected", "too slow\n");
      await settle();
      const { seen } = await signals.ask([one, two], permit);
      expect(seen.map(({ task }) => task)).toEqual([one.task, two.task]);
      const [yes, no] = seen.map(({ answer }) => answer);
      expect(yes).toMatchObject({ status: "approved", message: "looks good", findings: [] });
      expect(no).toMatchObject({ status: "rejected", message: "too slow" });
      expect([yes!.head, no!.head]).toEqual([one.head, two.head]);
      for (const { by } of [yes!, no!]) expect(by).not.toBe("");
    });

    it("a rejection always says something", async () => {
      const { signals, answer, settle } = await make();
      await answer(one.task, "rejected");
      await settle();
      expect((await decided(signals, [one]))[0]!.message).toMatch(/reject/);
    });

    it("the same answer has the same id until it is taken, in every process", async () => {
      const { signals, another, answer, settle } = await make();
      await answer(one.task, "approved");
      await settle();
      const [first] = await decided(signals, [one]);
      expect(await decided(signals, [one])).toEqual([first]);
      expect(await decided(another(), [one])).toEqual([first]);
    });

    it("taking is repeatable, and ids that it does not know are no matter", async () => {
      const { signals, answer, settle } = await make();
      await answer(one.task, "approved");
      await settle();
      const [{ id }] = (await decided(signals, [one])) as [SignalAnswer];
      await signals.taken?.(["no such id", "file:../../x:0", id, id]);
      await signals.taken?.([id]);
    });
  });
}
