import { createHash } from "node:crypto";
import type { SignalAnswer } from "../../../domain/input.ts";
import type { Reported } from "../../../domain/outcome.ts";
import type { Question, Signals } from "../../../ports/signals.ts";
import { plain } from "../../../workspace/commands/plain.ts";
import type { Api } from "./api.ts";
import { logTail } from "./log-tail.ts";
import { type Ask, signalOf } from "./signals.ts";

/** What a forge's CI, or somebody else, found at one commit. */
export interface Check {
  /** another one for each time that it ran */
  readonly id: string;
  readonly name: string;
  /** pending: it runs, waits to run, or waits for somebody; skipped: it found nothing, neither good nor bad */
  readonly state: "pending" | "passed" | "skipped" | "failed";
  /** how it ended, or what it waits for, in a word of the forge's: `timed_out` */
  readonly word: string;
  /** what it printed, or its end; null: nothing that can be read */
  readonly log: (signal: AbortSignal) => Promise<string | null>;
}

/** More jobs than this are named only: one fault often fails them all. */
const MOST_LOGS = 8;
const MOST_NAMES = 20;

/**
 * `ci-green`: all checks of this very head have ended, one passed at least, and none failed. Those that failed are one
 * finding each, with the end of its log; nothing is said of them before the last one has ended. No checks at all: pending.
 */
export const ciSignal = (api: Api, checks: Ask<readonly Check[]>): Signals =>
  signalOf(api, async (question, { number, head, signal }) => {
    const found = await checks(number, head, signal);
    const answer = { id: idOf(question, found), head, by: `CI at ${api.name}` };
    const pending = found.filter(({ state }) => state === "pending");
    if (pending.length > 0)
      return {
        ...answer,
        ...waiting(`${pending.length} of ${found.length} checks have not ended: ${namesOf(pending)}`),
      };
    const failed = found.filter(({ state }) => state === "failed");
    if (failed.length > 0) return { ...answer, ...(await rejected(failed, signal)) };
    if (!found.some(({ state }) => state === "passed")) return { ...answer, ...waiting(nothing(found, head)) };
    return { ...answer, status: "approved", message: null, findings: [] };
  });

/** The same checks, each run once, give the same answer for ever. */
function idOf({ signal, head }: Question, checks: readonly Check[]): string {
  const said = checks.map(({ id, state }) => `${id} ${state}`).sort();
  return `${signal}:${head}:${createHash("sha256").update(said.join("\n")).digest("hex").slice(0, 16)}`;
}

type Said = Pick<SignalAnswer, "status" | "message" | "findings" | "complete">;

const waiting = (message: string): Said => ({ status: "pending", message, findings: [] });

const nothing = (found: readonly Check[], head: string): string =>
  found.length === 0
    ? `there is no check of ${head.slice(0, 12)} yet: does the CI run for pull requests of this branch?`
    : `all checks of ${head.slice(0, 12)} were skipped: nothing has looked at it`;

async function rejected(failed: readonly Check[], signal: AbortSignal): Promise<Said> {
  const names = new Map<string, number>();
  const findings: Reported[] = [];
  for (const [i, check] of failed.entries()) {
    const name = shown(check.name);
    const nth = (names.get(name) ?? 0) + 1;
    names.set(name, nth);
    const log = i < MOST_LOGS ? logTail((await check.log(signal)) ?? "") : "";
    const text = `check ${name}: ${shown(check.word)}${log === "" ? "" : `. Its end:\n${log}`}`;
    findings.push({ key: `check:${name}${nth === 1 ? "" : `:${nth}`}`, text });
  }
  const message = findings.map(({ text }) => text).join("\n\n");
  return { status: "rejected", message: `rejected by ${namesOf(failed)}\n\n${message}`, findings, complete: true };
}

function namesOf(checks: readonly Check[]): string {
  const names = checks.slice(0, MOST_NAMES).map(({ name, word }) => `${shown(name)} (${shown(word)})`);
  const more = checks.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** A name as it may stand in a line: anybody who may write a workflow gives them. */
const shown = (name: string): string => plain(name).replace(/\s+/g, " ").trim().slice(0, 200);
