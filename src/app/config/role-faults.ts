import type { PawlError } from "../../domain/errors.ts";
import type { AgentSpec } from "../../ports/settings.ts";
import type { Cast } from "./cast.ts";
import type { FoundMap } from "./maps.ts";
import type { Overrides } from "./overrides.ts";
import type { PawlFile } from "./pawl-file.ts";
import type { Role } from "./role-files.ts";
import { fault, namesAt, type Spot } from "./spot.ts";

/** Two phases that lack the same agent lack one thing. */
export function once(faults: readonly PawlError[]): readonly PawlError[] {
  const place = ({ code, message, at }: PawlError): string =>
    JSON.stringify([code, message, code === "AGENT_MISSING" ? at.file : at]);
  return [...new Map([...faults].reverse().map((error) => [place(error), error])).values()].reverse();
}

/** That nobody does the work is told once, and not for each role. */
export function noAgent({
  cast,
  used,
  theirs,
  file,
}: {
  cast: Cast;
  used: readonly FoundMap[];
  theirs: ReadonlySet<string>;
  file: string;
}): readonly PawlError[] {
  const steps = used.flatMap(({ map }) => (map ? Object.values(map.phases).map(({ step }) => step) : []));
  const needed = steps.some(
    (step) => step.run === "agent" && !theirs.has(step.role) && cast.roleAgent(step.role) === null,
  );
  if (!cast.isEmpty || !needed) return [];
  return [
    fault("AGENT_MISSING", `nobody does the work: ${file} names no agent`, {
      next: "pawl run --agent ./fix.sh, or add agents: {default: {command: ./fix.sh, verdict: exit_code}} to pawl.yaml.",
      data: { none: true },
    }),
  ];
}

/** The built-in worker thinks with a model: where nobody names one here, it begins in vain (a warning: its surroundings may). */
export function noModel({
  cast,
  used,
  overrides,
  root,
}: {
  cast: Cast;
  used: readonly FoundMap[];
  overrides: Overrides;
  root: Spot;
}): readonly PawlError[] {
  if (overrides.model !== undefined || namesAt(root, "models").length > 0) return [];
  const steps = used.flatMap(({ map }) => (map ? Object.values(map.phases).map(({ step }) => step) : []));
  const names = new Set(steps.flatMap((step) => (step.run === "agent" ? (cast.roleAgent(step.role) ?? []) : [])));
  const agentOf = (name: string): AgentSpec | undefined =>
    cast.agents[name] ?? (name === cast.builtIn.name ? cast.builtIn : undefined);
  const lacking = [...names].filter((name) => thinksWithout(agentOf(name)));
  return lacking.map((name) =>
    fault("MODEL_MISSING", `no model is named: the agent ${name} thinks with one`, {
      at: { file: root.text.file },
      next: "add models: {main: anthropic/claude-sonnet-4-5} (or ollama/MODEL, or another) to pawl.yaml, or set PAWL_MODEL.",
    }),
  );
}

const thinksWithout = ({ command, env }: Pick<AgentSpec, "command" | "env"> = { command: "", env: {} }): boolean =>
  Array.isArray(command) &&
  command[0] === "pawl" &&
  command[1] === "work" &&
  !command.includes("--model") &&
  !env.PAWL_MODEL;

/** Faults of role files count where a phase runs the role; a verifier that is the worker itself proves nothing. */
export function tellRoles(of: {
  roles: ReadonlyMap<string, Role>;
  used: readonly FoundMap[];
  cast: Cast;
  file: Partial<PawlFile>;
  errors: PawlError[];
  warnings: PawlError[];
}): void {
  const steps = of.used.flatMap(({ map }) => (map ? Object.values(map.phases).map(({ step }) => step) : []));
  const run = new Set(steps.flatMap((step) => (step.run === "agent" ? [step.role] : [])));
  for (const { name, faults } of of.roles.values()) (run.has(name) ? of.errors : of.warnings).push(...faults);
  if (run.has("verifier") && of.cast.roleAgent("verifier") === "default" && !of.file.agents?.verifier)
    of.warnings.push(
      fault("CHECKS_MISSING", "nothing proves the work: there are no checks, and the verifier is the agent `default`", {
        next: "add checks: [npm test] to pawl.yaml (the command that tests yours).",
      }),
    );
}
