import type { PawlError } from "../domain/errors.ts";
import type { AgentSpec } from "../ports/settings.ts";
import type { Reading } from "../ports/source.ts";
import { installOf } from "./config/presets.ts";
import { fault } from "./config/spot.ts";
import { programOf, programPath } from "./programs.ts";

/** Where programs are looked for. */
export interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly repo: string;
}

/** The command of the agent that speaks ACP behind it; null: it is none. */
export function drivenBy(command: AgentSpec["command"]): readonly string[] | null {
  if (typeof command === "string" || command[1] !== "acp-worker") return null;
  return command.slice(command.indexOf("--") + 1);
}

/** The program that an agent starts and that is not on this machine, and how it is installed; null: nothing that can be seen is missing. */
export function missingProgram(
  { command }: Pick<AgentSpec, "command">,
  { env, repo }: Here,
): { readonly program: string; readonly install: string } | null {
  const driven = drivenBy(command);
  const program = programOf(driven ?? command);
  // `pawl` is put first in every worker's PATH
  if (program === null || program === "pawl" || programPath(program, env, repo) !== null) return null;
  return { program, install: installOf(program) };
}

/**
 * Warnings for agents that play a role and cannot begin (AGENT_NOT_INSTALLED). What is named by a path is in the worktree,
 * and what has a PATH of its own is looked for there: neither is for us to say.
 */
export function notInstalled({ settings }: Pick<Reading, "settings">, here: Here): readonly PawlError[] {
  if (settings === null) return [];
  const steps = settings.maps.flatMap(({ phases }) => Object.values(phases).map(({ step }) => step));
  const roles = steps.flatMap((step) => (step.run === "agent" ? [step.role] : []));
  const names = new Set(roles.flatMap((role) => settings.cast[role] ?? settings.cast.default ?? []));
  return [...names].flatMap((name) => {
    const agent = settings.agents[name];
    const missing = agent === undefined || agent.env.PATH !== undefined ? null : missingProgram(agent, here);
    if (missing === null || missing.program.includes("/")) return [];
    return fault("AGENT_NOT_INSTALLED", `the agent ${name} cannot begin: there is no program ${missing.program}`, {
      next: `${missing.install}, or name another agent in pawl.yaml; pawl doctor shows which are ready.`,
    });
  });
}
