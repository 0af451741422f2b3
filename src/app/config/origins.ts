import { shownAddress } from "../../adapters/store/address.ts";
import { DEFAULT_LIMITS } from "../../domain/backlog.ts";
import { DEFAULT_GATES } from "../../domain/gate.ts";
import { SESSION_LIMITS } from "../../protocol/machine.ts";
import { USUAL_ENV, usualProtect } from "./assemble.ts";
import type { Overrides } from "./overrides.ts";
import type { Configuration } from "./reading.ts";
import { at, child, nodeOf, type Spot } from "./spot.ts";
import { inWords } from "./task-terms.ts";
import { duration } from "./units.ts";

/** A value of the configuration and where it comes from: `pawl.yaml:7`, a flag, a variable, `default`. */
export interface Origin {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
}

/** Every value that counts here, in the order of the documentation. Secrets cannot be among them: pawl.yaml names variables only. */
export function origins(configuration: Configuration, overrides: Overrides): readonly Origin[] {
  const { file, root, repository, usualMap } = configuration;
  const { limits, budgets, worktree, defaults, sandbox } = file;
  const at = (key: string, value: unknown, usual: unknown): Origin => origin(root, { key, value, usual });
  const given = (key: string, override: { value: unknown; from: string } | undefined, otherwise: Origin): Origin =>
    override ? { key, value: override.value, from: override.from } : otherwise;
  return [
    at("tasks", file.tasks, "tasks"),
    at("roles", file.roles, ["roles"]),
    at("patterns", file.patterns, "patterns"),
    at("skills", file.skills, [".claude/skills"]),
    at("research", file.research?.provider, null),
    at("phases", file.phases && (usualMap?.name ?? "?"), "default"),
    { ...at("base", file.base, repository?.usual ?? null), ...(file.base ? {} : { from: "git" }) },
    at("branch_prefix", file.branch_prefix, "pawl/"),
    given(
      "store",
      overrides.store && { ...overrides.store, value: shownAddress(overrides.store.value) },
      at("store", file.store && shownAddress(file.store), ".pawl/store.db"),
    ),
    at(
      "checks",
      file.checks?.map(({ run }) => inWords(run)),
      [],
    ),
    at("worktree.root", worktree?.root, ".pawl/worktrees"),
    at("worktree.setup", worktree?.setup, null),
    at("worktree.copy", worktree?.copy, []),
    at("defaults.authorized_files", defaults?.authorized_files, ["**"]),
    at("defaults.timeout_minutes", defaults?.timeout_minutes, 60),
    at("defaults.type", defaults?.type, null),
    at("defaults.phases", defaults?.phases, null),
    ...agentOrigins(configuration, overrides),
    given(
      "limits.max_workers",
      overrides.workers,
      at("limits.max_workers", limits?.max_workers, DEFAULT_LIMITS.maxWorkers),
    ),
    at("limits.max_runs", limits?.max_runs, DEFAULT_LIMITS.maxRuns),
    at("limits.max_task_rounds", limits?.max_task_rounds, DEFAULT_LIMITS.maxRounds),
    at("limits.max_crashes", limits?.max_crashes, DEFAULT_LIMITS.maxCrashes),
    at("limits.max_conflicts", limits?.max_conflicts, DEFAULT_LIMITS.maxConflicts),
    at("limits.max_hold_hours", limits?.max_hold_hours, DEFAULT_LIMITS.maxHoldMs / 3_600_000),
    at("limits.plan_revisions", limits?.plan_revisions, SESSION_LIMITS.planRevisions),
    at("limits.fix_attempts", limits?.fix_attempts, SESSION_LIMITS.fixAttempts),
    at("budgets.task", budgets?.task, {}),
    at("budgets.backlog", budgets?.backlog, {}),
    at("budgets.on_limit", budgets?.on_limit, DEFAULT_LIMITS.onLimit),
    at("gates.go", file.gates?.go, DEFAULT_GATES.go),
    at("gates.next", file.gates?.next, DEFAULT_GATES.next),
    at("gates.timeout", file.gates?.timeout, DEFAULT_GATES.timeoutMs),
    at("signals.approval", policyOf(file.signals?.approval), DEFAULT_LIMITS.approval),
    ...Object.keys(file.signals ?? {})
      .filter((name) => name !== "approval")
      .map((name) => at(`signals.${name}`, written(file.signals?.[name]), null)),
    ...Object.entries(file.actions ?? {}).map(([name, action]) => at(`actions.${name}`, inWords(action.command), null)),
    at("forge.kind", file.forge?.kind, "local"),
    at(
      "channels",
      file.channels?.map(({ kind }) => kind),
      ["console"],
    ),
    at("sandbox.env", sandbox?.env, USUAL_ENV),
    at("sandbox.protect", sandbox?.protect, usualProtect(file)),
  ];
}

function origin(root: Spot, of: { key: string; value: unknown; usual: unknown }): Origin {
  const { key, value, usual } = of;
  if (value === undefined || value === null) return { key, value: usual, from: "default" };
  return { key, value: spoken(key, value), from: placeOf(root, key) };
}

function placeOf(root: Spot, key: string): string {
  const spot = key.split(".").reduce(child, root);
  return nodeOf(spot) === null ? "default" : `${spot.text.file}:${at(spot).line}`;
}

/** Durations were read into milliseconds; people write them with a unit. */
const spoken = (key: string, value: unknown): unknown =>
  key.startsWith("budgets.") && typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, amount]) => [
          name,
          name === "wall" && typeof amount === "number" ? duration(amount) : amount,
        ]),
      )
    : value;

const policyOf = (entry: object | undefined): unknown => (entry && "policy" in entry ? entry.policy : undefined);

function written(entry: object | undefined): unknown {
  if (entry && "human" in entry) return entry.human ?? {};
  return entry && "asked" in entry
    ? inWords((entry.asked as { command: string | readonly string[] }).command)
    : undefined;
}

function agentOrigins({ file, root, cast }: Configuration, { agent }: Overrides): readonly Origin[] {
  const entries = Object.entries(file.agents ?? {}).map(([name, entry]) => ({
    key: `agents.${name}`,
    value: entry.same ?? inWords(cast.agents[name]!.command),
    from: placeOf(root, `agents.${name}`),
  }));
  const kept = agent ? entries.filter(({ key }) => key !== "agents.default") : entries;
  const verifier =
    file.checks?.length && !file.agents?.verifier
      ? [{ key: "agents.verifier", value: "pawl check", from: "default" }]
      : [];
  return [...(agent ? [{ key: "agents.default", value: agent.value, from: agent.from }] : []), ...kept, ...verifier];
}
