import type { PawlError } from "../../../domain/errors.ts";
import type { SignalAnswer } from "../../../domain/input.ts";
import type { Commit } from "../../../domain/names.ts";
import type { Question, Signals } from "../../../ports/signals.ts";
import type { Api } from "./api.ts";
import { numberIn } from "./pull-request.ts";
import { saidIn, type Thread, withThreads } from "./threads.ts";

/** What somebody said of one commit, and did not take back. */
export interface Judgement {
  /** the forge's own id of it */
  readonly id: string;
  readonly by: string;
  readonly verdict: "approved" | "rejected";
  readonly message: string | null;
  /** whether the forge counts this person among those who work on the repository */
  readonly isMember: boolean;
}

/** Asks the forge about one pull request at one head. What was said of another head is no answer. */
export type Ask<T> = (number: number, head: Commit, signal: AbortSignal) => Promise<T>;

/**
 * `pr-approved`: so many people approve of this very head, and nobody of them asks for changes. `from` empty: whoever
 * works on the repository; else those alone. Names have no case. What these say in threads that are open goes to the
 * worker once, whoever approves of the rest.
 */
export const approvalSignal = (
  api: Api,
  of: {
    readonly approvals: number;
    readonly from: readonly string[];
    readonly judgements: Ask<readonly Judgement[]>;
    readonly threads: Ask<readonly Thread[]>;
  },
): Signals =>
  signalOf(api, async (question, at) => {
    const said = await of.judgements(at.number, at.head, at.signal);
    const counting = said.filter((one) => mayJudge(one, of.from));
    const against = counting.filter(({ verdict }) => verdict === "rejected");
    const fors = counting.filter(({ verdict }) => verdict === "approved");
    const threads = await of.threads(at.number, at.head, at.signal);
    const open = saidIn(threads, { counts: (one) => mayJudge(one, of.from), fors: fors.map(({ by }) => by) });
    const nobody = {
      id: `${question.signal}:${question.head}:threads`,
      head: question.head,
      by: `reviews at ${api.name}`,
    };
    return withThreads(verdictOf(question, { against, fors, approvals: of.approvals }), open, nobody);
  });

function verdictOf(
  question: Question,
  of: { against: readonly Judgement[]; fors: readonly Judgement[]; approvals: number },
): SignalAnswer | null {
  if (of.against.length > 0) return rejected(question, of.against);
  return of.fors.length >= of.approvals ? approved(question, of.fors) : null;
}

const mayJudge = ({ by, isMember }: Pick<Judgement, "by" | "isMember">, from: readonly string[]): boolean =>
  from.length === 0 ? isMember : from.some((name) => name.toLowerCase() === by.toLowerCase());

/** `label:NAME`: somebody put the label there after this head was pushed. */
export const labelSignal = (
  api: Api,
  of: { readonly label: string; readonly labelled: Ask<{ readonly id: string; readonly by: string } | null> },
): Signals =>
  signalOf(api, async (question, at) => {
    const found = await of.labelled(at.number, at.head, at.signal);
    return found && approved(question, [{ ...found, message: null }]);
  });

type Spoken = Pick<Judgement, "id" | "by" | "message">;

const answerOf = ({ signal, head }: Question, said: readonly Spoken[]) => ({
  id: `${signal}:${head}:${said
    .map(({ id }) => id)
    .sort()
    .join("+")}`,
  head,
  by: said.map(({ by }) => by).join(", "),
  message: said.flatMap(({ message }) => (message ? [message] : [])).join("\n\n") || null,
});

const approved = (question: Question, said: readonly Spoken[]): SignalAnswer => ({
  ...answerOf(question, said),
  status: "approved",
  findings: [],
});

function rejected(question: Question, said: readonly Judgement[]): SignalAnswer {
  const answer = answerOf(question, said);
  const message = answer.message ?? `${answer.by} asks for changes, without a reason: rejected`;
  const findings = said.flatMap((one) => (one.message ? [{ text: one.message }] : []));
  return { ...answer, message, status: "rejected", findings: findings.length > 0 ? findings : [{ text: message }] };
}

type At = { readonly number: number; readonly head: Commit; readonly signal: AbortSignal };

/** One pull request after the other; a limit of the forge's ends the round, and what was answered until then counts. */
export function signalOf(api: Api, answer: (question: Question, at: At) => Promise<SignalAnswer | null>): Signals {
  return {
    async ask(questions, { signal }) {
      const seen: { task: Question["task"]; answer: SignalAnswer }[] = [];
      try {
        const { pullUrl } = await api.place(signal);
        for (const question of questions) {
          const number = question.pr === null ? null : numberIn(question.pr, pullUrl);
          if (number === null || question.head === null) continue;
          const found = await answer(question, { number, head: question.head, signal });
          if (found !== null) seen.push({ task: question.task, answer: found });
        }
      } catch (error) {
        const { code, data } = error as PawlError;
        if (code !== "FORGE_LIMITED") throw error;
        return { seen, againAfterMs: Math.max(1_000, Number(data.until) - Date.now()) };
      }
      return { seen, againAfterMs: api.everyMs };
    },
  };
}
