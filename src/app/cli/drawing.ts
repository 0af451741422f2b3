import type { Phase, PhaseMap } from "../../domain/phase.ts";
import { padEnd, width } from "./printable.ts";

/** Characters of a drawing. */
interface Pens {
  readonly start: string;
  readonly pass: string;
  readonly up: string;
  readonly down: string;
  readonly left: string;
  readonly join: string;
  readonly right: string;
  readonly back: string;
  readonly fail: string;
}
const LINES: Pens = {
  start: "▸",
  pass: "─▸",
  up: "▴",
  down: "╎",
  left: "└",
  join: "┴",
  right: "┘",
  back: "╌",
  fail: "╌▸",
};
const ASCII: Pens = {
  start: ">",
  pass: "->",
  up: "^",
  down: ":",
  left: "+",
  join: "+",
  right: "+",
  back: ".",
  fail: ".>",
};

/** Columns where nothing else is said. */
const MOST_COLUMNS = 98;

/** A map as lines: the way to done in one row, below it the ways back of on_fail, then what lies beside. */
export function drawMap(map: PhaseMap, unicode: boolean, columns = MOST_COLUMNS): readonly string[] {
  const pens = unicode ? LINES : ASCII;
  const way = wayToDone(map);
  const row = `  ${pens.start} ${[...way.map(({ name }) => name), "done"].join(` ${pens.pass} `)}`;
  if (width(row) > columns) return [...downwards(map, way, pens), ...asides(map, way, pens)];
  const at = centres(way);
  const legend = [`${pens.pass} on_pass`, `${pens.fail} on_fail, round + 1`];
  const lines = [row, ...backs(way, at, pens)];
  return [...beside(lines, legend, columns), ...asides(map, way, pens)];
}

/** Puts the legend at the right, as far from the lines as there is room, else below them. */
function beside(lines: readonly string[], legend: readonly string[], columns: number): readonly string[] {
  const widest = Math.max(...lines.map(width));
  const room = columns - widest - Math.max(...legend.map(width));
  if (room < 3 || lines.length < legend.length) return [...lines, `    ${legend.join("    ")}`];
  return lines.map((line, i) =>
    legend[i] === undefined ? line : padEnd(line, widest + Math.min(8, room)) + legend[i],
  );
}

/** The phases that on_pass leads through from the first one, each once. */
function wayToDone(map: PhaseMap): readonly Phase[] {
  const way: Phase[] = [];
  for (let name: string = map.first; name !== "done"; ) {
    const phase = map.phases[name]!;
    if (way.includes(phase)) break;
    way.push(phase);
    name = phase.onPass;
  }
  return way;
}

/** The column in the middle of each name of the row. */
function centres(way: readonly Phase[]): ReadonlyMap<string, number> {
  const at = new Map<string, number>();
  let column = 4;
  for (const { name } of way) {
    at.set(name, column + Math.floor(name.length / 2));
    column += name.length + 4;
  }
  return at;
}

/** For each phase that on_fail leads back to: an arrow up below it, and lines from those that lead there. */
function backs(way: readonly Phase[], at: ReadonlyMap<string, number>, pens: Pens): readonly string[] {
  return way.flatMap((target) => {
    const from = way.filter((phase) => phase.onFail === target.name && at.get(phase.name)! > at.get(target.name)!);
    if (from.length === 0) return [];
    const columns = from.map(({ name }) => at.get(name)!);
    const [start, end] = [at.get(target.name)!, Math.max(...columns)];
    const cells = (draw: (column: number) => string): string =>
      Array.from({ length: end + 1 }, (_, column) => draw(column)).join("");
    return [
      cells((column) => (column === start ? pens.up : columns.includes(column) ? pens.down : " ")),
      cells((column) =>
        column < start
          ? " "
          : column === start
            ? pens.left
            : column === end
              ? pens.right
              : columns.includes(column)
                ? pens.join
                : pens.back,
      ),
    ];
  });
}

function downwards(map: PhaseMap, way: readonly Phase[], pens: Pens): readonly string[] {
  return way.map(({ name, onPass, onFail }, index) => {
    const fail = onFail === name ? "" : `   ${pens.fail} ${onFail}`;
    return `  ${index === 0 ? pens.start : " "} ${name} ${pens.pass} ${onPass}${fail}${map.first === name ? "   (first)" : ""}`;
  });
}

/** What leads off the way: conflicts, waiting elsewhere, escalation, and from there on back to it. */
function asides(map: PhaseMap, way: readonly Phase[], pens: Pens): readonly string[] {
  const onWay = new Set<string>(way.map(({ name }) => name));
  return Object.values(map.phases).flatMap((phase) => {
    const ways = [
      ["on_conflict", phase.onConflict],
      ["on_wait", phase.onWait === phase.name ? null : phase.onWait],
      ["escalate", phase.escalate],
      ["on_fail", onWay.has(phase.onFail) ? null : phase.onFail === phase.name ? null : phase.onFail],
    ] as const;
    return ways.flatMap(([key, target]) =>
      target === null
        ? []
        : [`  ${phase.name} ${key} ${pens.pass} ${chainFrom(target, map, onWay).join(` ${pens.pass} `)}`],
    );
  });
}

function chainFrom(start: string, map: PhaseMap, onWay: ReadonlySet<string>): readonly string[] {
  const chain = [start];
  while (chain.at(-1) !== "done" && !onWay.has(chain.at(-1)!)) {
    const next = map.phases[chain.at(-1)!]!.onPass;
    if (chain.includes(next)) break;
    chain.push(next);
  }
  return chain;
}

/** The map in mermaid's language, for documents. */
export function mermaid(map: PhaseMap): string {
  const edges = Object.values(map.phases).flatMap((phase) => [
    `  ${id(phase.name)} --> ${id(phase.onPass)}`,
    ...(phase.onFail === phase.name && phase.step.run !== "agent"
      ? []
      : [`  ${id(phase.name)} -. fail .-> ${id(phase.onFail)}`]),
    ...(phase.onWait === phase.name ? [] : [`  ${id(phase.name)} -- wait --> ${id(phase.onWait)}`]),
    ...(phase.onConflict === null ? [] : [`  ${id(phase.name)} -- conflict --> ${id(phase.onConflict)}`]),
    ...(phase.escalate === null ? [] : [`  ${id(phase.name)} -- timeout --> ${id(phase.escalate)}`]),
  ]);
  const nodes = Object.values(map.phases).map(
    ({ name, step }) => `  ${id(name)}["${name}<br/>${step.run} ${step.run === "agent" ? step.role : step.name}"]`,
  );
  return ["flowchart LR", ...nodes, "  p_done([done])", ...edges].join("\n");
}
/** Some words mean something in mermaid: `end` is one of them. */
const id = (name: string): string => `p_${name}`;
