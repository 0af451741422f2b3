import type { RunEnd } from "./input.ts";

/** What ended a worker, and what follows from it. */
export interface Ending {
  /** in a few words: they stand before what is known of it, in findings, reasons and counts */
  readonly says: string;
  /**
   * word: as its verdict says. round: it goes again at once, with a finding. later: it is tried again by itself, at the
   * time that was named or with growing pauses. person: nothing goes on until somebody does something
   */
  readonly next: "word" | "round" | "later" | "person";
  /** one of `max_crashes` in a row */
  readonly isCrash?: true;
}

/** Everything that can end a worker, whatever it is made of. In the order in which it is shown. */
export const ENDINGS = {
  verdict: { says: "its own verdict", next: "word" },
  crash: { says: "crash", next: "round", isCrash: true },
  stall: { says: "stall", next: "round", isCrash: true },
  "time-limit": { says: "time limit", next: "round" },
  "rate-limit": { says: "rate limit", next: "later" },
  "provider-down": { says: "provider away", next: "later" },
  auth: { says: "nobody logged in, or the key refused", next: "person" },
  quota: { says: "quota used up", next: "person" },
  "model-refused": { says: "the model refused", next: "person" },
  "context-full": { says: "context full", next: "round" },
  "not-started": { says: "could not begin", next: "later" },
  killed: { says: "killed from outside", next: "later" },
  "host-lost": { says: "host lost", next: "later" },
  stopped: { says: "stopped by us", next: "later" },
} as const satisfies Readonly<Record<string, Ending>>;

export type EndingKind = keyof typeof ENDINGS;
export const ENDING_KINDS = Object.keys(ENDINGS) as readonly EndingKind[];

/** How often each ended a worker; what is not there never did. */
export type EndingCounts = Readonly<Partial<Record<EndingKind, number>>>;

/** Which of them it was. A user's command has none of its own: an exit code of a worker is a crash. */
export const endingOf = ({ cause, how }: Pick<RunEnd, "cause" | "how">): EndingKind => cause ?? BY_HOW[how];

const BY_HOW: Readonly<Record<RunEnd["how"], EndingKind>> = {
  verdict: "verdict",
  "no-verdict": "crash",
  exit: "crash",
  timeout: "time-limit",
  "rate-limited": "rate-limit",
  killed: "killed",
  auth: "auth",
  setup: "not-started",
  lost: "host-lost",
  stopped: "stopped",
};

/** What is known of an end, behind its kind. Ends of earlier releases name none, and stay as they were written. */
export const inWords = ({ cause, detail }: Pick<RunEnd, "cause" | "detail">): string =>
  cause === undefined ? detail : `${ENDINGS[cause].says}: ${detail}`;

export const counted = (counts: EndingCounts, kind: EndingKind): EndingCounts => ({
  ...counts,
  [kind]: (counts[kind] ?? 0) + 1,
});

export const sumOf = (all: Iterable<EndingCounts>): EndingCounts => {
  const sum: Partial<Record<EndingKind, number>> = {};
  for (const counts of all)
    for (const kind of ENDING_KINDS) if (counts[kind]) sum[kind] = (sum[kind] ?? 0) + counts[kind];
  return sum;
};
