import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentSpec } from "../../ports/settings.ts";
import type { Cast } from "../config/cast.ts";
import type { PawlFile } from "../config/pawl-file.ts";
import { installOf, PRESET_NAMES, PRESETS, type Preset, presetOf } from "../config/presets.ts";
import { inWords } from "../config/task-terms.ts";
import { drivenBy, type Here } from "../not-installed.ts";
import { programOf, programPath } from "../programs.ts";

/** An agent, as `pawl doctor` tells it. `no`: the work would stop. */
export interface AgentLook {
  readonly name: string;
  readonly state: "ok" | "note" | "no";
  readonly text: string;
  readonly next?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Each agent that pawl.yaml names, whether its program is there and has a key; and which of the presets could be named. */
export function lookAtAgents(cast: Cast, { agents = {} }: Partial<PawlFile>, on: Here): readonly AgentLook[] {
  const named = new Set(Object.values(agents).flatMap(({ same }) => (same === undefined ? [] : [cast.agentFor(same)])));
  const used = cast.presets.filter(({ name }) => named.has(name) && !Object.hasOwn(cast.agents, name));
  return [...[...Object.values(cast.agents), ...used].map((agent) => lookAt(agent, on)), lookAtPresets(on)];
}

function lookAt({ name, command }: AgentSpec, on: Here): AgentLook {
  const label = `agent ${name}`;
  const driven = drivenBy(command);
  const words = inWords(driven ?? command);
  const program = programOf(driven ?? command);
  const preset = driven === null ? null : presetOf(driven);
  // `pawl` is put first in every worker's PATH.
  if (program === null || program === "pawl") return { name: label, state: "ok", text: words };
  const path = programPath(program, on.env, on.repo);
  if (path === null) {
    return {
      name: label,
      state: "no",
      text: `${words}: there is no program ${program}`,
      next: `${installOf(program)}, or change agents.${name} in pawl.yaml.`,
    };
  }
  const text = `${words}  (${driven === null ? path : `ACP, ${path}`})`;
  const lacks = preset === null ? null : lackOf(PRESETS[preset]!, on.env);
  return lacks === null ? { name: label, state: "ok", text } : { name: label, state: "note", text, next: lacks };
}

/** Every preset in a word: ready, without a key, or not installed. */
function lookAtPresets(on: Here): AgentLook {
  const words = PRESET_NAMES.map((name) => {
    const preset = PRESETS[name]!;
    if (programPath(preset.command[0]!, on.env, on.repo) === null) return `${name}: not installed`;
    return `${name}: ${lackOf(preset, on.env) === null ? "ready (ACP)" : "installed, no key"}`;
  });
  return { name: "presets", state: "ok", text: words.join(" · ") };
}

/** What it needs and has not, as advice; null: nothing that can be seen from outside. */
function lackOf({ keys, logins, node }: Preset, env: Env): string | null {
  const major = Number(process.versions.node.split(".")[0]);
  if (node !== null && major < node && isOurNode(env)) return `it wants Node ${node} or newer, and this is ${major}.`;
  const hasKey = keys.some((key) => env[key]?.trim());
  const hasLogin = logins.some((file) => existsSync(join(env.HOME ?? "/", file)));
  if (hasKey || hasLogin) return null;
  return `set ${keys.slice(0, 2).join(" or ")}, or log in by its own program (~/${logins[0]}).`;
}

/** Whether a script that asks for `node` gets the one that runs this. */
const isOurNode = (env: Env): boolean => programPath("node", env, "/") === process.execPath;
