import type { WantedIntent } from "./intent.ts";
import { fail, move, type Rules, wait } from "./move.ts";
import { effectKey } from "./names.ts";
import { phaseOf, workFor } from "./phase.ts";
import { type Next, nextOf, roundLimit } from "./step.ts";
import type { Turn } from "./turn.ts";
import type { World } from "./world.ts";

/** The rules that a task in progress goes by. */
export function rulesOf(world: World, task: ReturnType<World["task"]>): Rules {
  const map = world.map(task.map!);
  return { map, newest: world.newest(task.terms.phases) ?? map, limits: world.backlog.limits };
}

/** Acts on a task that needs no slot: notes facts on the turn, returns at most one intent. */
export function actOn(turn: Turn, world: World): readonly WantedIntent[] {
  const rules = rulesOf(world, turn.task());
  const next = nextOf(turn.task(), rules.map, rules.limits);
  switch (next.kind) {
    case "end":
      end(turn, rules, next.how);
      return [];
    case "hold":
      wait(turn, { ...next.on, since: turn.now, until: null });
      return [];
    case "skip":
      move(turn, rules, { kind: "ADVANCE", note: next.note });
      return [];
    case "empty":
      empty(turn, rules);
      return [];
    case "ask":
      ask(turn, rules, next.signal);
      return [];
    case "void":
      move(turn, rules, { kind: "VOID", gate: next.gate, head: next.head });
      return [];
    case "back":
      move(turn, rules, { kind: "BACK", to: next.to, why: next.why });
      return [];
    case "slot":
      return [];
    default:
      return [intentOf(turn, next)];
  }
}

function end(turn: Turn, rules: Rules, how: Extract<Next, { kind: "end" }>["how"]): void {
  const task = turn.task();
  if (how === "cancelled") return fail(turn, task.cancelling!);
  const limit = roundLimit(task, rules.map, rules.limits);
  fail(turn, `exceeded max rounds (${task.round} of ${limit})`);
}

/** architecture 6.7: no pull request without commits, and the finding says so. */
function empty(turn: Turn, rules: Rules): void {
  const { terms, phase } = turn.task();
  const text = `${terms.branch} has no commits ahead of ${terms.base}, so there is no pull request; say NO_CHANGE with a reason if nothing has to change`;
  const findings = [{ key: "nothing-to-do", text }];
  const to = workFor(rules.map, phaseOf(rules.map, phase)!);
  const where = to === null ? {} : { to };
  move(turn, rules, { kind: "RETRY", cause: "action", source: phase!, findings, complete: false, ...where });
}

function ask(turn: Turn, rules: Rules, signal: string): void {
  const { id, head, phase } = turn.task();
  turn.note({ kind: "asking-started", signal, at: turn.now });
  const step = rules.map.phases[phase!]!.step;
  if (step.run !== "signal" || step.answeredBy !== "human") return;
  const what = head === null ? "" : ` of ${head.slice(0, 7)}`;
  turn.notify("waiting", `${signal}${what}: pawl approve ${id} | pawl reject ${id} -m "…"`);
}

function intentOf(
  turn: Turn,
  next: Extract<Next, { kind: "publish" | "open-pr" | "mark-ready" | "prepare-merge" | "land" }>,
): WantedIntent {
  const task = turn.task();
  const { branch, base, title } = task.terms;
  const of = { key: effectKey(task, next.kind), task: task.id };
  const head = task.head!;
  switch (next.kind) {
    case "publish":
      return { ...of, kind: "publish", branch, from: task.published, to: head };
    case "open-pr":
      return { ...of, kind: "open-pr", branch, base, head, title };
    case "mark-ready":
      return { ...of, kind: "mark-ready", pr: task.pr!, branch, head };
    case "prepare-merge":
      return { ...of, kind: "prepare-merge", branch, base, head, title, trailer: `Pawl-Key: ${of.key}` };
    case "land": {
      const { tip, commit: candidate } = task.candidate!;
      return { ...of, kind: "land", pr: task.pr!, branch, base, head, tip, candidate };
    }
  }
}
