import { ENDINGS } from "../../domain/ending.ts";
import type { Instant } from "../../domain/names.ts";
import type { FailureKind } from "../../protocol/failure.ts";
import type { Conclusion } from "./conclude.ts";

/** What a worker may say that it ended for, which is none of its doing. */
export type Blameless = Exclude<FailureKind, "crash">;
export const BLAMELESS: readonly Blameless[] = [
  "rate-limit",
  "provider-down",
  "auth",
  "quota",
  "model-refused",
  "context-full",
  "not-started",
];

/**
 * What a worker ended for, by waiting.json or by the words of its error. `for` null: a provider, and nothing more is
 * known; `crash`: that was all it could say of a crash. `until`: ms since 1970, when it may go on; null: nobody knows.
 */
export interface Waiting {
  readonly for: Blameless | "crash" | null;
  readonly until: number | null;
  readonly why: string;
}

/** The end that it comes to, of whatever the worker is made. */
export function blamelessEnd({ for: cause, until, why: detail }: Waiting): Conclusion | null {
  if (cause === "crash") return null;
  if (cause === null) return { how: "rate-limited", until: until as Instant | null, detail };
  const says = `${ENDINGS[cause].says}: ${detail}`;
  switch (cause) {
    case "rate-limit":
    case "provider-down":
      return { how: "rate-limited", until: until as Instant | null, detail, cause };
    case "auth":
    case "quota":
      return { how: "auth", detail, cause };
    case "not-started":
      return { how: "setup", detail };
    case "model-refused":
      return { how: "verdict", verdict: "BLOCKED", detail: says, findings: [], complete: false, cause };
    case "context-full": {
      const findings = [{ key: "context-full", text: says }];
      return { how: "verdict", verdict: "FAIL", detail: says, findings, complete: false, cause };
    }
  }
}
