import { z } from "zod";

/**
 * What shows that a move was made. ok: the call succeeded · changed: it changed a file · passed: the suites passed on
 * the files as they are now · valid: the tool found what it made in order.
 */
const proofSchema = z.enum(["ok", "changed", "passed", "valid"]);

const moveSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** tools that make it, one of them; none: a note, made within the answer that makes the next call */
  tools: z.array(z.string()).default([]),
  /** only calls that have this argument, or have it not */
  with: z.string().optional(),
  without: z.string().optional(),
  /** moves that have to be made before */
  needs: z.array(z.string()).default([]),
  proof: proofSchema.default("ok"),
  optional: z.boolean().default(false),
  /** how often it may be called before `again` is made anew; without a word, as often as steps allow */
  at_most: z.number().int().positive().optional(),
  /** a move that, when it is called, lets this one be called again */
  again: z.string().optional(),
  /** it is made already where a section of context.md holds what this word names */
  found_in_context: z.string().optional(),
  /** moves that are to be made again, once this one was called and has no proof */
  on_fail: z.array(z.string()).default([]),
  /** moves whose later making takes this one's proof away */
  undone_by: z.array(z.string()).default([]),
});

/** A task type as data (architecture 9.7): which moves, by which tools, in which order, and what proves each. */
export const patternSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  /** for the planner, which chooses among task types by it */
  description: z.string().min(1),
  /** for the executor: how this kind of work is done */
  prompt: z.string().default(""),
  moves: z.array(moveSchema),
  /** tools that may be called at any time and make no move */
  also: z.array(z.string()).default([]),
  /** complete: over as soon as nothing is pending · done: when the executor says so, and nothing is pending */
  ends: z.enum(["complete", "done"]).default("done"),
  /** most calls that may be made; reaching it goes back to the planner */
  max_steps: z.number().int().positive().default(5),
});
export type Pattern = z.infer<typeof patternSchema>;
export type PatternMove = z.infer<typeof moveSchema>;

/** A tool's call as a pattern looks at it. */
export interface Made {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The moves that a call can be, in the pattern's order. */
export const movesOf = (pattern: Pattern, call: Made): readonly PatternMove[] =>
  pattern.moves.filter((move) => move.tools.includes(call.tool) && fits(move, call.args));

/** It has no tool: it is made within the answer that makes the next call. */
const isNote = (move: PatternMove): boolean => move.tools.length === 0;

function fits(move: PatternMove, args: Made["args"]): boolean {
  const has = (name: string): boolean => args[name] !== undefined && args[name] !== null && args[name] !== "";
  return (move.with === undefined || has(move.with)) && (move.without === undefined || !has(move.without));
}

/** Every tool that this kind of work can call, each once. */
export const toolsOf = (pattern: Pattern): readonly string[] => [
  ...new Set([...pattern.moves.flatMap((move) => move.tools), ...pattern.also]),
];

/** What is wrong with a pattern that its shape does not show; none: it can be used. */
export function patternFaults(pattern: Pattern, knownTools: ReadonlySet<string>): readonly string[] {
  const names = pattern.moves.map((move) => move.name);
  const known = new Set(names);
  const faults = names.filter((name, i) => names.indexOf(name) !== i).map((name) => `two moves are called "${name}"`);
  for (const move of pattern.moves) {
    for (const other of [...move.needs, ...move.on_fail, ...move.undone_by, ...(move.again ? [move.again] : [])])
      if (!known.has(other)) faults.push(`move "${move.name}" names "${other}", which is no move of "${pattern.name}"`);
    if (isNote(move) && move.proof !== "ok") faults.push(`move "${move.name}" has no tool that could prove it`);
    for (const note of move.needs.filter((other) => pattern.moves.some((one) => one.name === other && isNote(one))))
      faults.push(`move "${move.name}" needs "${note}", and "${note}" is a note: nothing proves it beforehand`);
    if (move.again !== undefined && move.at_most === undefined)
      faults.push(`move "${move.name}" has "again" and no "at_most"`);
  }
  const circle = needsCircle(pattern);
  if (circle) faults.push(`moves that need each other: ${circle.join(" -> ")}`);
  for (const tool of toolsOf(pattern)) if (!knownTools.has(tool)) faults.push(`tool "${tool}" is not known`);
  return faults;
}

function needsCircle(pattern: Pattern): readonly string[] | null {
  const needs = new Map(pattern.moves.map((move) => [move.name, move.needs]));
  const clear = new Set<string>();
  const walk = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (clear.has(name)) return null;
    for (const next of needs.get(name) ?? []) {
      const found = walk(next, [...path, name]);
      if (found) return found;
    }
    clear.add(name);
    return null;
  };
  for (const name of needs.keys()) {
    const found = walk(name, []);
    if (found) return found;
  }
  return null;
}
