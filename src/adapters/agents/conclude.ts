import type { RunEnd } from "../../domain/input.ts";
import { blamelessEnd, type Waiting } from "./blameless.ts";
import { minutes, timedOut } from "./bounds.ts";
import { byRule, exitCode } from "./by-rule.ts";
import type { Drive, Ended, StopRequest } from "./leg.ts";
import { lastLines } from "./text.ts";
import type { VerdictReading } from "./verdict-file.ts";

type Without<T> = T extends unknown ? Omit<T, "usage" | "usageKnown" | "head" | "change"> : never;
/** How a leg ended, before its worktree was looked at. */
export type Conclusion = Without<RunEnd>;
export type Said = Extract<Conclusion, { how: "verdict" }>;

/** What there is to conclude from. ended null: its driver was killed. */
export interface Evidence {
  readonly drive: Drive;
  readonly ended: Ended | null;
  readonly stop: StopRequest | null;
  /** its driver ran before this machine was started anew */
  readonly rebooted: boolean;
  readonly verdict: VerdictReading;
  /** what the worker waits for, that ended because of it; null: it does not say */
  readonly waiting: Waiting | null;
}

/** Whether the end of this leg is the exit code of a user's command, and not what a worker says. */
export const isCommand = ({ wish, program }: Drive): boolean => wish.purpose !== "agent" || program.verdict === "exit";

/**
 * Architecture 5.3, in its order: a valid verdict, then why it was ended or killed, then the rule of its agent, then a
 * disk that was full, else a crash.
 */
export function conclude(evidence: Evidence): Conclusion {
  if (isCommand(evidence.drive)) return concludeCommand(evidence);
  const { verdict } = evidence;
  if (verdict.kind === "verdict") {
    const { verdict: word, detail, findings, complete, criteria } = verdict.verdict;
    const met = criteria ? { criteria: { met: criteria.met, of: criteria.of } } : {};
    return { how: "verdict", verdict: word, detail, findings: findings.map(reported), complete, ...met };
  }
  return (
    cutOff(evidence) ??
    away(evidence) ??
    killed(evidence) ??
    (verdict.kind === "none" ? byRule(evidence.drive, evidence.ended) : null) ??
    swallowed(evidence) ??
    crash(evidence)
  );
}

/** Nobody's fault, by its own word: a provider is away (architecture 5.4), or a person has to mend what it needs. */
function away({ waiting, verdict }: Evidence): Conclusion | null {
  return waiting === null || verdict.kind !== "none" ? null : blamelessEnd(waiting);
}

/** Ended by somebody else than itself. */
function cutOff({ drive, ended, stop }: Evidence): Conclusion | null {
  // stopped because a verdict lay there: what it says counts, and if it is none that is the worker's doing
  if (stop?.why === "verdict-written") return null;
  const asked = stop !== null && (ended === null || ended.ending === "stopped");
  if (ended?.ending === "timeout") return { how: "timeout", detail: ended.why ?? timedOut(drive.wish.wallMs) };
  if (asked && stop.why === "timeout") return { how: "timeout", detail: timedOut(drive.wish.wallMs) };
  if (asked || ended?.ending === "stopped") return { how: "stopped", detail: `stopped (${stop?.why ?? ended?.why})` };
  if (ended?.ending === "setup-failed" || ended?.ending === "spawn-failed") {
    return { how: "setup", detail: [ended.why, lastLines(ended.tail)].filter(Boolean).join("\n") };
  }
  return null;
}

/** With its driver: by the machine's end, out of memory, or somebody's SIGKILL. Who we kill ourselves was asked to stop before. */
function killed({ ended, stop, rebooted }: Evidence): Conclusion | null {
  if (ended !== null || stop !== null) return null;
  return rebooted
    ? { how: "killed", by: "reboot", detail: "the machine was started anew while it worked" }
    : {
        how: "killed",
        by: "kill",
        detail: "it was killed together with its driver, and nothing says by whom (SIGKILL, no memory left)",
      };
}

/** What it had to say found no room: not its fault. */
const swallowed = ({ ended }: Evidence): Conclusion | null =>
  ended?.disk_full
    ? {
        how: "killed",
        by: "kill",
        detail: "the disk of its run folder was full when it ended, and no verdict is there",
      }
    : null;

function concludeCommand(evidence: Evidence): Conclusion {
  const { ended, drive } = evidence;
  // nobody saw its end: whether it did its work is not known, also where somebody wanted it stopped
  if (ended === null) return { how: "exit", code: null, detail: "its driver was killed: nothing says how it ended" };
  if (ended.ending === "stalled") return { how: "timeout", detail: stalled(drive) };
  return cutOff(evidence) ?? { how: "exit", code: exitCode(ended), detail: lastLines(ended.tail) };
}

function crash({ drive, ended, verdict, waiting }: Evidence): Conclusion {
  const how =
    ended === null
      ? "its driver was killed: nothing says how it ended"
      : ended.ending === "stalled"
        ? stalled(drive)
        : exitWords(ended);
  const words = waiting?.for === "crash" ? waiting.why : ended?.said?.error;
  const error = words ? `; it says: ${lastLines(words)}` : "";
  const why = `${verdict.kind === "refused" ? `${verdict.why}; ` : ""}${how}${error}`;
  const cause = ended?.ending === "stalled" ? { cause: "stall" as const } : {};
  return { how: "no-verdict", detail: `worker completed without writing verdict (${why})`, ...cause };
}

const stalled = ({ program }: Drive): string => `no sign of life for ${minutes(program.stallMs ?? 0)} minutes`;

function exitWords(ended: Ended): string {
  if (ended.signal !== null) return `ended by ${ended.signal}`;
  return `exit ${ended.exit_code}${ended.exit_code === 137 ? ", killed" : ""}`;
}

type Finding = Extract<VerdictReading, { kind: "verdict" }>["verdict"]["findings"][number];
const reported = ({ key, text, file, line }: Finding) => ({
  text,
  ...(key === undefined ? {} : { key }),
  ...(file === undefined ? {} : { file }),
  ...(line === undefined ? {} : { line }),
});
