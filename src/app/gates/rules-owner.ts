import type { Clock } from "../../ports/clock.ts";
import type { GateQuestion, Gates } from "../../ports/gates.ts";
import type { Probe } from "../../ports/probe.ts";
import type { CompletionReport } from "../../protocol/report.ts";
import { answerPlan, answerReport, type Found, isPlan } from "../../tactics/owner-rules.ts";
import { backgroundOwner } from "./background-owner.ts";
import { TO, wordOf } from "./word-of.ts";

/** Finds out about a report's commit what the rules go by. May take minutes; throws where it cannot be found out. */
export type Find = (question: GateQuestion, report: CompletionReport, signal: AbortSignal) => Promise<Found>;

/** The owner `rules` of a processor (architecture 9.5): a plan is judged at once, a report in the background. */
export const rulesOwner = ({ find, clock, probe }: { find: Find; clock: Clock; probe: Probe }): Gates =>
  backgroundOwner({
    clock,
    probe,
    atOnce: ({ brief }, submission) =>
      isPlan(submission) ? wordOf(answerPlan(submission, brief.assignment, TO)) : null,
    judge: async (question, submission, signal) => {
      const report = submission as CompletionReport;
      const found = await find(question, report, signal);
      return wordOf(answerReport(report, question.brief.assignment, { found, to: TO }));
    },
  });
