import type { OpenSession } from "../../adapters/acp/open-session.ts";
import type { SessionRecord } from "../../adapters/acp/session-record.ts";
import type { Answer } from "../../protocol/answer.ts";

/** What is known when it is time to say something to an agent. */
export interface Known {
  /** TASK/VISIT/ATTEMPT */
  readonly run: string;
  readonly leg: string;
  /** the task's prompt, and how an agent is to go about it */
  readonly prompt: string;
  readonly manner: string;
  /** the last answer of the owner, where this leg began because of it; null: there is none */
  readonly answer: { readonly seq: number; readonly answer: Answer } | null;
  /** the session of a leg or run that was cut off; null: nothing was begun */
  readonly before: SessionRecord | null;
  /** what git says of the work so far: commits and open files; "" where there is nothing */
  readonly done: string;
}

/**
 * What is said to an agent now, and its key. A session that has our message already does not get it again: it is told to
 * go on. One that has lost it, or is new, gets the whole task, with what was done of it.
 */
export function wordsFor(known: Known, session: Pick<OpenSession, "isLoaded" | "heard" | "hasTurns">): Said {
  const { run, leg, answer, before } = known;
  const ofAnswer = answer === null ? null : `answer/${run}/${answer.seq}`;
  if (!session.isLoaded || !session.hasTurns) return { key: `task/${run}`, text: wholeTask(known) };
  if (answer !== null && ofAnswer !== null && !session.heard.has(ofAnswer))
    return { key: ofAnswer, text: answerText(answer.answer) };
  const wasBegun = before !== null && (before.sent.some((key) => session.heard.has(key)) || session.heard.size === 0);
  return wasBegun ? { key: `go-on/${leg}`, text: goOn(known) } : { key: `task/${run}`, text: wholeTask(known) };
}

export interface Said {
  readonly key: string;
  readonly text: string;
}

function wholeTask({ prompt, manner, answer, before, done }: Known): string {
  return parts(
    prompt,
    manner,
    done === "" || (before === null && answer === null) ? "" : `## What was done so far\n\n${done}`,
    before !== null && before.plan.length > 0
      ? `The plan was:\n${before.plan.map(({ text, status }) => `- [${status === "completed" ? "x" : " "}] ${text}`).join("\n")}`
      : "",
    answer === null ? "" : `## The owner's answer\n\n${answerText(answer.answer)}`,
  );
}

function goOn({ done }: Known): string {
  return parts(
    "You were cut off in the middle of this work, and go on with it now. What became of the call that was going on is not " +
      "known: look before you do it again. What is done stays done; do not begin anew.",
    done === "" ? "Nothing has changed in the worktree so far." : `This is how the worktree stands:\n\n${done}`,
  );
}

function answerText(answer: Answer): string {
  const issues =
    answer.message_type === "FEEDBACK" || answer.message_type === "FIX"
      ? answer.issues.map(
          ({ id, text, file, line }) => `- ${id}${file ? ` (${file}${line ? `:${line}` : ""})` : ""}: ${text}`,
        )
      : [];
  return parts(MEANS[answer.message_type], issues.join("\n"), answer.reason ?? "");
}

const MEANS: Readonly<Record<Answer["message_type"], string>> = {
  GO: "GO: the owner agrees with your plan. Carry it out.",
  FEEDBACK: "FEEDBACK: the owner wants the plan otherwise. Change it, and submit it again.",
  NEXT: "NEXT: the owner takes your report. End the work with the verdict pass.",
  FIX: "FIX: the owner wants the work otherwise. Put it right, and submit a report again.",
  BLOCKED: "BLOCKED: the owner ends the work here.",
  EXTEND: "EXTEND: you have more time.",
  END: "END: the owner ends the work here.",
};

const parts = (...all: readonly string[]): string =>
  all
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
