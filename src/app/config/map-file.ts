import type { MapHash, PhaseName } from "../../domain/names.ts";
import type { Phase, PhaseMap, Step, Target } from "../../domain/phase.ts";
import { canonical, sha256 } from "./canonical.ts";
import { duration, positive, record, text, yes } from "./decode.ts";
import { ANY_LABEL, isForges, labelIn } from "./forge-key.ts";
import { checkGraph } from "./map-graph.ts";
import { isWritten, missingKey } from "./missing-key.ts";
import { nearest, nearestFirst } from "./nearest.ts";
import { version } from "./pawl-file.ts";
import { keysOf, mapOf, shaped } from "./schema-of.ts";
import { child, entriesOf, nodeOf, noteFault, type Spot, textOf } from "./spot.ts";

/** What a map may name: the roles, actions and signals that there are. */
export interface Vocabulary {
  /** role -> where it works; every agent and role file */
  readonly roles: ReadonlyMap<string, "branch" | "clean">;
  /** roles that have an agent */
  readonly cast: ReadonlySet<string>;
  readonly actions: ReadonlyMap<
    string,
    { readonly pr: boolean; readonly idempotent: boolean; readonly canAsk: boolean; readonly wallMs: number }
  >;
  readonly signals: ReadonlyMap<string, { readonly pr: boolean; readonly answeredBy: "human" | "command" }>;
  /** whether pawl.yaml has one of that name, with a fault of its own that is told there */
  isBroken(kind: "role" | "action" | "signal", name: string): boolean;
}

const PHASE = {
  run: text,
  on_pass: text,
  on_fail: text,
  on_wait: text,
  on_conflict: text,
  timeout: duration,
  escalate: text,
  check: text,
  pr: yes,
};
const ROUTES = ["on_pass", "on_fail", "on_wait", "on_conflict", "escalate"] as const;
/** Every key of a map, with what reads it; what a phase names is looked up later. */
export const MAP = {
  version,
  max_task_rounds: positive,
  phases: shaped(
    () => mapOf({ schema: () => keysOf(PHASE) }),
    (spot: Spot) => spot,
  ),
};
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

/**
 * A checked map, or null: then every fault of it is noted at its place. `spot` is the map's own mapping, or only its
 * phases (as pawl.yaml may hold them in place).
 */
export function readMap(spot: Spot, name: string, words: Vocabulary): PhaseMap | null {
  const before = spot.text.faults.length;
  const top = looksWhole(spot) ? record(MAP)(spot) : { max_task_rounds: undefined, phases: spot };
  const entries = top?.phases && nodeOf(top.phases) ? entriesOf(top.phases) : null;
  if (!entries || entries.length === 0) {
    if (spot.text.faults.length === before)
      noteFault(top?.phases ?? spot, "PHASES_MISSING", `${name} has no phases`, {
        next: "add phases: with at least one, which runs something and leads to done.",
      });
    return null;
  }
  if (entries.length > MOST_PHASES) {
    noteFault(spot, "PHASES_TOO_MANY", `${name} has ${entries.length} phases, and ${MOST_PHASES} are the most`);
    return null;
  }
  const known = entries.map(([phase]) => phase);
  const phases = entries.map(([phase, at]) => readPhase(at, phase, { known, words }));
  const whole = phases.filter((phase) => phase !== null);
  if (spot.text.faults.length > before || whole.length < phases.length) return null;
  checkGraph(whole, entries);
  return spot.text.faults.length > before ? null : sealed(name, whole, top?.max_task_rounds ?? null);
}

const MOST_PHASES = 200;

/** Only phases, or a whole map? A phase may be called `phases`, or like it, but then it runs something. */
const looksWhole = (spot: Spot): boolean => {
  const entries = entriesOf(spot) ?? [];
  const isNear = (key: string) => key === "max_task_rounds" || nearest(key, ["phases"]) !== null;
  return entries.length === 0 || entries.some(([key, one]) => isNear(key) && textOf(child(one, "run")) === null);
};

function sealed(name: string, phases: readonly Phase[], maxRounds: number | null): PhaseMap {
  const map = { name, first: phases[0]!.name, phases: Object.fromEntries(phases.map((p) => [p.name, p])), maxRounds };
  return { hash: sha256(canonical(map)) as MapHash, ...map };
}

function readPhase(spot: Spot, name: string, of: { known: readonly string[]; words: Vocabulary }): Phase | null {
  checkName(spot, name);
  const read = record(PHASE)(spot);
  if (!read) {
    if (nodeOf(spot) === null)
      noteFault(spot, "RUN_MISSING", `phase ${name} says nothing`, { key: true, next: RUN_NEXT });
    return null;
  }
  if (read.run === undefined)
    missingKey(spot, "run", `phase ${name} has no run: what it does`, { code: "RUN_MISSING", next: RUN_NEXT });
  const step = stepOf(child(spot, "run"), read, of.words);
  checkRoutes(spot, { name, known: of.known, step, read });
  checkPlaces(spot, { name, step, read });
  if (!step) return null;
  return {
    name: name as PhaseName,
    step,
    onPass: (read.on_pass ?? name) as Target,
    onFail: (read.on_fail ?? name) as PhaseName,
    onWait: (read.on_wait ?? name) as PhaseName,
    onConflict: (read.on_conflict ?? null) as PhaseName | null,
    timeoutMs: read.timeout ?? null,
    escalate: (read.escalate ?? null) as PhaseName | null,
    check: read.check ?? null,
  };
}
type Read = NonNullable<ReturnType<ReturnType<typeof record<typeof PHASE>>>>;

function checkName(spot: Spot, name: string): void {
  if (name === "done")
    noteFault(spot, "DONE_MISPLACED", "no phase can be called done: it says that the task is completed", {
      key: true,
      next: "give the phase another name.",
    });
  else if (!NAME.test(name))
    noteFault(spot, "PHASE_NAME", `"${name}" cannot be the name of a phase`, {
      key: true,
      next: "use 1 to 40 letters, digits, hyphens and underscores (it names folders).",
    });
}

const RUN_NEXT = "write run: agent ROLE, run: action NAME or run: signal NAME.";

function stepOf(spot: Spot, read: Read, words: Vocabulary): Step | null {
  const run = read.run?.trim();
  if (run === undefined) return null;
  const [kind = "", what = "", ...rest] = run.split(/\s+/);
  const lead = read.run?.lastIndexOf(what) ?? 0;
  const target = { spot, what, from: lead, words };
  if (what !== "" && rest.length === 0) {
    if (kind === "agent") return agentStep(target);
    if (kind === "action") return actionStep(target, read.pr);
    if (kind === "signal") return signalStep(target, read.pr);
  }
  const meant = nearest(kind, ["agent", "action", "signal"]);
  noteFault(spot, "RUN_BAD", `"${run}" is nothing that a phase can run`, {
    note: "known: agent ROLE, action NAME, signal NAME",
    next: meant !== null && what !== "" ? `write "${meant} ${what}".` : RUN_NEXT,
  });
  return null;
}

interface Named {
  readonly spot: Spot;
  readonly what: string;
  readonly from: number;
  readonly words: Vocabulary;
}

function unknown(
  { spot, what, from, words }: Named,
  kind: "role" | "action" | "signal",
  of: { known: readonly string[]; message: string; next: string },
): null {
  if (words.isBroken(kind, what)) return null;
  const meant = nearest(what, of.known);
  const code = { role: "ROLE_UNKNOWN", action: "ACTION_UNKNOWN", signal: "SIGNAL_UNKNOWN" }[kind];
  noteFault(spot, code, of.message, {
    from,
    length: what.length,
    note: `known: ${nearestFirst(what, of.known).join(", ")}`,
    next: meant === null ? `${of.next}.` : `write "${meant}", or ${of.next}.`,
  });
  return null;
}

function agentStep(target: Named): Step | null {
  const { spot, what, from, words } = target;
  const checkout = words.roles.get(what);
  if (checkout === undefined)
    return unknown(target, "role", {
      known: [...words.roles.keys()],
      message: `no agent or role file is called "${what}"`,
      next: `add roles/${what}.md`,
    });
  if (!words.cast.has(what)) {
    const meant = nearest(what, [...words.cast]);
    noteFault(spot, "AGENT_MISSING", `no agent does the work of the role "${what}"`, {
      from,
      length: what.length,
      next: `${meant === null ? "" : `write agents: {${what}: …} in place of ${meant}, if that is what is meant, or `}add agents: {${what}: {command: …}} to pawl.yaml${what === "verifier" ? ", or checks: [npm test]" : ""}, or use --agent CMD for every role.`,
    });
    return null;
  }
  return { run: "agent", role: what, checkout, pr: false };
}

const LATER_ACTIONS = ["label"];

function actionStep(target: Named, pr: boolean | undefined): Step | null {
  const { what: name, words } = target;
  if (name === "merge" || name === "mark-ready") return { run: "action", name, how: name, pr: true };
  const known = words.actions.get(name);
  if (known) return { run: "action", name, how: "command", ...known, pr: pr ?? known.pr };
  const later = LATER_ACTIONS.includes(name);
  return unknown(target, "action", {
    known: ["merge", "mark-ready", ...words.actions.keys()],
    message: later ? `the action "${name}" is not in this release` : `no action is called "${name}"`,
    next: `add actions: {${name}: {command: …}} to pawl.yaml`,
  });
}

function signalStep(target: Named, pr: boolean | undefined): Step | null {
  const { what: name, words } = target;
  const known = words.signals.get(labelIn(name) === null ? name : ANY_LABEL) ?? words.signals.get(name);
  if (known) return { run: "signal", name, answeredBy: known.answeredBy, pr: pr ?? known.pr };
  return unknown(target, "signal", {
    known: [...words.signals.keys()].filter((one) => one !== ANY_LABEL),
    message: isForges(name)
      ? `the local forge does not answer the signal "${name}": GitHub and GitLab do (forge: {kind: github, repo: OWNER/NAME})`
      : `no signal is called "${name}"`,
    next: `add signals: {${name}: {command: …}} to pawl.yaml`,
  });
}

/** Every target is a phase; `done` stands in on_pass only; what has to be there is there. */
function checkRoutes(spot: Spot, of: { name: string; known: readonly string[]; step: Step | null; read: Read }): void {
  const { name, known, step, read } = of;
  for (const route of ROUTES) {
    const target = read[route];
    if (target === undefined || known.includes(target) || (target === "done" && route === "on_pass")) continue;
    const where = child(spot, route);
    if (target === "done")
      noteFault(where, "DONE_MISPLACED", `${route} cannot lead to done: only on_pass completes a task`, {
        next: "name a phase.",
      });
    else targetFault(where, { name, route, target, known: route === "on_pass" ? [...known, "done"] : known });
  }
  if (read.on_pass === undefined)
    missingKey(spot, "on_pass", `phase ${name} has no on_pass`, {
      code: "ROUTE_MISSING",
      next: "add on_pass: the phase that comes next, or done.",
    });
  if (step?.run === "signal" && read.on_fail === undefined)
    missingKey(spot, "on_fail", `phase ${name} has no on_fail, and a signal can be rejected`, {
      code: "ROUTE_MISSING",
      next: "add on_fail: the phase that a rejection leads to.",
    });
}

function targetFault(spot: Spot, of: { name: string; route: string; target: string; known: readonly string[] }): void {
  const meant = nearest(of.target, of.known);
  noteFault(spot, "TARGET_UNKNOWN", `${of.route} of ${of.name} leads to "${of.target}", and no phase is called that`, {
    note: `known: ${nearestFirst(of.target, of.known).join(", ")}`,
    next:
      meant === null
        ? `add a phase "${of.target}", or name another.`
        : `write "${meant}", or add a phase "${of.target}".`,
  });
}

/** Keys that say nothing where they stand are faults: they were meant to do something. */
function checkPlaces(spot: Spot, { name, step, read }: { name: string; step: Step | null; read: Read }): void {
  const isMerge = step?.run === "action" && step.how === "merge";
  const misplaced = (key: keyof typeof PHASE, why: string): void => {
    if (read[key] !== undefined)
      noteFault({ ...child(spot, key) }, "KEY_MISPLACED", `${key} of ${name} does nothing: ${why}`, {
        key: true,
        next: `take ${key} out.`,
      });
  };
  if (step && !isMerge) misplaced("on_conflict", "only action merge meets conflicts");
  if (step && !isMerge) misplaced("check", "only action merge has a candidate to check");
  if (!isWritten(spot, "timeout")) misplaced("escalate", "without timeout it is never used");
  if (step?.run === "agent") misplaced("pr", "an agent needs no pull request");
  if (step?.run === "agent" && read.on_wait !== name)
    misplaced("on_wait", "an agent's step never leaves the phase by waiting");
  if (step?.run === "action" && step.how !== "command") misplaced("pr", `action ${step.name} always needs one`);
}
