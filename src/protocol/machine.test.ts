import { describe, expect, test } from "vitest";
import { chance } from "../../test/support/chance.ts";
import type { Answer } from "./answer.ts";
import { allowed, isIllegal, newSession, type Session, type SessionEvent, step } from "./machine.ts";
import { PERCENT, type WorkerStatus } from "./progress.ts";

const STATUSES = Object.keys(PERCENT) as WorkerStatus[];
const issue = (about: "plan" | "code" | "test") => ({ id: `i-${about}`, text: `mend ${about}`, about });
const to = { agent_id: "", task_id: "", in_reply_to: "", by: "", sent_at: "" };
const ANSWERS: Readonly<Record<string, Answer>> = {
  GO: { message_type: "GO", ...to },
  FEEDBACK: { message_type: "FEEDBACK", ...to, issues: [issue("plan")] },
  NEXT: { message_type: "NEXT", ...to },
  FIX: { message_type: "FIX", ...to, issues: [issue("code"), issue("test")] },
  "FIX test": { message_type: "FIX", ...to, issues: [issue("test")] },
  BLOCKED: { message_type: "BLOCKED", ...to, reason: "no" },
  EXTEND: { message_type: "EXTEND", ...to, minutes: 7 },
  END: { message_type: "END", ...to, reason: "enough" },
};

/** An event by its word, with the number that fits the session. */
function event(word: string, session: Session): SessionEvent {
  if (word in ANSWERS) return { kind: "answered", seq: session.seq, answer: ANSWERS[word]! };
  if (word === "PLAN_SUBMISSION" || word === "COMPLETION_REPORT")
    return { kind: "submitted", what: word, seq: session.seq + 1 };
  return { kind: "status", status: word as WorkerStatus };
}
const going = (words: readonly string[], from = newSession()): Session =>
  words.reduce((session, word) => {
    const next = step(session, event(word, session));
    if (isIllegal(next)) throw new Error(`${word} in ${session.status}`);
    return next;
  }, from);

const TO_GO = ["researching", "planning", "PLAN_SUBMISSION"];
const TO_NEXT = [...TO_GO, "GO", "testing", "reporting", "COMPLETION_REPORT"];
const WAYS: Readonly<Record<WorkerStatus, readonly string[]>> = {
  initializing: [],
  researching: ["researching"],
  planning: ["researching", "planning"],
  awaiting_go: TO_GO,
  implementing: [...TO_GO, "GO"],
  testing: [...TO_GO, "GO", "testing"],
  reporting: [...TO_GO, "GO", "testing", "reporting"],
  awaiting_next: TO_NEXT,
  completed: [...TO_NEXT, "NEXT"],
  blocked: [...TO_GO, "BLOCKED"],
};
const WORDS = [...STATUSES, "PLAN_SUBMISSION", "COMPLETION_REPORT", ...Object.keys(ANSWERS)];

/** Where each word leads from each status; what is not named here is illegal. */
const MOVES: Readonly<Record<WorkerStatus, Readonly<Record<string, WorkerStatus>>>> = {
  initializing: { initializing: "initializing", researching: "researching" },
  researching: { researching: "researching", planning: "planning" },
  planning: { planning: "planning", PLAN_SUBMISSION: "awaiting_go" },
  awaiting_go: { awaiting_go: "awaiting_go", GO: "implementing", FEEDBACK: "planning", BLOCKED: "blocked" },
  implementing: { implementing: "implementing", testing: "testing" },
  testing: { testing: "testing", implementing: "implementing", reporting: "reporting" },
  reporting: { reporting: "reporting", COMPLETION_REPORT: "awaiting_next" },
  awaiting_next: {
    awaiting_next: "awaiting_next",
    NEXT: "completed",
    FIX: "implementing",
    "FIX test": "testing",
    BLOCKED: "blocked",
  },
  completed: {},
  blocked: {},
};
const isOver = (status: WorkerStatus) => status === "completed" || status === "blocked";
/** the worker may say at any time that it is blocked, the owner that there is more time, or none */
const ANYWHERE = (status: WorkerStatus): Readonly<Record<string, WorkerStatus>> =>
  isOver(status) ? {} : { blocked: "blocked", EXTEND: status, END: "blocked" };

describe("every word in every status", () => {
  for (const status of STATUSES)
    test(`${status}: what may be said leads where the table says, and nothing else may be`, () => {
      const session = going(WAYS[status]);
      expect(session.status).toBe(status);
      const found = Object.fromEntries(
        WORDS.flatMap((word) => {
          const next = step(session, event(word, session));
          return isIllegal(next) ? [] : [[word, next.status]];
        }),
      );
      expect(found).toEqual({ ...MOVES[status], ...ANYWHERE(status) });
      const said = new Set(allowed(session));
      expect(said).toEqual(new Set(Object.keys(MOVES[status]).filter((word) => word !== "FIX test")));
    });

  test("what may not be said tells what may be instead", () => {
    const session = going(TO_GO);
    expect(step(session, event("NEXT", session))).toEqual({
      illegal: "NEXT 1",
      allowed: ["awaiting_go", "GO", "FEEDBACK", "BLOCKED"],
    });
  });
});

describe("numbers of messages", () => {
  test("an answer to another submission, and a submission out of order, are illegal", () => {
    const session = going(TO_GO);
    for (const seq of [0, 2, -1, Number.NaN])
      expect(isIllegal(step(session, { kind: "answered", seq, answer: ANSWERS.GO! }))).toBe(true);
    const planning = going(WAYS.planning);
    for (const seq of [0, 2])
      expect(isIllegal(step(planning, { kind: "submitted", what: "PLAN_SUBMISSION", seq }))).toBe(true);
  });
});

describe("counters", () => {
  test("two FEEDBACKs lead to a revision, the third one to blocked, with its first issue as the reason", () => {
    const again = ["FEEDBACK", "PLAN_SUBMISSION"];
    const twice = going([...TO_GO, ...again, ...again]);
    expect(twice).toMatchObject({ status: "awaiting_go", revisions: 2, seq: 3, ended: null });
    const third = step(twice, event("FEEDBACK", twice));
    expect(third).toMatchObject({
      status: "blocked",
      ended: { verdict: "BLOCKED", reason: "after 2 plan revisions the owner still says: mend plan" },
    });
  });

  test("two FIXes lead back to work, the third one to blocked", () => {
    const again = ["FIX", "testing", "reporting", "COMPLETION_REPORT"];
    const twice = going([...TO_NEXT, ...again, ...again]);
    expect(twice).toMatchObject({ fixes: 2, ended: null });
    expect(step(twice, event("FIX", twice))).toMatchObject({
      status: "blocked",
      ended: { reason: "after 2 fix attempts the owner still says: mend code" },
    });
  });

  test("issues stay until they are answered for, and percent returns to the beginning of the step", () => {
    const fix = going([...TO_NEXT, "FIX"]);
    expect(fix).toMatchObject({ percent: PERCENT.implementing[0], issues: [issue("code"), issue("test")] });
    expect(going(["testing", "reporting", "COMPLETION_REPORT", "NEXT"], fix)).toMatchObject({
      percent: 100,
      issues: [],
    });
  });

  test("EXTENDs add up; END is FAIL, and not BLOCKED", () => {
    const extended = going([...WAYS.implementing, "EXTEND", "EXTEND"]);
    expect(extended).toEqual({ ...going(WAYS.implementing), extraMinutes: 14 });
    expect(going(["END"], extended).ended).toEqual({ verdict: "FAIL", reason: "enough" });
  });
});

describe("percent", () => {
  test("stays within its step, and never goes back within it, whatever is said", () => {
    let session = going(WAYS.implementing);
    for (const [said, shown] of [
      [45, 45],
      [40, 45],
      [1e9, 70],
      [-5, 70],
      [Number.NaN, 70],
    ] as const) {
      const next = step(session, { kind: "status", status: "implementing", percent: said });
      expect(isIllegal(next)).toBe(false);
      session = next as Session;
      expect(session.percent).toBe(shown);
    }
  });
});

test("20,000 random events in 200 walks never throw and never leave the bounds", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const { below } = chance(seed);
    let session = newSession();
    for (let n = 0; n < 100; n++) {
      const word = WORDS[below(WORDS.length)]!;
      const made = event(word, session);
      const odd = made.kind !== "status" && below(5) === 0 ? { ...made, seq: below(9) - 2 } : made;
      const said = odd.kind === "status" && below(2) === 0 ? { ...odd, percent: below(300) - 100 } : odd;
      const next = step(session, said);
      if (isIllegal(next)) {
        expect(next.allowed).toEqual(allowed(session));
        continue;
      }
      const [low, high] = PERCENT[next.status];
      expect(next.percent, `seed ${seed}, ${word}`).toBeGreaterThanOrEqual(low);
      expect(next.percent, `seed ${seed}, ${word}`).toBeLessThanOrEqual(high);
      expect(next.revisions).toBeLessThanOrEqual(2);
      expect(next.fixes).toBeLessThanOrEqual(2);
      expect(next.seq - session.seq).toBe(said.kind === "submitted" ? 1 : 0);
      expect(next.ended !== null).toBe(next.status === "blocked");
      session = next;
    }
  }
});
