import { PawlError } from "../../domain/errors.ts";
import { OUR_AGENTS } from "../config/cast.ts";
import { nearest } from "../config/nearest.ts";
import { installOf, PRESETS } from "../config/presets.ts";
import { type Here, missingProgram } from "../not-installed.ts";

/**
 * What there is to say about an agent that `pawl init` was told: null, or what it lacks on this machine. Throws
 * AGENT_UNKNOWN where it is no program, and nearly the name of an agent that there is.
 */
export function noteOfAgent(agent: string, here: Here): string | null {
  const preset = PRESETS[agent];
  const missing = OUR_AGENTS.includes(agent) && preset === undefined ? null : missingOf(preset?.command ?? agent, here);
  if (missing === null || missing.includes("/")) return null;
  if (preset !== undefined)
    return `note: ${agent} is not installed: ${installOf(missing)}; pawl doctor says when it is ready`;
  const meant = /\s/.test(agent.trim()) ? null : nearest(agent, OUR_AGENTS);
  if (meant === null)
    return `note: there is no program ${missing} here yet: it has to be there when pawl run starts it`;
  throw new PawlError("AGENT_UNKNOWN", `no agent and no program is called "${agent}"`, {
    next: `did you mean ${meant}? pawl init --agent ${meant}; a command of your own by its path: --agent ./${agent}`,
  });
}

const missingOf = (command: string | readonly string[], here: Here): string | null =>
  missingProgram({ command }, here)?.program ?? null;
