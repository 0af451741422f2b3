import { describe, expect, test } from "vitest";
import { PERCENT, type WorkerStatus } from "../../src/protocol/progress.ts";
import { long } from "../support/long.ts";
import { git } from "../support/scratch.ts";
import { type Subject, type Word, type WorkerStage, workerStage } from "../worker/support/worker-stage.ts";

const kinds = (stage: WorkerStage) => stage.outbox().map((name) => name.slice(4, -5));
const PLAN = "PLAN_SUBMISSION";
const REPORT = "COMPLETION_REPORT";

type Ending = "a third FEEDBACK" | "a third FIX" | "BLOCKED at its plan" | "BLOCKED at its report";
const ENDINGS: readonly (readonly [Ending, readonly Word[], RegExp])[] = [
  ["a third FEEDBACK", ["FEEDBACK", "FEEDBACK", "FEEDBACK"], /after 2 plan revisions.*mind the overflow/],
  ["a third FIX", ["GO", "FIX", "FIX", "FIX"], /after 2 fix attempts.*mind the overflow/],
  ["BLOCKED at its plan", ["BLOCKED"], /the release is frozen/],
  ["BLOCKED at its report", ["GO", "BLOCKED"], /the release is frozen/],
];

/**
 * What every worker keeps to that takes part in the protocol (agent-runner.md), whatever it is made of: seen from the
 * owner's side, by its files, its commits and how its processes end. `subject` may be called for each case. `elsewhere`:
 * endings that tests of this worker's own show too, and better: here they are for the long run.
 */
export function workerContract(
  name: string,
  subject: () => Subject | Promise<Subject>,
  elsewhere: readonly Ending[] = [],
): void {
  describe(`a worker by the protocol: ${name}`, () => {
    const stage = async () => workerStage(await subject());
    const commits = ({ repo }: WorkerStage) => git(repo, "log", "--oneline", "main..HEAD").split("\n").filter(Boolean);

    test("waits at both gates without a process: nothing is committed before GO, the report is on its commit, NEXT is PASS", async () => {
      const at = await stage();
      expect(await at.leg([])).toBe(5);
      expect([kinds(at), commits(at), at.verdict()]).toEqual([[PLAN], [], null]);
      expect(at.progress().at(-1)).toMatchObject({ status: "awaiting_go", percent: 25 });
      const plan = at.message(at.outbox()[0]!).plan as { ac_mapping: { ac: string }[] };
      expect(plan.ac_mapping.map(({ ac }) => ac)).toEqual(["AC-001"]);
      expect(await at.leg(["GO"])).toBe(5);
      expect([kinds(at), at.verdict()]).toEqual([[PLAN, REPORT], null]);
      expect(at.progress().at(-1)).toMatchObject({ status: "awaiting_next" });
      const head = String(at.message(at.outbox()[1]!).head);
      expect([commits(at).length > 0, git(at.repo, "rev-parse", "HEAD")]).toEqual([true, head]);
      expect(await at.leg(["NEXT"])).toBe(0);
      expect([kinds(at), at.verdict()?.verdict]).toEqual([[PLAN, REPORT], "PASS"]);
    });

    test("two FEEDBACKs and two FIXes are each answered by another, numbered on; each step of it is in its range", async () => {
      const at = await stage();
      expect(await at.leg(["FEEDBACK", "FEEDBACK", "GO", "FIX", "FIX", "NEXT"])).toBe(0);
      expect(kinds(at)).toEqual([PLAN, PLAN, PLAN, REPORT, REPORT, REPORT]);
      expect(at.outbox().map((one) => Number(one.slice(0, 3)))).toEqual([1, 2, 3, 4, 5, 6]);
      expect(at.verdict()).toMatchObject({ verdict: "PASS" });
      for (const { status, percent } of at.progress()) {
        const [least, most] = PERCENT[status as WorkerStatus];
        expect([status, percent >= least && percent <= most]).toEqual([status, true]);
      }
      const order = at.progress().map(({ status }) => status);
      expect(order.indexOf("awaiting_go")).toBeGreaterThan(order.indexOf("researching"));
      expect(order.indexOf("implementing")).toBeGreaterThan(order.lastIndexOf("awaiting_go"));
      expect(order.lastIndexOf("awaiting_next")).toBeGreaterThan(order.indexOf("implementing"));
    });

    for (const [ending, words, why] of ENDINGS)
      (elsewhere.includes(ending) ? long : test)(`${ending} ends it as BLOCKED`, async () => {
        const at = await stage();
        await at.leg(words);
        expect(at.verdict()).toMatchObject({ verdict: "BLOCKED", detail: expect.stringMatching(why) });
        expect(at.outbox()).toHaveLength(words.length);
      });

    test("its assignment may allow fewer: without a revision the first FEEDBACK ends it", async () => {
      const given = await subject();
      const at = workerStage({ ...given, assignment: { ...given.assignment, limits: { plan_revisions: 0 } } });
      await at.leg(["FEEDBACK"]);
      expect(at.verdict()).toMatchObject({
        verdict: "BLOCKED",
        detail: expect.stringMatching(/after 0 plan revisions/),
      });
    });

    test("killed at either gate it goes on in another life: nothing is handed in twice, the answer is found", async () => {
      const at = await stage();
      expect(await at.leg([], 1)).toBe("SIGKILL");
      const plan = at.message(at.outbox()[0]!);
      expect(await at.leg(["GO"], 2)).toBe("SIGKILL");
      expect(at.message(at.outbox()[0]!)).toEqual(plan);
      const report = at.message(at.outbox()[1]!);
      expect(await at.leg(["NEXT"])).toBe(0);
      expect(kinds(at)).toEqual([PLAN, REPORT]);
      expect(at.message(at.outbox()[1]!)).toEqual(report);
      expect(at.verdict()).toMatchObject({ verdict: "PASS" });
    });
  });
}
