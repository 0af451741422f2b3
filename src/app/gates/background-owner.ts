import type { GateSaid } from "../../domain/gate.ts";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GateQuestion, Gates } from "../../ports/gates.ts";
import type { Probe } from "../../ports/probe.ts";
import { type Submission, submissionSchema } from "../../protocol/message.ts";
import { createBell } from "../bell.ts";

const LOOK_MS: Ms = 1_000;
/** What could not be judged (no disk, a setup that fails, a model that is away) is tried again after this time. */
const AGAIN_MS: Ms = 30_000;

/** What an owner that takes its time says, or finds out. May take minutes; throws where it cannot be found out now. */
export type Judge = (question: GateQuestion, submission: Submission, signal: AbortSignal) => Promise<GateSaid>;

interface Judging {
  said: GateSaid | null;
  /** when it may be tried again, by the monotonic clock; null: it is under way, or done */
  again: Ms | null;
}

/**
 * An owner of gates of the processor (architecture 9.5). What `atOnce` knows is said at once; all else is judged in the
 * background, one after the other. What was found is kept as long as it is asked for; a judgement that a crash cut off is
 * made anew.
 */
export function backgroundOwner(of: {
  readonly atOnce: (question: GateQuestion, submission: Submission) => GateSaid | null;
  readonly judge: Judge;
  readonly clock: Clock;
  readonly probe: Probe;
}): Gates {
  const open = new Map<string, Judging>();
  const stop = new AbortController();
  const bell = createBell();
  let last: Promise<unknown> = Promise.resolve();
  const judge = (question: GateQuestion, submission: Submission, judging: Judging) => {
    const work = async () => {
      if (stop.signal.aborted) return;
      try {
        judging.said = await of.judge(question, submission, stop.signal);
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
    const known = of.atOnce(question, submission);
    if (known) return known;
    const key = keyOf(question);
    const before = open.get(key);
    if (before && (before.again === null || of.clock.read().mono < before.again)) return before.said;
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

const keyOf = ({ leg, seq }: Pick<GateQuestion, "leg" | "seq">): string => `${leg} ${seq}`;
