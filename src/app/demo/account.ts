import type { Fact } from "../../domain/fact.ts";
import type { TraceIntent } from "../../domain/intent.ts";
import type { EffectKey, LegKey } from "../../domain/names.ts";
import type { LoggedTick, Snapshot } from "../../ports/store.ts";
import { type FarEnd, twice } from "./far-end.ts";

/** What was under way when the processor was killed. */
export interface Open {
  readonly epoch: number;
  readonly legs: readonly LegKey[];
  /** intended, and not known to have ended */
  readonly effects: readonly TraceIntent[];
}

export function openIn(seen: Snapshot, epoch: number): Open {
  const doings = seen.live.map(({ doing }) => doing);
  return {
    epoch,
    legs: doings.flatMap((doing) => (doing.kind === "running" ? [doing.leg] : [])),
    effects: [
      ...doings.flatMap((doing) => (doing.kind === "effect" ? [doing.intent] : [])),
      ...seen.live.flatMap(({ chores }) => chores),
    ],
  };
}

const factsOf = (ticks: readonly LoggedTick[]): readonly Fact[] => ticks.flatMap(({ facts }) => facts);

/** What of it the next processor has brought to an end, by the log. */
export function broughtToEnd(open: Open, ticks: readonly LoggedTick[]): { legs: LegKey[]; effects: EffectKey[] } {
  const facts = factsOf(ticks.filter(({ epoch }) => epoch > open.epoch));
  const ended = new Set(facts.flatMap((fact) => (fact.kind === "worker-ended" ? [fact.leg] : [])));
  const closed = new Set(facts.flatMap((fact) => (fact.kind === "effect-closed" ? [fact.key] : [])));
  return {
    legs: open.legs.filter((leg) => ended.has(leg)),
    effects: open.effects.map(({ key }) => key).filter((key) => closed.has(key)),
  };
}

/** One kind of effect: how many were intended and done by the log, and what the far end says. */
export interface Row {
  readonly kind: string;
  readonly done: number;
  readonly there: number;
  readonly where: string;
  readonly twice: readonly string[];
}

/** The log beside the books of the far end. Workers that are Pawl's own (`pawl check`) sign nowhere and are left out. */
export function account(ticks: readonly LoggedTick[], far: FarEnd): readonly Row[] {
  const done = doneIntents(ticks);
  const of = (kind: TraceIntent["kind"]) => done.filter((intent) => intent.kind === kind);
  const signing = of("spawn").filter((one) => one.kind === "spawn" && one.wish.who === "implementer");
  const state = (name: string): readonly string[] => far.pulls.filter((move) => move.endsWith(` ${name}`));
  const row = (kind: string, intents: readonly unknown[], there: readonly string[], where: string): Row => ({
    kind,
    done: intents.length,
    there: there.length,
    where,
    twice: twice(there),
  });
  return [
    row("spawn", signing, far.starts, "signed by the workers"),
    row("publish", of("publish"), far.publishes, "in the origin's reflog"),
    row("open-pr", of("open-pr"), state("draft"), "refs/pawl/pr/*"),
    row("mark-ready", of("mark-ready"), state("open"), "refs/pawl/pr/*"),
    row("land", of("land"), far.merges, "commits on main"),
  ];
}

function doneIntents(ticks: readonly LoggedTick[]): readonly TraceIntent[] {
  const facts = factsOf(ticks);
  const closed = new Set(facts.flatMap((f) => (f.kind === "effect-closed" && f.ending === "done" ? [f.key] : [])));
  return facts.flatMap((f) => (f.kind === "effect-intended" && closed.has(f.intent.key) ? [f.intent] : []));
}

/** What differs from "each once, and none lost"; empty: nothing. */
export function differences(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ kind, done, there, where, twice: again }) => [
    ...(again.length > 0 ? [`${kind} happened twice: ${again.join(", ")}`] : []),
    ...(done !== there ? [`${kind}: ${done} by the log, ${there} ${where}`] : []),
  ]);
}

/** `kind  by the log  at the far end  twice`, in columns */
export function accountLines(rows: readonly Row[]): readonly string[] {
  const line = (kind: string, done: string, there: string, again: string): string =>
    `   ${kind.padEnd(12)}${done.padStart(7)}   ${there.padEnd(34)}${again.padStart(5)}`;
  return [
    line("effect", "by log", "at the far end", "twice"),
    ...rows.map((one) => line(one.kind, `${one.done}`, `${one.there} ${one.where}`, `${one.twice.length}`)),
  ];
}
