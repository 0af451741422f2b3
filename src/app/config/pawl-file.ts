import { isMap } from "yaml";
import type { GateOwner } from "../../domain/gate.ts";
import type { Check } from "../../ports/runtime.ts";
import { acpKey, onlyForAcp, permissions } from "./acp-key.ts";
import { channelsKey } from "./channels-key.ts";
import {
  amount,
  command,
  count,
  type Decode,
  type Decoded,
  duration,
  glob,
  line,
  minutes,
  named,
  oneOf,
  oneOrMore,
  pathInside,
  positive,
  record,
  someOf,
  wrong,
  yes,
} from "./decode.ts";
import { deviceTarget } from "./device-target.ts";
import { forgeKey } from "./forge-key.ts";
import { intakeKey } from "./intake-key.ts";
import { mcpServersKey } from "./mcp-servers-key.ts";
import { missingKey } from "./missing-key.ts";
import { modelsKey } from "./models-key.ts";
import { nearest } from "./nearest.ts";
import { onlyForCommands, outputKey } from "./output-key.ts";
import { either, keysOf, schemaOf, shaped, TEXT, textLike, words } from "./schema-of.ts";
import { child, entriesOf, nodeOf, noteFault, type Spot, textOf } from "./spot.ts";
import { storeKey } from "./store-key.ts";
import { researchKey } from "./tool-keys.ts";
import { webhooksKey } from "./webhooks-key.ts";

const MINUTE = 60_000;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const variable: Decode<string> = shaped(
  () => textLike(VARIABLE),
  (spot: Spot) => {
    const name = line(spot);
    if (name === undefined || VARIABLE.test(name)) return name;
    noteFault(spot, "TYPE_BAD", `"${name}" cannot be the name of an environment variable`);
    return undefined;
  },
);

const version: Decode<1> = shaped(
  () => ({ const: 1 }),
  (spot: Spot) => {
    const written = textOf(spot);
    if (written === "1") return 1;
    noteFault(spot, "VERSION_UNKNOWN", `version ${written ?? "?"} of this format is not known here`, {
      note: "known: 1",
      next: "write version: 1, or use a newer Pawl.",
    });
    return undefined;
  },
);

const CHECK = record({ run: command, timeout: duration, when: oneOrMore(glob) });
const check: Decode<Check> = shaped(
  () => either(schemaOf(command), schemaOf(CHECK)),
  (spot: Spot) => {
    const whole = isMap(nodeOf(spot));
    const parts = whole ? CHECK(spot) : undefined;
    const run = whole ? parts?.run : command(spot);
    if (whole && parts && run === undefined) missingKey(spot, "run", `${spot.path} needs run: what it runs`);
    return run === undefined ? undefined : { run, timeoutMs: parts?.timeout ?? 10 * MINUTE, when: parts?.when ?? [] };
  },
);

/** `version: 1` of pawl.yaml and of maps; `check`s prove work. */
export { check, version };

/** A prompt's way, a verdict's rule and more: an agent as pawl.yaml has it, or the name of another one. */
export type AgentEntry = { readonly same: string } | (Decoded<typeof AGENT> & { readonly same?: undefined });

const AGENT = {
  command,
  /** another program's agent, by the Agent Client Protocol */
  acp: acpKey,
  mode: line,
  model: line,
  permissions,
  /** how long a person is waited for who is asked for leave */
  ask_timeout: duration,
  /** the built-in worker; its models are names below `models:`, or PROVIDER/MODEL: `model` where no other is named */
  pawl: record({ model: line, planner: line, executor: line, compaction: line }),
  /** the device executor: a model that drives a phone or a browser */
  device: record({
    target: deviceTarget,
    model: line,
    max_steps: positive,
    step_delay: duration,
    ask_timeout: duration,
    tree: yes,
  }),
  prompt: oneOf(["file", "stdin"]),
  verdict: oneOf(["file", "exit_code", "last_line", "output"]),
  output: outputKey,
  stall: duration,
  env: shaped(
    () => schemaOf(environment),
    (spot: Spot) => environment(spot),
  ),
};
const environment = named(
  shaped(
    () => TEXT,
    (spot: Spot, name: string) => {
      if (VARIABLE.test(name)) return nodeOf(spot) === null ? "" : (textOf(spot) ?? wrong(spot, "a text"));
      noteFault(spot, "TYPE_BAD", `"${name}" cannot be the name of an environment variable`, { key: true });
      return undefined;
    },
  ),
);
const KINDS = {
  command: "a command",
  acp: "an agent that speaks ACP",
  pawl: "the built-in worker",
  device: "a device",
} as const;

const ENTRY_KINDS = Object.keys(KINDS) as (keyof typeof KINDS)[];

const agent = shaped(
  () => either(TEXT, keysOf(AGENT)),
  (spot: Spot): AgentEntry | undefined => {
    if (!isMap(nodeOf(spot))) {
      const same = line(spot);
      return same === undefined ? undefined : { same };
    }
    const entry = record(AGENT)(spot);
    if (entry === undefined) return undefined;
    if (ENTRY_KINDS.every((kind) => entry[kind] === undefined))
      return missingKey(spot, ENTRY_KINDS, `${spot.path} needs command: what is run`, {
        next: "add command: ./my-agent.sh, or acp: my-agent --acp, or pawl: {} for the built-in worker, or device: {target: …}.",
      });
    onlyForAcp(spot, entry);
    onlyForCommands(spot, entry);
    const kinds = ENTRY_KINDS.filter((key) => entry[key] !== undefined);
    for (const key of kinds.slice(1))
      noteFault(
        child(spot, key),
        "TYPE_BAD",
        `${spot.path} is ${KINDS[kinds[0]!]} or ${KINDS[key]}, and cannot be both`,
        {
          key: true,
          next: `take "${key}" out, or ${kinds[0]}.`,
        },
      );
    if (entry.device !== undefined && entry.device.target === undefined)
      missingKey(child(spot, "device"), "target", `${spot.path}.device needs target: the screen`, {
        next: 'write it like {target: "adb:SERIAL", model: eyes}.',
      });
    return entry;
  },
);

/** So much may be spent: with less than `least` no worker could ever begin. */
function bound(read: Decode<number>, least = 1): Decode<number> {
  return shaped(
    () => ({ anyOf: [schemaOf(read)], exclusiveMinimum: 0 }),
    (spot: Spot) => {
      const value = read(spot);
      if (value === undefined || value >= least) return value;
      noteFault(spot, "TYPE_BAD", `${spot.path} is ${value}: no work could ever begin`, {
        next: `write what may be spent, or take ${spot.path.split(".").at(-1)} out: then there is no bound.`,
      });
      return undefined;
    },
  );
}

const roles = oneOrMore(line);
const budget = record({
  cost_usd: bound(amount, 0.000_001),
  tokens: bound(count),
  wall: duration,
  spawns: bound(count),
});

/** `approval` is a policy; `human-approval` is answered by people, `pr-approved` by a forge; every other name by a command. */
const OWN_SIGNALS = {
  approval: oneOf(["commit", "patch"]),
  "human-approval": record({ from: oneOrMore(line), inbox: line, pr: yes }),
  "pr-approved": record({ approvals: positive, from: oneOrMore(line) }),
};
const ASKED = record({ command, every: duration, pr: yes }, ["approvals", "ignore", "log_tail"]);
/** a command may stand in the place of the forge */
const APPROVED = { schema: () => either(schemaOf(OWN_SIGNALS["pr-approved"]), schemaOf(ASKED)) };
const signal = (spot: Spot, name: string) => {
  if (name === "approval") return { policy: OWN_SIGNALS.approval(spot) };
  if (name === "human-approval") return { human: OWN_SIGNALS["human-approval"](spot) };
  if (name === "pr-approved" && !names(spot, "command")) return { approved: approvedBy(spot) };
  const asked = ASKED(spot);
  if (asked && asked.command === undefined) missingKey(spot, "command", `${spot.path} needs command: what is asked`);
  return asked?.command === undefined ? undefined : { asked: { ...asked, command: asked.command } };
};

function approvedBy(spot: Spot) {
  const approved = OWN_SIGNALS["pr-approved"](spot);
  const { approvals = 1, from = [] } = approved ?? {};
  if (from.length > 0 && approvals > from.length)
    noteFault(
      child(spot, "approvals"),
      "TYPE_BAD",
      `${approvals} approvals can never come from ${from.length} people`,
      {
        next: `write ${from.length} or less, or name more in from.`,
      },
    );
  return approved;
}

const ACTION = record({ command, timeout: duration, idempotent: yes, check: command, pr: yes });
const action = shaped(
  () => schemaOf(ACTION),
  (spot: Spot) => {
    const entry = ACTION(spot);
    if (entry && entry.command === undefined) missingKey(spot, "command", `${spot.path} needs command: what is run`);
    return entry?.command === undefined ? undefined : { ...entry, command: entry.command };
  },
);

const branchPrefix: Decode<string> = shaped(
  () => TEXT,
  (spot: Spot) => {
    const prefix = line(spot);
    if (prefix === undefined) return undefined;
    if (
      /^([A-Za-z0-9_][A-Za-z0-9._-]*\/)*([A-Za-z0-9_][A-Za-z0-9._-]*)?$/.test(prefix) &&
      !/\.\.|\.lock\/|\.\//.test(prefix)
    )
      return prefix;
    noteFault(spot, "TYPE_BAD", `"${prefix}" cannot begin the name of a git branch`, {
      next: 'write it like "pawl/".',
    });
    return undefined;
  },
);

/** Whether a mapping has that key. */
const names = (spot: Spot, key: string): boolean => entriesOf(spot)?.some(([name]) => name === key) ?? false;

/** A map written in place, or the name or path of one: looked into later. */
const raw: Decode<Spot> = shaped(
  () => either(TEXT, { type: "object" }),
  (spot: Spot) => (nodeOf(spot) === null ? undefined : spot),
);

/** `model:NAME`: a name below `models:`, or an agent that is the built-in worker with a model. */
const owner: Decode<GateOwner> = shaped(
  () => either(words(["rules", "human"]), TEXT),
  (spot: Spot) => {
    const written = line(spot);
    if (written === undefined || written === "rules" || written === "human") return written;
    if (/^model:[\w.-]+$/.test(written)) return written as GateOwner;
    const meant = nearest(written, ["rules", "human"]);
    noteFault(spot, "TYPE_BAD", `"${written}" is no owner of gates`, {
      note: "known: rules, human, model:NAME",
      next: meant === null ? `write rules, human, or model:NAME for a model.` : `write ${meant}.`,
    });
    return undefined;
  },
);

/** A gate without any is one that nobody can answer. */
const owners = someOf(owner, "write rules, human, or model:NAME; or take it out, then rules answer.");

/** Every key of pawl.yaml, with what reads it. */
export const PAWL = {
  version,
  tasks: pathInside,
  roles,
  patterns: pathInside,
  skills: oneOrMore(pathInside),
  research: researchKey(variable),
  phases: raw,
  base: line,
  branch_prefix: branchPrefix,
  store: storeKey(variable),
  checks: oneOrMore(check),
  worktree: record({ root: line, setup: command, copy: oneOrMore(pathInside) }),
  defaults: record({ authorized_files: oneOrMore(glob), timeout_minutes: minutes, type: line, phases: line }),
  agents: named(agent),
  limits: record({
    max_workers: positive,
    max_runs: positive,
    max_task_rounds: positive,
    max_crashes: positive,
    max_conflicts: positive,
    max_hold_hours: amount,
    plan_revisions: count,
    fix_attempts: count,
  }),
  models: modelsKey(variable),
  mcp_servers: mcpServersKey(variable),
  gates: record({ go: owners, next: owners, timeout: duration }),
  budgets: record({ task: budget, backlog: budget, on_limit: oneOf(["wait", "fail"]) }),
  signals: shaped(() => keysOf({ ...OWN_SIGNALS, "pr-approved": APPROVED }, schemaOf(ASKED)), named(signal)),
  actions: named(action),
  forge: forgeKey(variable),
  intake: intakeKey(variable),
  webhooks: webhooksKey(variable),
  channels: channelsKey(variable),
  sandbox: record({ env: oneOrMore(variable), protect: oneOrMore(glob) }, ["mode", "network"]),
};
const PAWL_LATER = ["task_tree"];

export type PawlFile = Decoded<typeof PAWL>;
export type Budget = NonNullable<ReturnType<typeof budget>>;

/** A task file's budget has the same keys. */
export { budget };

/** pawl.yaml as it is written; an empty file says nothing, and that works. */
export const pawlFile = (spot: Spot): Partial<PawlFile> => record(PAWL, PAWL_LATER)(spot) ?? {};
