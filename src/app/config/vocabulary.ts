import type { ActionSpec, SignalSpec } from "../../ports/settings.ts";
import type { Cast } from "./cast.ts";
import { isForges } from "./forge-key.ts";
import type { Vocabulary } from "./map-file.ts";
import type { PawlFile } from "./pawl-file.ts";
import type { Role } from "./role-files.ts";
import { child, namesAt, nodeOf, type Spot } from "./spot.ts";

interface Words {
  readonly file: Partial<PawlFile>;
  readonly root: Spot;
  readonly cast: Cast;
  readonly roles: ReadonlyMap<string, Role>;
  /** roles for which every task names an agent itself */
  readonly theirs: ReadonlySet<string>;
  readonly actions: Readonly<Record<string, ActionSpec>>;
  readonly signals: Readonly<Record<string, SignalSpec>>;
}

/** What maps may name: roles, actions and signals, as pawl.yaml and the files of roles have them. */
export function vocabulary({ file, root, cast, roles, theirs, actions, signals }: Words): Vocabulary {
  return {
    roles: new Map([
      ...Object.keys({ ...file.agents, ...cast.agents })
        .filter((name) => name !== "default")
        .map((name) => [name, "branch"] as const),
      ...[...roles.values()].map((role) => [role.name, role.checkout ?? "branch"] as const),
    ]),
    cast: castOf({ ...cast, isEmpty: cast.isEmpty || isUnclear(root) }, theirs, [
      ...roles.keys(),
      ...Object.keys(file.agents ?? {}),
      ...Object.keys(cast.agents),
    ]),
    actions: new Map(
      Object.values(actions).map(({ name, pr, idempotent, check, timeoutMs }) => [
        name,
        { pr, idempotent, canAsk: check !== null, wallMs: timeoutMs },
      ]),
    ),
    signals: new Map(
      Object.values(signals).map(({ name, pr, kind }) => [
        name,
        { pr, answeredBy: kind === "human" ? kind : "command" },
      ]),
    ),
    isBroken: brokenIn(root, file),
  };
}

/** Whether it cannot be said who does the work, because that very part of pawl.yaml is broken: that is told already. */
export const isUnclear = ({ text }: Spot): boolean =>
  text.faults.some(({ code, data }) => code === "YAML_BAD" || data.path === "" || /^agents\b/.test(String(data.path)));

/** What pawl.yaml has with a fault of its own; of a forge that cannot be read nobody knows what it answers. */
function brokenIn(root: Spot, file: Partial<PawlFile>): Vocabulary["isBroken"] {
  const broken = (key: "agents" | "actions" | "signals", name: string): boolean =>
    namesAt(root, key).includes(name) && !Object.hasOwn(file[key] ?? {}, name);
  const isForgeUnclear = file.forge === undefined && nodeOf(child(root, "forge")) !== null;
  return (kind, name) =>
    broken(`${kind === "role" ? "agent" : kind}s`, name) || (kind === "signal" && isForgeUnclear && isForges(name));
}

/** Roles that somebody works as. Where nobody names any agent, that is told once, and not for each role. */
const castOf = (cast: Cast, theirs: ReadonlySet<string>, roles: readonly string[]): ReadonlySet<string> =>
  new Set(roles.filter((role) => cast.isEmpty || theirs.has(role) || cast.roleAgent(role) !== null));
