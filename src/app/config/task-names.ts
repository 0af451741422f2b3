import type { At, PawlError } from "../../domain/errors.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import type { Cast } from "./cast.ts";
import { castOfTask } from "./device-task.ts";
import type { Maps } from "./maps.ts";
import { nearest } from "./nearest.ts";
import { baseFault, type Repository } from "./repository.ts";
import { fault } from "./spot.ts";
import type { TaskOutline } from "./task-outline.ts";
import type { Resolved, TaskDefaults } from "./task-terms.ts";

/** What names are looked up in. */
export interface Known {
  readonly maps: Maps;
  /** the map of tasks that name none */
  readonly usual: PhaseMap | null;
  readonly repository: Repository | null;
  readonly cast: Cast;
  /** roles that somebody may play: of role files, agents and maps */
  readonly roles: readonly string[];
  readonly defaults: TaskDefaults;
  /** some agent of pawl.yaml has a fault: nobody knows what it works on */
  readonly isUnclear: boolean;
}

/** What the names in a task file stand for, and faults of those that stand for nothing. */
export function namesOf(
  task: TaskOutline,
  { maps, usual, repository, cast, roles, defaults, isUnclear }: Known,
): { readonly faults: readonly PawlError[]; readonly names: Resolved } {
  const faults: PawlError[] = [];
  const map = task.phases ? maps.find(task.phases.name) : null;
  if (map && "unknown" in map && task.phases)
    faults.push(
      fault("MAP_UNKNOWN", map.unknown, {
        at: task.phases.at,
        next: map.next,
        data: { span: task.phases.name.length },
      }),
    );
  const why = task.base && repository && !repository.empty ? baseFault(repository, task.base.name) : null;
  if (why && task.base)
    faults.push(
      fault(why.code, why.message, { at: task.base.at, next: why.next, data: { span: task.base.name.length } }),
    );
  const agents: Record<string, string> = {};
  for (const { role, roleAt, name, at } of task.agents) {
    if (!roles.includes(role)) faults.push(roleFault(role, roleAt, roles));
    const agent = cast.agentFor(name);
    if (agent !== null) agents[role] = agent;
    // one that is there with a fault of its own is told of that alone
    else if (!cast.names.includes(name)) faults.push(agentFault(name, { at, known: cast.names }));
  }
  const found = map && !("unknown" in map) ? map : null;
  const phases = found?.name ?? defaults.phases;
  const note = (one: PawlError): void => {
    if (one.code !== "SCREEN_AGENT" || !isUnclear) faults.push(one);
  };
  const on = { map: found ? found.map : usual, cast, note };
  const names = { phases, base: task.base?.name ?? defaults.base, ...castOfTask(task, agents, on) };
  return { faults, names };
}

function roleFault(role: string, at: At, known: readonly string[]): PawlError {
  const meant = nearest(role, known);
  return fault("ROLE_UNKNOWN", `no role is called "${role}"`, {
    at,
    next: meant === null ? `add roles/${role}.md, or take it out of agents.` : `write "${meant}".`,
    data: { span: role.length },
  });
}

function agentFault(name: string, of: { at: TaskOutline["deps"][number]["at"]; known: readonly string[] }): PawlError {
  const meant = nearest(name, of.known);
  return fault("AGENT_UNKNOWN", `no agent is called "${name}"`, {
    at: of.at,
    next:
      meant === null ? `add it to agents of pawl.yaml, or name one of ${of.known.join(", ")}.` : `write "${meant}".`,
    data: { span: name.length },
  });
}
