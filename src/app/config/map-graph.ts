import type { Phase } from "../../domain/phase.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** Where a phase may lead, in any way. */
const leadsTo = (phase: Phase): readonly string[] =>
  [phase.onPass, phase.onFail, phase.onWait, phase.onConflict, phase.escalate].filter((target) => target !== null);

/** Every phase is reached from the first, `done` is reached from every phase, and no waiting goes in a circle. */
export function checkGraph(phases: readonly Phase[], entries: readonly (readonly [string, Spot])[]): void {
  const spots = new Map(entries);
  checkWays(phases, spots);
  checkWaits(phases, spots);
  checkReady(phases, spots);
}

/** One way that is missing makes many phases unreachable, or keeps many from `done`: it is told where it is missing. */
function checkWays(phases: readonly Phase[], spots: ReadonlyMap<string, Spot>): void {
  const edges = new Map(phases.map((phase) => [phase.name as string, leadsTo(phase)]));
  const [first = "", ...others] = [...edges.keys()];
  const ways = new Map([first, ...others].map((name) => [name, closure([name], edges)] as const));
  const leads = (from: string, to: string): boolean => ways.get(from)!.has(to);
  const away = others.filter((name) => !leads(first, name));
  for (const [name = ""] of circlesAt(away, leads))
    noteFault(spots.get(name)!, "PHASE_UNREACHABLE", `nothing leads to phase ${name} from the first one, ${first}`, {
      key: true,
      next: "name it in on_pass, on_fail, on_wait, on_conflict or escalate of another phase, or take it out.",
    });
  // the way to a phase that is not reached may be the one to done, too
  if (away.some((name) => leads(name, "done"))) return;
  const stuck = [first, ...others].filter((name) => !away.includes(name) && !leads(name, "done"));
  for (const circle of circlesAt(stuck, (from, to) => leads(to, from)))
    noteFault(spots.get(circle[0]!)!, "DONE_UNREACHABLE", `no way leads from phase ${circle.join(" or ")} to done`, {
      key: true,
      next: `let ${circle.length === 1 ? "it" : "one of them"} have on_pass: done.`,
    });
}

/** Draft to ready is a step of its own (PRO-10.2): a map that merges has a phase for it, or no merge would ever happen. */
function checkReady(phases: readonly Phase[], spots: ReadonlyMap<string, Spot>): void {
  const does = (how: string) => phases.find(({ step }) => step.run === "action" && step.how === how);
  const merge = does("merge");
  if (merge === undefined || does("mark-ready") !== undefined) return;
  noteFault(
    child(spots.get(merge.name)!, "run"),
    "READY_MISSING",
    `${merge.name} merges, and no phase marks the draft ready`,
    {
      next: "put a phase before it: ready: {run: action mark-ready, on_pass: " + merge.name + ", on_fail: ready}.",
    },
  );
}

/** Those that nothing else of them comes before, by circle: what is wrong with the others comes from these. */
function circlesAt(
  names: readonly string[],
  isBefore: (name: string, other: string) => boolean,
): readonly (readonly string[])[] {
  const sources = names.filter((name) => names.every((other) => !isBefore(other, name) || isBefore(name, other)));
  const firsts = sources.filter((name, at) => !sources.slice(0, at).some((other) => isBefore(other, name)));
  return firsts.map((first) => sources.filter((name) => name === first || isBefore(first, name)));
}

function closure(from: readonly string[], edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set(from);
  // A set gives what is added during the walk too.
  for (const name of reached) for (const next of edges.get(name) ?? []) reached.add(next);
  return reached;
}

/** A chain of on_wait ends in a phase that stays where it is; one that comes round again never ends. Each circle is told once. */
function checkWaits(phases: readonly Phase[], spots: ReadonlyMap<string, Spot>): void {
  const waits = new Map<string, string>(phases.map((phase) => [phase.name, phase.onWait]));
  const told = new Set<string>();
  for (const { name } of phases) {
    const circle = circleFrom(name, waits);
    if (circle.length < 2 || circle.some((member) => told.has(member))) continue;
    for (const member of circle) told.add(member);
    noteFault(
      child(spots.get(circle[0]!)!, "on_wait"),
      "WAIT_ENDLESS",
      `this waiting never ends: ${[...circle, circle[0]].join(" -> ")}`,
      {
        next: "let one of these phases stay where it is: take its on_wait out.",
      },
    );
  }
}

function circleFrom(start: string, waits: ReadonlyMap<string, string>): readonly string[] {
  const path: string[] = [];
  for (let name = start; !path.includes(name); name = waits.get(name)!) path.push(name);
  const again = waits.get(path.at(-1)!)!;
  return path.slice(path.indexOf(again));
}
