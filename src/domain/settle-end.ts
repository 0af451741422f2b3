import { type Amount, NOTHING } from "./budget.ts";
import { inWords } from "./ending.ts";
import { isCounted, waivedAll } from "./findings.ts";
import type { AtGate } from "./gate.ts";
import { infraWorks, waitForInfra } from "./infra.ts";
import type { Input, RunEnd } from "./input.ts";
import { afterMerge, fail, move, type Rules, wait, withdrawNoChange } from "./move.ts";
import { type Instant, type Ms, type PhaseName, parseLeg } from "./names.ts";
import type { Reported } from "./outcome.ts";
import { isWork, phaseOf, whoOf } from "./phase.ts";
import { settleCommandEnd } from "./settle-exit.ts";
import type { Running, Task } from "./task.ts";
import type { Turn } from "./turn.ts";

/** What a run left (processor.md, "Worker Lifecycle": reap). Its usage is settled whatever else is true. */
export function settleEnd(
  turn: Turn,
  { leg, end }: Extract<Input, { kind: "run-ended" }>,
  rules: Rules,
  { estimated } = { estimated: end.how === "lost" },
): void {
  const { doing } = turn.task();
  if ((doing.kind !== "running" && doing.kind !== "at-gate") || doing.leg !== leg)
    return turn.note({ kind: "input-ignored", why: `${leg} is not the run of this task` });
  closeRun(turn, leg, end, { estimated });
  if (end.head !== null && end.head !== turn.task().head)
    turn.note({ kind: "head-moved", head: end.head, change: end.change, foreign: false });
  if (turn.task().cancelling !== null) return fail(turn, turn.task().cancelling!);
  if (doing.stopping === "merged") return afterMerge(turn, rules); // by hand, meanwhile
  if (doing.kind === "at-gate" || doing.purpose === "agent") return settleWorker(turn, doing, end, rules);
  settleCommandEnd(turn, doing, end, rules);
}

/**
 * The run is over and its reservation settled: by what it reported; where nobody can say, money and tokens as reserved,
 * and the time that has passed since its start (architecture 5.9). An agent that was never started is no paid spawn.
 */
export function closeRun(turn: Turn, leg: Running["leg"], end: RunEnd, { estimated }: { estimated: boolean }): void {
  const { doing, ledger } = turn.task();
  const isAgent = doing.kind === "at-gate" || (doing.kind === "running" && doing.purpose === "agent");
  const { run } = parseLeg(leg);
  const reserved: Amount = ledger.reserved[run] ?? NOTHING;
  const passed = workedMs(turn.task(), turn.now);
  const estimate = { ...reserved, wallMs: Math.min(reserved.wallMs, passed) };
  const used = end.how === "setup" ? { ...end.usage, spawns: 0 } : end.usage;
  const amount = !isAgent ? NOTHING : estimated ? estimate : used;
  turn.note({ kind: "worker-ended", leg, end, at: turn.now });
  turn.note({ kind: "budget-settled", run, reserved, amount, known: end.usageKnown, estimated: isAgent && estimated });
}

/** How long a run has been worked at; what it waited at gates does not count. */
function workedMs({ doing, run }: Task, now: Instant): Ms {
  const before = run ? Math.max(0, run.wish.wallMs - run.leftMs) : 0;
  return before + (doing.kind === "running" ? Math.max(0, now - doing.since) : 0);
}

function settleWorker(turn: Turn, doing: Running | AtGate, end: RunEnd, rules: Rules): void {
  const task = turn.task();
  const source = task.phase!;
  switch (end.how) {
    case "verdict":
      turn.note({ kind: "counters-cleared", counters: ["crashes", "infra"] });
      fixCrash(turn);
      return verdict(turn, end, rules);
    case "no-verdict":
      return crash(turn, doing, inWords(end), rules);
    case "exit":
      return crash(turn, doing, `worker completed without writing verdict (${end.detail})`, rules);
    case "timeout":
      infraWorks(turn);
      return move(turn, rules, {
        kind: "RETRY",
        cause: "verdict",
        source,
        findings: [{ key: "timeout", text: end.detail }],
        complete: false,
      });
    case "rate-limited":
      return waitForInfra(turn, rules, {
        code: end.cause === "provider-down" ? "provider-down" : "rate-limited",
        owner: "provider",
        reason: inWords(end),
        until: end.until,
      });
    case "killed":
      return killed(turn, end, rules);
    case "auth": {
      const code = end.cause === "quota" ? "quota" : "auth";
      return waitForInfra(turn, rules, { code, owner: "human", reason: inWords(end), until: null });
    }
    case "setup":
      return unprepared(turn, end.detail, rules);
    case "lost":
      return waitForInfra(turn, rules, { code: "host", owner: "host", reason: end.detail, until: null });
    case "stopped":
      return stopped(turn, doing);
  }
}

/** Tried again by itself, but often it is a person who has to mend it: told once. */
function unprepared(turn: Turn, reason: string, rules: Rules): void {
  if (turn.task().counts.infra === 0) turn.notify("waiting", reason);
  waitForInfra(turn, rules, { code: "setup", owner: "host", reason, until: null });
}

/** A worker may kill its own parent: so often in a row, and a person is asked. */
const MOST_KILLS = 5;

/** Somebody else's doing: again at once the first time, then with back-off; no round, no crash, never the task's failure. */
function killed(turn: Turn, { by, detail }: Extract<RunEnd, { how: "killed" }>, rules: Rules): void {
  const { id, counts } = turn.task();
  if (counts.infra === 0) return turn.note({ kind: "counter-raised", counter: "infra", at: turn.now });
  if (by === "reboot" || counts.infra + 1 < MOST_KILLS)
    return waitForInfra(turn, rules, { code: "host", owner: "host", reason: detail, until: null });
  const reason = `${detail}; ${MOST_KILLS} times in a row: look for what kills it, then pawl retry ${id}`;
  wait(turn, { code: "host", owner: "human", reason, since: turn.now, until: null });
}

/** Stopped by us: for its budget it waits for a person; otherwise nothing happened, and it is tried again. */
function stopped(turn: Turn, doing: Running | AtGate): void {
  if (doing.stopping !== "budget") return;
  const reason = "stopped: the run used up its budget";
  wait(turn, { code: "budget", owner: "human", reason, since: turn.now, until: null });
}

function verdict(turn: Turn, end: Extract<RunEnd, { how: "verdict" }>, rules: Rules): void {
  const task = turn.task();
  const source = task.phase!;
  switch (end.verdict) {
    case "PASS":
      shown(turn, end);
      return pass(turn, rules, end.detail || null);
    case "NO_CHANGE":
      return noChange(turn, end, rules);
    case "FAIL": {
      const findings = (end.findings.length > 0 ? end.findings : [{ text: end.detail }]).map(asTheirs);
      const waived = isLeft(rules, source, findings) ? null : waivedAll(task, source, findings);
      if (waived !== null) return pass(turn, rules, `nothing but ${waived}, which a person waived`);
      withdrawNoChange(turn);
      return move(turn, rules, { kind: "RETRY", cause: "verdict", source, findings, complete: end.complete });
    }
    case "BLOCKED": {
      const on = {
        code: "blocked",
        owner: "human",
        reason: `BLOCKED: ${end.detail}`,
        since: turn.now,
        until: null,
      } as const;
      return move(turn, rules, { kind: "WAIT", on, stays: true });
    }
  }
}

/** What was done on a screen has its trajectory to show for it, and no commits (architecture 6.10). */
function shown(turn: Turn, { detail, trajectory }: Extract<RunEnd, { how: "verdict" }>): void {
  const { terms, change } = turn.task();
  if (trajectory === undefined || terms.environment !== "device" || (change?.commits ?? 0) > 0) return;
  turn.note({ kind: "no-change-said", reason: detail || "done on the screen", trajectory });
}

function pass(turn: Turn, rules: Rules, note: string | null): void {
  const { foreign, head, phase } = turn.task();
  const step = phaseOf(rules.map, phase)!.step;
  if (foreign && head !== null && step.run === "agent" && step.checkout === "clean")
    turn.note({ kind: "head-verified", head });
  move(turn, rules, { kind: "ADVANCE", note });
}

/**
 * Work may lie in its worktree that was not committed: a worker that says FAIL itself has not had it committed. Only
 * what its host found of a PASS (paths outside its bounds) is no reason not to go on.
 */
const isLeft = ({ map }: Rules, source: string, findings: readonly Reported[]): boolean =>
  isWork(phaseOf(map, source as PhaseName)!) && !findings.every(({ key }) => key?.startsWith("scope:"));

/** A key that means something to Pawl is none of a worker's: its finding is one like any other. */
const asTheirs = (said: Reported): Reported => (isCounted(said) ? { ...said, key: `said:${said.key}` } : said);

/** NO_CHANGE counts with a reason and nothing ahead of the base. */
function noChange(turn: Turn, end: Extract<RunEnd, { how: "verdict" }>, rules: Rules): void {
  const task = turn.task();
  const ahead = task.change?.commits ?? 0;
  if (ahead === 0) {
    turn.note({ kind: "no-change-said", reason: end.detail });
    return move(turn, rules, { kind: "ADVANCE", note: end.detail });
  }
  const text = `NO_CHANGE was said, but the branch is ${ahead} commits ahead of its base`;
  move(turn, rules, {
    kind: "RETRY",
    cause: "verdict",
    source: task.phase!,
    findings: [{ key: "no-change", text }],
    complete: false,
  });
}

/** The specification's crash (PRO-4.5): FAIL, a finding, the probe's event (from the fact), and a person is told. */
function crash(turn: Turn, doing: Running | AtGate, detail: string, rules: Rules): void {
  infraWorks(turn);
  const { phase, terms, counts } = turn.task();
  const role = whoOf(rules.map, phase);
  turn.note({ kind: "worker-crashed", leg: doing.leg, role, branch: terms.branch, detail });
  turn.notify("crashed", `${role} crashed (${counts.crashes + 1} of ${rules.limits.maxCrashes}): ${detail}`);
  move(turn, rules, {
    kind: "RETRY",
    cause: "crash",
    source: phase!,
    findings: [{ key: "crash", text: detail }],
    complete: false,
  });
}

/** A valid verdict ends a row of crashes: their finding is no longer open. */
function fixCrash(turn: Turn): void {
  const { phase, findings } = turn.task();
  for (const f of findings)
    if (f.state === "open" && f.source === phase && f.key === "crash")
      turn.note({ kind: "finding-fixed", finding: { ...f, state: "fixed" } });
}
