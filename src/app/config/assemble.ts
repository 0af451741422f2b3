import { join, resolve } from "node:path";
import { DEFAULT_LIMITS, type Limits } from "../../domain/backlog.ts";
import { DEFAULT_GATES, type GateSettings } from "../../domain/gate.ts";
import type { PhaseMap } from "../../domain/phase.ts";
import type { ActionSpec, Settings, SignalSpec } from "../../ports/settings.ts";
import type { Cast } from "./cast.ts";
import { forgeSignals, withLabels } from "./forge-key.ts";
import type { Overrides } from "./overrides.ts";
import type { PawlFile } from "./pawl-file.ts";
import type { Role } from "./role-files.ts";
import { child, noteFault, type Spot } from "./spot.ts";
import { storeIn } from "./store-in.ts";
import { limitOf } from "./task-terms.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Environment that programs need to run at all; what holds a secret is named by the user. */
export const USUAL_ENV: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TERM",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "NPM_CONFIG_CACHE",
  "SystemRoot",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
];

export const tasksFolder = (file: Partial<PawlFile>): string => file.tasks ?? "tasks";
export const roleFolders = (file: Partial<PawlFile>): readonly string[] => file.roles ?? ["roles"];

/** What says how work is done is not changed by that work. */
export const usualProtect = (file: Partial<PawlFile>): readonly string[] => {
  const inside = roleFolders(file).filter((folder) => !folder.startsWith("/") && !folder.startsWith(".."));
  return [
    ".github/workflows/**",
    "pawl.yaml",
    `${tasksFolder(file)}/**`,
    ...inside.map((folder) => `${folder}/**`),
    "phase-maps/**",
    ...(file.patterns ? [`${file.patterns}/**`] : []),
  ];
};

/** As the wire has it; undefined: pawl.yaml says nothing of it. */
export function sendsBackOf({ limits }: Partial<PawlFile>): NonNullable<Settings["sendsBack"]> | undefined {
  const { plan_revisions, fix_attempts } = limits ?? {};
  if (plan_revisions === undefined && fix_attempts === undefined) return undefined;
  return {
    ...(plan_revisions === undefined ? {} : { plan_revisions }),
    ...(fix_attempts === undefined ? {} : { fix_attempts }),
  };
}

export function limitsOf(file: Partial<PawlFile>, { workers }: Overrides): Limits {
  const { limits, budgets } = file;
  const hold = limits?.max_hold_hours;
  return {
    maxWorkers: workers?.value ?? limits?.max_workers ?? DEFAULT_LIMITS.maxWorkers,
    maxRuns: limits?.max_runs ?? DEFAULT_LIMITS.maxRuns,
    maxRounds: limits?.max_task_rounds ?? DEFAULT_LIMITS.maxRounds,
    maxCrashes: limits?.max_crashes ?? DEFAULT_LIMITS.maxCrashes,
    maxConflicts: limits?.max_conflicts ?? DEFAULT_LIMITS.maxConflicts,
    maxHoldMs: hold === undefined ? DEFAULT_LIMITS.maxHoldMs : Math.round(hold * HOUR),
    budget: limitOf(budgets?.backlog),
    onLimit: budgets?.on_limit ?? DEFAULT_LIMITS.onLimit,
    approval: policyOf(file) ?? DEFAULT_LIMITS.approval,
    gates: gatesOf(file),
  };
}

const gatesOf = ({ gates }: Partial<PawlFile>): GateSettings => ({
  go: gates?.go?.length ? [...new Set(gates.go)] : DEFAULT_GATES.go,
  next: gates?.next?.length ? [...new Set(gates.next)] : DEFAULT_GATES.next,
  timeoutMs: gates?.timeout ?? DEFAULT_GATES.timeoutMs,
});

const policyOf = (file: Partial<PawlFile>): "commit" | "patch" | undefined => {
  const entry = file.signals?.approval;
  return entry && "policy" in entry ? entry.policy : undefined;
};

/** `human-approval` is always there, some are the forge's; the others are the user's commands. */
export function signalsOf(file: Partial<PawlFile>, repo: string): Readonly<Record<string, SignalSpec>> {
  const name = "human-approval";
  const entry = file.signals?.[name];
  const human = entry && "human" in entry ? entry.human : undefined;
  const inbox = resolve(repo, human?.inbox ?? ".pawl/inbox");
  const approvedBy = file.signals?.["pr-approved"];
  const signals: Record<string, SignalSpec> = {
    ...forgeSignals(file.forge, approvedBy && "approved" in approvedBy ? approvedBy.approved : undefined),
    [name]: { kind: "human", name, pr: human?.pr ?? true, from: human?.from ?? [], inbox },
  };
  for (const [other, command] of Object.entries(file.signals ?? {})) {
    if (!("asked" in command)) continue;
    const { asked } = command;
    signals[other] = {
      kind: "command",
      name: other,
      pr: asked.pr ?? false,
      command: asked.command,
      everyMs: asked.every ?? MINUTE,
    };
  }
  return signals;
}

export function actionsOf(file: Partial<PawlFile>, root: Spot): Readonly<Record<string, ActionSpec>> {
  const actions: Record<string, ActionSpec> = {};
  for (const [name, entry] of Object.entries(file.actions ?? {})) {
    if (name === "merge" || name === "mark-ready")
      noteFault(child(child(root, "actions"), name), "NAME_TAKEN", `the action ${name} is Pawl's own`, {
        key: true,
        next: "give yours another name.",
      });
    actions[name] = {
      name,
      command: entry.command,
      timeoutMs: entry.timeout ?? 10 * MINUTE,
      idempotent: entry.idempotent ?? false,
      check: entry.check ?? null,
      pr: entry.pr ?? false,
    };
  }
  return actions;
}

export interface Parts {
  readonly repo: string;
  readonly file: Partial<PawlFile>;
  readonly overrides: Overrides;
  readonly cast: Cast;
  readonly roles: ReadonlyMap<string, Role>;
  readonly maps: readonly PhaseMap[];
  readonly actions: Readonly<Record<string, ActionSpec>>;
  readonly signals: Readonly<Record<string, SignalSpec>>;
  readonly base: string;
}

/** Everything put together; only called when nothing in it is broken. */
export function assemble(parts: Parts): Settings {
  const { repo, file, overrides, cast, roles } = parts;
  const names = rolesOf(parts);
  const sendsBack = sendsBackOf(file);
  return {
    repo,
    state: join(repo, ".pawl"),
    store: overrides.store?.value ?? storeIn(repo, file.store),
    limits: limitsOf(file, overrides),
    maps: parts.maps,
    agents: Object.fromEntries(
      [cast.builtIn, ...cast.presets, ...Object.values(cast.agents)].map((one) => [one.name, one]),
    ),
    cast: Object.fromEntries(names.flatMap((role) => pairOf(role, cast.roleAgent(role)))),
    roles: Object.fromEntries(names.map((role) => [role, roles.get(role)?.text ?? bareRole(role)])),
    actions: parts.actions,
    signals: withLabels(parts.signals, signalNames(parts.maps)),
    checks: file.checks ?? [],
    worktree: {
      root: resolve(repo, file.worktree?.root ?? ".pawl/worktrees"),
      setup: file.worktree?.setup ?? null,
      copy: file.worktree?.copy ?? [],
    },
    env: file.sandbox?.env ?? USUAL_ENV,
    protect: file.sandbox?.protect ?? usualProtect(file),
    base: parts.base,
    branchPrefix: file.branch_prefix ?? "pawl/",
    forge: file.forge ?? { kind: "local" },
    channels: file.channels ?? [{ kind: "console" }],
    tasks: tasksFolder(file),
    ...(file.intake?.length ? { intake: { folder: tasksFolder(file), from: file.intake } } : {}),
    ...(file.webhooks === undefined ? {} : { webhooks: file.webhooks }),
    ...(sendsBack === undefined ? {} : { sendsBack }),
  };
}

const signalNames = (maps: readonly PhaseMap[]): readonly string[] =>
  maps.flatMap(({ phases }) => Object.values(phases).flatMap(({ step }) => (step.run === "signal" ? [step.name] : [])));

const pairOf = (role: string, agent: string | null): readonly (readonly [string, string])[] =>
  agent === null ? [] : [[role, agent]];

/** Roles that a map runs, and those that somebody wrote a file or an agent for. */
function rolesOf({ cast, roles, maps, file }: Parts): readonly string[] {
  const run = maps.flatMap((map) =>
    Object.values(map.phases).flatMap(({ step }) => (step.run === "agent" ? [step.role] : [])),
  );
  return [...new Set([...run, ...roles.keys(), ...Object.keys(cast.agents), ...Object.keys(file.agents ?? {})])].filter(
    (role) => role !== "default",
  );
}

/** A command that is an agent of its own needs no file that tells it what it is. */
const bareRole = (role: string): string => `You do the work of the role "${role}" on the task below.`;
