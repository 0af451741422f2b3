import type { PawlError } from "../../domain/errors.ts";
import type { Cast } from "./cast.ts";
import type { FoundMap } from "./maps.ts";
import type { PawlFile } from "./pawl-file.ts";
import type { Role } from "./role-files.ts";
import { fault } from "./spot.ts";

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
