import type { AgentEnd } from "../../adapters/acp/drive-agent.ts";
import type { Reported } from "../../domain/outcome.ts";
import type { Check } from "../../ports/runtime.ts";
import type { Verdict } from "../../protocol/verdict.ts";
import { findingOf, isGood, type Result } from "../cli/run-checks.ts";

/** What is looked at when an agent has ended its turn and said no verdict. */
export interface Deeds {
  /** paths that differ from where the work began, committed or not; null: nobody can tell */
  readonly changed: () => Promise<readonly string[] | null>;
  /** of these, what it was not to change */
  readonly outside: (changed: readonly string[]) => readonly Reported[];
  readonly check: () => Promise<readonly Result[]>;
  readonly checks: readonly Check[];
  /** it works in a checkout that is thrown away: it judges, and changes nothing */
  readonly isJudge: boolean;
  readonly cwd: string;
}

type Said = Pick<Verdict, "verdict" | "detail" | "findings">;

/**
 * The verdict of an agent that does not say one as we do: its last line where that is a no, else what it did: files that
 * changed, and checks that we ran. Its last message is kept as evidence. Null: nothing can be told, it counts as a crash.
 */
export async function verdictOf({ doing, ...end }: AgentEnd, deeds: Deeds): Promise<Said | null> {
  if (end.how !== "turn-ended") return null;
  if (end.stop === "max_turn_requests")
    return fail("it came to the number of requests that it allows itself", "own-limit");
  const said = lastWord(doing.message);
  if (said !== null && said.verdict !== "PASS") return said;
  if (deeds.isJudge) return said;
  const changed = await deeds.changed();
  if (changed?.length === 0) return fail(`nothing changed; say NO_CHANGE with a reason${evidence(doing.message)}`);
  const bad = (await deeds.check()).filter((result) => !isGood(result));
  if (bad.length === 0) return { verdict: "PASS", detail: passed(deeds, doing.message), findings: [] };
  // what lies outside its bounds may be why they fail
  const findings = [
    ...bad.map((result) => findingOf(result, deeds.cwd)),
    ...deeds.outside(changed ?? []).map((one) => ({ ...one })),
  ];
  return { verdict: "FAIL", detail: findings[0]!.text.split("\n")[0]!, findings };
}

const fail = (text: string, key?: string): Said => ({
  verdict: "FAIL",
  detail: text,
  findings: [{ ...(key === undefined ? {} : { key }), text }],
});

/** `PASS`, `FAIL: …`, also within Markdown's signs for code and strong words. */
export function lastWord(message: string): Said | null {
  const line = message.trimEnd().split("\n").at(-1) ?? "";
  const found = /^\W{0,4}(PASS|FAIL|BLOCKED|NO_CHANGE)\b[\s:.,`*-]*(.*?)[\s`*]*$/.exec(line.trim());
  if (found === null) return null;
  const verdict = found[1] as Said["verdict"];
  const detail = found[2] || (verdict === "PASS" ? "" : endOf(message));
  return { verdict, detail, findings: [] };
}

const passed = ({ checks }: Deeds, message: string): string =>
  `${checks.length === 0 ? "it ended its turn; there are no checks" : `${checks.length} check${checks.length === 1 ? " passes" : "s pass"}`}${evidence(message)}`;

const evidence = (message: string): string => (message.trim() === "" ? "" : `\nits last words: ${endOf(message)}`);

const endOf = (message: string): string => message.trim().slice(-2_000) || "it said nothing";
