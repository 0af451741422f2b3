import type { GateSaid } from "../../domain/gate.ts";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GateQuestion, Gates } from "../../ports/gates.ts";
import type { Probe } from "../../ports/probe.ts";
import type { Answer } from "../../protocol/answer.ts";
import { type Submission, submissionSchema } from "../../protocol/message.ts";
import type { CompletionReport } from "../../protocol/report.ts";
import { answerPlan, answerReport, type Found, isPlan } from "../../tactics/owner-rules.ts";

const LOOK_MS: Ms = 1_000;
/** What could not be judged (no disk, a setup that fails) is tried again after this time. */
const AGAIN_MS: Ms = 30_000;

/** Finds out about a report's commit what the rules go by. May take minutes; throws where it cannot be found out. */
export type Find = (question: GateQuestion, report: CompletionReport, signal: AbortSignal) => Promise<Found>;

interface Judging {
  said: GateSaid | null;
  /** when it may be tried again, by the monotonic clock; null: it is under way, or done */
  again: Ms | null;
}

/**
 * The owner `rules` of a processor (architecture 9.5): a plan is judged at once, a report in the background, one after the
 * other. What was found is kept as long as it is asked for; a judgement that a crash cut off is made anew.
 */
export function rulesOwner(of: { readonly find: Find; readonly clock: Clock; readonly probe: Probe }): Gates {
  const open = new Map<string, Judging>();
  const stop = new AbortController();
  const bell = makeBell();
  let last: Promise<unknown> = Promise.resolve();
  const judge = (question: GateQuestion, report: CompletionReport, judging: Judging) => {
    const work = async () => {
      if (stop.signal.aborted) return;
      try {
        const found = await of.find(question, report, stop.signal);
        judging.said = wordOf(answerReport(report, question.brief.assignment, { found, to: TO }));
      } catch (error) {
        judging.again = of.clock.read().mono + AGAIN_MS;
        if (!stop.signal.aborted)
          of.probe.record({ event: "gate_unjudged", leg: question.leg, seq: question.seq, error: String(error) });
      }
      bell.ring();
    };
    last = last.then(work, work);
  };
  const sayTo = (question: GateQuestion): GateSaid | null => {
    const submission = submissionSchema.parse(JSON.parse(question.submission)) as Submission;
    if (isPlan(submission)) return wordOf(answerPlan(submission, question.brief.assignment, TO));
    const key = keyOf(question);
    const known = open.get(key);
    if (known && (known.again === null || of.clock.read().mono < known.again)) return known.said;
    const judging: Judging = { said: null, again: null };
    open.set(key, judging);
    judge(question, submission, judging);
    return null;
  };
  return {
    async ask(questions) {
      const asked = new Set(questions.map(keyOf));
      for (const key of open.keys()) if (!asked.has(key)) open.delete(key);
      const seen = questions.flatMap((question) => {
        const said = sayTo(question);
        return said === null ? [] : [{ leg: question.leg, seq: question.seq, said }];
      });
      return { seen, againAfterMs: LOOK_MS };
    },
    rung: (signal) => bell.rings(signal),
    async close() {
      stop.abort(new Error("the processor stops"));
      await last;
    },
  };
}

/** Who it is to, and by whom, is the processor's to say. */
const TO = { agent_id: "", task_id: "", in_reply_to: "", by: "rules", sent_at: "" };
const keyOf = ({ leg, seq }: Pick<GateQuestion, "leg" | "seq">): string => `${leg} ${seq}`;

function wordOf(answer: Answer): GateSaid {
  const issues = answer.message_type === "FEEDBACK" || answer.message_type === "FIX" ? answer.issues : [];
  return {
    word: answer.message_type as GateSaid["word"],
    issues: issues.map(({ id, text, about, file, line }) => ({
      id,
      text,
      about,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    })),
    reason: answer.reason ?? null,
  };
}

function makeBell() {
  let wake = () => {};
  return {
    ring: () => wake(),
    async *rings(signal: AbortSignal): AsyncIterable<void> {
      while (!signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        yield;
      }
    },
  };
}
