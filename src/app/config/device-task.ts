import type { PawlError } from "../../domain/errors.ts";
import { isWork, type PhaseMap } from "../../domain/phase.ts";
import type { AgentSpec } from "../../ports/settings.ts";
import type { Cast } from "./cast.ts";
import { fault } from "./spot.ts";
import type { TaskOutline } from "./task-outline.ts";
import type { Mention } from "./written-task.ts";

/** Who does a task, by role, where it wants others than pawl.yaml says; and what it works on. */
export interface TaskCast {
  readonly agents: Readonly<Record<string, string>>;
  readonly isOnScreen: boolean;
  /** screens that only one task at a time can work on, as names of what it touches */
  readonly screens: readonly string[];
}

/**
 * `environment: device`: whoever works on the task does so on a screen. A role that has no such agent gets the one that
 * pawl.yaml has. Faults (ENVIRONMENT_UNKNOWN, SCREEN_AGENT) are given to `note`.
 */
export function castOfTask(
  task: TaskOutline,
  agents: Readonly<Record<string, string>>,
  of: { readonly map: PhaseMap | null; readonly cast: Cast; readonly note: (fault: PawlError) => void },
): TaskCast {
  const { environment } = task.fields;
  if (environment === undefined) return { agents, isOnScreen: false, screens: [] };
  if (environment.name !== "device") {
    of.note(unknown(environment));
    return { agents, isOnScreen: false, screens: [] };
  }
  const wanted = { ...agents };
  for (const role of workRoles(of.map)) {
    const found = screenAgent(role, wanted, of.cast);
    if (typeof found === "string") of.note(noScreen(environment, found));
    else wanted[role] = found.name;
  }
  const specs = workRoles(of.map).flatMap((role) => of.cast.agents[wanted[role] ?? ""] ?? []);
  return { agents: wanted, isOnScreen: true, screens: [...new Set(specs.flatMap(ownedScreen))] };
}

const workRoles = (map: PhaseMap | null): readonly string[] => [
  ...new Set(
    Object.values(map?.phases ?? {}).flatMap((phase) =>
      isWork(phase) && phase.step.run === "agent" ? [phase.step.role] : [],
    ),
  ),
];

/** The agent on a screen that plays a role, or what to do so that one does. */
function screenAgent(role: string, wanted: Readonly<Record<string, string>>, cast: Cast): AgentSpec | string {
  const own = wanted[role];
  const usual = cast.agents[own ?? cast.roleAgent(role) ?? ""];
  if (usual?.screen !== undefined) return usual;
  const screens = Object.values(cast.agents).filter(({ screen }) => screen !== undefined);
  const names = screens.map(({ name }) => name).join(", ");
  if (own !== undefined)
    return `${own}, who is to be its ${role}, works on no screen${names === "" ? "" : ` (these do: ${names})`}`;
  if (screens.length === 1) return screens[0]!;
  return screens.length === 0
    ? "no agent of pawl.yaml works on one"
    : `${screens.length} agents work on one (${names}), and it does not say which is its ${role}`;
}

const noScreen = (at: Mention, why: string): PawlError =>
  fault("SCREEN_AGENT", `the task is done on a screen, and ${why}`, {
    at: at.at,
    next: 'add agents: {phone: {device: {target: "adb:SERIAL"}}} to pawl.yaml, or agents: {implementer: NAME} here.',
    data: { span: at.name.length },
  });

const unknown = (at: Mention): PawlError =>
  fault("ENVIRONMENT_UNKNOWN", `there is no environment "${at.name}"`, {
    at: at.at,
    next: "write device, or leave it out: the task is then done in the repository.",
    data: { span: at.name.length },
  });

/** A phone has one screen for everybody; a browser opens one for each. */
const ownedScreen = ({ screen = "" }: AgentSpec): readonly string[] =>
  screen.startsWith("browser:") || screen.startsWith("replay:") ? [] : [`screen:${screen}`];
