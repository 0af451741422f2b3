import { constants } from "node:os";
import { failureIn } from "../../protocol/failure.ts";
import { blamelessEnd } from "./blameless.ts";
import type { Conclusion, Said } from "./conclude.ts";
import type { Drive, Ended } from "./leg.ts";
import { lastLine, lastLines } from "./text.ts";

/**
 * What the end of a worker that wrote no verdict comes to, by the rule of its agent; null: that says nothing. Where it is
 * no PASS, an error that it told counts before: a limit of its provider's is no fault of the work.
 */
export function byRule(drive: Drive, ended: Ended | null): Conclusion | null {
  // a signal from outside is no answer
  if (ended?.ending !== "exit" || ended.signal !== null) return null;
  const ruled = RULES[drive.program.verdict](ended);
  return ruled?.verdict === "PASS" ? ruled : (byError(ended) ?? ruled);
}

type Rule = (ended: Ended) => Said | null;
const none: Rule = () => null;

const RULES: Readonly<Record<Drive["program"]["verdict"], Rule>> = {
  file: none,
  exit: none,
  exit_code: (ended) => {
    const code = exitCode(ended);
    return code === 0
      ? said("PASS", ended.said?.message ?? "")
      : said("FAIL", `exit ${code}\n${lastWords(ended)}`.trim());
  },
  last_line: (ended) => {
    const line = lastLine(ended.said?.message ?? ended.tail);
    const found = /^(PASS|FAIL|BLOCKED|NO_CHANGE)\b[\s:.,-]*(.*)$/.exec(line);
    return found === null ? null : worded(found[1] as Said["verdict"], found[2] ?? "", ended);
  },
  output: (ended) => {
    const rule = ended.said?.verdict ?? null;
    return rule === null ? null : worded(rule.word, ended.said?.message ?? "", ended);
  },
};

/** A verdict that it said in words; who says PASS and ends with an error has not passed. */
function worded(word: Said["verdict"], detail: string, ended: Ended): Said {
  const code = exitCode(ended);
  if (word === "PASS" && code !== 0) return said("FAIL", `said PASS and ended with exit ${code}\n${lastWords(ended)}`);
  return said(word, detail || (word === "PASS" ? "" : lastWords(ended)));
}

function byError(ended: Ended): Conclusion | null {
  const error = ended.said?.error ?? null;
  if (error === null) return null;
  const { kind, why, until } = failureIn(error, Date.parse(ended.ended_at));
  return blamelessEnd({ for: kind, until, why });
}

const lastWords = ({ said, tail }: Ended): string => lastLines(said?.error ?? said?.message ?? tail);

export const exitCode = ({ exit_code, signal }: Ended): number =>
  exit_code ?? 128 + ((constants.signals as Record<string, number>)[signal ?? ""] ?? 0);

export const said = (verdict: Said["verdict"], detail: string, findings: Said["findings"] = []): Said => ({
  how: "verdict",
  verdict,
  detail,
  findings,
  complete: false,
});
