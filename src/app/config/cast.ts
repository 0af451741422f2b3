import { HOMES } from "../../adapters/models/dialect.ts";
import type { AgentSpec } from "../../ports/settings.ts";
import { ACP_STALL_MS, acpAgent } from "./acp-agent.ts";
import { nearest, nearestFirst } from "./nearest.ts";
import type { Overrides } from "./overrides.ts";
import type { AgentEntry, PawlFile } from "./pawl-file.ts";
import { PRESET_NAMES } from "./presets.ts";
import { child, namesAt, noteFault, type Spot } from "./spot.ts";

/** The built-in worker, unless pawl.yaml has an agent of this name. */
const BUILT_IN = "pawl";

export interface Cast {
  /** as pawl.yaml has them */
  readonly agents: Readonly<Record<string, AgentSpec>>;
  /** the built-in worker, which the name `pawl` stands for wherever no agent of pawl.yaml has it */
  readonly builtIn: AgentSpec;
  /** agents of other makers, which their names stand for in the same way */
  readonly presets: readonly AgentSpec[];
  /** the agent that a name of pawl.yaml stands for, or null: there is none of that name */
  agentFor(name: string): string | null;
  /** who does the work of a role, or null: nobody */
  roleAgent(role: string): string | null;
  /** names that may stand for an agent, also those whose agent has a fault of its own */
  readonly names: readonly string[];
  /** neither pawl.yaml nor anybody else names an agent */
  readonly isEmpty: boolean;
}

/** Agents, and who plays which role. Faults (AGENT_UNKNOWN, AGENT_CYCLE) are noted in pawl.yaml. */
export function readCast(file: Partial<PawlFile>, root: Spot, { agent }: Overrides): Cast {
  const written: Record<string, AgentEntry> = { ...file.agents };
  if (agent && isOurs(agent.value)) written.default = { same: agent.value };
  else if (agent) written.default = { ...NO_KEYS, command: agent.value, verdict: "exit_code" };
  const isEmpty = Object.keys(written).length === 0;
  if (!Object.hasOwn(written, "verifier") && (file.checks?.length ?? 0) > 0)
    written.verifier = { ...NO_KEYS, command: ["pawl", "check"] };
  // who is the verifier checks: the built-in worker would work
  if (written.verifier?.same === BUILT_IN && !Object.hasOwn(written, BUILT_IN))
    written.verifier = { ...NO_KEYS, pawl: NO_MODELS };
  const names = [...new Set([...namesAt(root, "agents"), ...Object.keys(written), ...OUR_AGENTS])];
  const told = new Set<string>();
  for (const name of Object.keys(written))
    checkName(name, { written, names, told, spot: child(child(root, "agents"), name) });
  const agentFor = (name: string): string | null => chain(name, written).found;
  const keys = keyVariables(file);
  return {
    agents: Object.fromEntries(
      Object.entries(written).flatMap(([name, entry]) =>
        entry.same === undefined ? [[name, specOf(name, entry, keys)]] : [],
      ),
    ),
    builtIn: specOf(BUILT_IN, { ...NO_KEYS, pawl: NO_MODELS }, keys),
    presets: PRESET_NAMES.map((name) => specOf(name, { ...NO_KEYS, acp: { ...NO_ACP, preset: name } }, keys)),
    agentFor,
    roleAgent: (role) => agentFor(Object.hasOwn(written, role) ? role : "default"),
    names,
    isEmpty,
  };
}

const NO_MODELS = { model: undefined, planner: undefined, executor: undefined, compaction: undefined } as const;

const NO_KEYS = {
  command: undefined,
  acp: undefined,
  mode: undefined,
  model: undefined,
  permissions: undefined,
  ask_timeout: undefined,
  pawl: undefined,
  device: undefined,
  prompt: undefined,
  verdict: undefined,
  output: undefined,
  stall: undefined,
  env: undefined,
} as const;

const NO_ACP = {
  command: undefined,
  preset: undefined,
  mode: undefined,
  model: undefined,
  permissions: undefined,
  askTimeout: undefined,
} as const;

/** Names that mean an agent wherever no agent of pawl.yaml has them. */
export const OUR_AGENTS: readonly string[] = [BUILT_IN, ...PRESET_NAMES];
const isOurs = (name: string): boolean => OUR_AGENTS.includes(name);

const specOf = (
  name: string,
  entry: Exclude<AgentEntry, { readonly same: string }>,
  keys: readonly string[],
): AgentSpec => ({
  name,
  command: commandOf(name, entry),
  prompt: entry.prompt ?? "file",
  verdict: entry.verdict ?? (entry.output?.verdict === undefined ? "file" : "output"),
  ...(entry.output === undefined ? {} : { output: entry.output }),
  stallMs: entry.stall ?? (entry.acp === undefined ? null : ACP_STALL_MS),
  env: entry.env ?? {},
  passes: passesOf(entry, keys),
  ...(entry.device === undefined ? {} : { screen: entry.device.target ?? "" }),
});

type Entry = Exclude<AgentEntry, { readonly same: string }>;

function passesOf(entry: Entry, keys: readonly string[]): readonly string[] {
  if (entry.device !== undefined) return [...keys, ...SCREEN_VARIABLES];
  if (entry.acp !== undefined) return acpAgent(entry.acp, keys).passes;
  return entry.pawl === undefined ? [] : keys;
}

/** What stands beside `acp:` counts like what stands in it. */
const acpOf = ({ acp, mode, model, permissions, ask_timeout: ask }: Entry): NonNullable<Entry["acp"]> => ({
  ...acp!,
  mode: acp!.mode ?? mode,
  model: acp!.model ?? model,
  permissions: acp!.permissions ?? permissions,
  askTimeout: acp!.askTimeout ?? ask,
});

function commandOf(name: string, entry: Entry): AgentSpec["command"] {
  const { command, pawl, device } = entry;
  if (entry.acp !== undefined) return acpAgent(acpOf(entry), []).command;
  if (device !== undefined) return deviceCommand(device);
  return pawl === undefined ? command! : ownCommand(name, pawl);
}

/** Where phones and the browser are found on this machine. */
const SCREEN_VARIABLES = [
  "PAWL_BROWSER",
  "ADB_SERVER_SOCKET",
  "ANDROID_ADB_SERVER_ADDRESS",
  "ANDROID_ADB_SERVER_PORT",
  "ANDROID_SERIAL",
  // where it is noted who works on a phone
  "XDG_STATE_HOME",
];

/** Without a goal it is the task's. */
function deviceCommand(device: NonNullable<Entry["device"]>): readonly string[] {
  const { target, model, max_steps: most, step_delay: delay, ask_timeout: ask, tree } = device;
  return [
    ...["pawl", "device", "run", "--on", target ?? ""],
    ...(model === undefined ? [] : ["--model", model]),
    ...(most === undefined ? [] : ["--max-steps", `${most}`]),
    ...(delay === undefined ? [] : ["--step-delay", `${delay / 1000}s`]),
    ...(ask === undefined ? [] : ["--ask-timeout", `${ask / 1000}s`]),
    ...(tree ? ["--tree"] : []),
  ];
}

/** The built-in worker; as verifier it checks what others made, and changes nothing. */
const ownCommand = (name: string, models: NonNullable<Entry["pawl"]>): readonly string[] => {
  const isJudge = name === "verifier";
  const named = (["model", ...(isJudge ? [] : MINDS)] as const).flatMap((mind) =>
    models[mind] === undefined ? [] : [`--${mind}`, models[mind]],
  );
  return ["pawl", isJudge ? "check" : "work", ...named];
};
const MINDS = ["planner", "executor", "compaction"] as const;

/** Variables that hold the keys of models, of the search and of servers of tools, and the one that names the usual model: their names, never what they hold. */
const keyVariables = ({ models, research, mcp_servers }: Partial<PawlFile>): readonly string[] => [
  ...new Set([
    ...Object.values(HOMES).flatMap(({ keyEnvs }) => keyEnvs),
    ...Object.values(models ?? {}).flatMap(({ keyEnv }) => keyEnv ?? []),
    ...Object.values(mcp_servers ?? {}).flatMap(({ token_env }) => token_env ?? []),
    ...(research === undefined ? [] : ["urlEnv" in research ? research.urlEnv : research.keyEnv]),
    "PAWL_MODEL",
  ]),
];

/** Follows names that stand for other names. */
function chain(
  name: string,
  written: Readonly<Record<string, AgentEntry>>,
): { readonly path: readonly string[]; readonly found: string | null } {
  const path = [name];
  for (;;) {
    const last = path.at(-1)!;
    const entry = Object.hasOwn(written, last) ? written[last]! : null;
    if (entry === null) return { path, found: isOurs(last) ? last : null };
    if (entry.same === undefined) return { path, found: last };
    const circles = path.includes(entry.same);
    path.push(entry.same);
    if (circles) return { path, found: null };
  }
}

function checkName(
  name: string,
  of: {
    readonly written: Readonly<Record<string, AgentEntry>>;
    readonly names: readonly string[];
    /** members of circles that are told: each circle is told once */
    readonly told: Set<string>;
    readonly spot: Spot;
  },
): void {
  const { written, told, spot } = of;
  const entry = written[name]!;
  if (entry.same === undefined) return;
  const { path, found } = chain(name, written);
  if (found !== null) return;
  if (Object.hasOwn(written, entry.same)) {
    if (path[0] === path.at(-1) && !told.has(name))
      noteFault(spot, "AGENT_CYCLE", `agents stand for each other: ${path.join(" -> ")}`, {
        next: "give one of them a command.",
      });
    if (path[0] === path.at(-1)) for (const member of path) told.add(member);
    return;
  }
  if (of.names.includes(entry.same)) return;
  const known = of.names.filter((other) => other !== name);
  const meant = nearest(entry.same, known);
  noteFault(spot, "AGENT_UNKNOWN", `no agent is called "${entry.same}"`, {
    note: `known: ${nearestFirst(entry.same, known).join(", ")}`,
    next:
      meant === null
        ? `for a command, write {command: ${JSON.stringify(entry.same)}}.`
        : `write "${meant}", or {command: ${JSON.stringify(entry.same)}}.`,
  });
}
