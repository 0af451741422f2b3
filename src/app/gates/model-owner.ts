import type { Clock } from "../../ports/clock.ts";
import type { GateQuestion, Gates } from "../../ports/gates.ts";
import type { Model } from "../../ports/model.ts";
import type { Probe } from "../../ports/probe.ts";
import type { CompletionReport } from "../../protocol/report.ts";
import { changeByModel, planByModel } from "../../tactics/model-answers.ts";
import { isPlan } from "../../tactics/owner-rules.ts";
import { backgroundOwner } from "./background-owner.ts";
import { TO, wordOf } from "./word-of.ts";

/** The patch of a report's commit against where its branch left the base. Throws where it cannot be found out. */
export type PatchOf = (question: GateQuestion, report: CompletionReport, signal: AbortSignal) => Promise<string>;

/** An owner `model:NAME` of a processor: it reads the plan, and of a report the change, and costs no process of the worker's. */
export const modelOwner = (of: {
  readonly model: () => Promise<Model>;
  readonly prompts: () => { readonly plan: string; readonly change: string };
  readonly patchOf: PatchOf;
  readonly clock: Clock;
  readonly probe: Probe;
}): Gates =>
  backgroundOwner({
    clock: of.clock,
    probe: of.probe,
    atOnce: () => null,
    judge: async (question, submission, signal) => {
      const by = { model: await of.model(), prompts: of.prompts(), to: TO, signal };
      const { assignment } = question.brief;
      if (isPlan(submission)) return wordOf(await planByModel(submission, assignment, by));
      return wordOf(await changeByModel(await of.patchOf(question, submission, signal), assignment, by));
    },
  });
