import { PawlError } from "../../../domain/errors.ts";
import type { Phase, PhaseMap } from "../../../domain/phase.ts";
import { actionsOf, signalsOf } from "../../config/assemble.ts";
import { labelIn } from "../../config/forge-key.ts";
import type { FoundMap } from "../../config/maps.ts";
import { builtIn } from "../../config/package-root.ts";
import { type Configuration, readConfiguration } from "../../config/reading.ts";
import { duration } from "../../config/units.ts";
import type { Context } from "../context.ts";
import { drawMap, mermaid } from "../drawing.ts";
import { inkFor } from "../look/ink.ts";
import { inColumns, wrapped } from "../views/columns.ts";
import { tableWidth } from "../views/scene.ts";

type Options = { readonly mermaid?: boolean };

/** `pawl explain [MAP]`: what a map does, drawn and as a table. Without MAP the one of tasks that name none. */
export async function run(ctx: Context, [name]: readonly string[], options: Options): Promise<number> {
  const configuration = await readConfiguration({ repo: await ctx.repo(), overrides: ctx.overrides });
  const found = findMap(configuration, name);
  const faults = [...found.faults, ...configuration.root.text.faults];
  if (!found.map) return ctx.fail(faults, "Nothing can be shown of a map that is broken.");
  const { map } = found;
  if (ctx.flags.json) ctx.json(options.mermaid ? { ok: true, name: map.name, mermaid: mermaid(map) } : asJson(map));
  else if (options.mermaid) ctx.out(mermaid(map));
  else for (const line of text(map, configuration, ctx)) ctx.out(line);
  return 0;
}

function findMap({ maps, usualMap, root }: Configuration, name: string | undefined): FoundMap {
  if (name === undefined || name === usualMap?.name) {
    if (usualMap) return usualMap;
    throw (
      root.text.faults.find(({ code }) => code === "MAP_UNKNOWN") ??
      new PawlError("MAP_UNKNOWN", "pawl.yaml names no map")
    );
  }
  const found = maps.find(name);
  if ("unknown" in found) throw new PawlError("MAP_UNKNOWN", found.unknown, { next: found.next });
  return found;
}

function text(map: PhaseMap, configuration: Configuration, ctx: Context): readonly string[] {
  const { colour } = ctx;
  const ink = inkFor(ctx);
  const { width, marks } = ink;
  const phases = Object.values(map.phases);
  const origin = builtIn("phase-maps").includes(map.name) ? " (built-in)" : "";
  const rounds = map.maxRounds === null ? [] : [`at most ${map.maxRounds} rounds`];
  const promises = ["every phase reaches done", "every wait has an owner"];
  const head = [`map ${map.name}${origin}`, `${phases.length} phases`, ...promises, ...rounds].join(` ${marks.dot} `);
  const timed = phases.some(({ timeoutMs }) => timeoutMs !== null);
  const answers = answeredBy(configuration);
  const rows = phases.map((phase) => [
    phase.name,
    `${phase.step.run} ${phase.step.run === "agent" ? phase.step.role : phase.step.name}`,
    phase.onPass,
    phase.onFail,
    phase.onWait === phase.name ? "(stays)" : phase.onWait,
    ...(timed ? [timeoutOf(phase, marks.unknown)] : []),
    answers(phase),
  ]);
  const titles = ["phase", "runs", "on_pass", "on_fail", "on_wait", ...(timed ? ["timeout"] : []), "answered by"];
  const grid = { flex: [], drop: [4, 3], width: tableWidth(ink), more: marks.more };
  const [title = "", ...lines] = inColumns([titles, ...rows], grid);
  return [
    ...wrapped(head, { columns: width, indent: 2 }).map(colour.bold),
    ...drawMap(map, colour.unicode, width - 2),
    "",
    colour.dim(title),
    ...lines,
  ];
}

const timeoutOf = ({ timeoutMs, escalate }: Phase, unknown: string): string =>
  timeoutMs === null ? unknown : `${duration(timeoutMs)}${escalate === null ? "" : `, then ${escalate}`}`;

/** Who makes the next move while a task is in a phase. */
function answeredBy({ cast, file, root, reading }: Configuration): (phase: Phase) => string {
  const signals = signalsOf(file, reading.settings?.repo ?? "");
  const actions = actionsOf(file, root);
  return ({ step, check }) => {
    if (step.run === "agent") {
      const agent = cast.roleAgent(step.role);
      return agent === null
        ? "an agent (none is named yet)"
        : `agent ${agent}${step.checkout === "clean" ? ", in a clean checkout" : ""}`;
    }
    if (step.run === "signal") {
      const signal = signals[step.name];
      const label = labelIn(step.name);
      if (signal?.kind === "forge" || label !== null)
        return label === null ? "the forge: reviews of the pull request" : `the forge: the label ${label}`;
      if (signal?.kind === "command") return `its command, every ${duration(signal.everyMs)}`;
      const from = signal?.from ?? [];
      return `${from.length === 0 ? "you" : from.join(", ")}: pawl approve | reject`;
    }
    if (step.how === "command") return `its command, at most ${duration(actions[step.name]?.timeoutMs ?? 0)}`;
    return step.how === "merge" && check !== null ? `the forge, after ${check}` : "the forge";
  };
}

const asJson = (map: PhaseMap) => ({
  ok: true,
  name: map.name,
  hash: map.hash,
  first: map.first,
  max_task_rounds: map.maxRounds,
  phases: Object.values(map.phases).map((phase) => ({
    name: phase.name,
    run: `${phase.step.run} ${phase.step.run === "agent" ? phase.step.role : phase.step.name}`,
    on_pass: phase.onPass,
    on_fail: phase.onFail,
    on_wait: phase.onWait,
    on_conflict: phase.onConflict,
    timeout_ms: phase.timeoutMs,
    escalate: phase.escalate,
    check: phase.check,
    pr: phase.step.pr,
  })),
});
