import type { GateOwner } from "../../domain/gate.ts";
import { PROVIDERS, providerAndModel } from "../../ports/model-spec.ts";
import { nearest } from "./nearest.ts";
import type { AgentEntry, PawlFile } from "./pawl-file.ts";
import { child, itemsOf, namesAt, noteFault, type Spot, textOf } from "./spot.ts";

/** The model that `model:NAME` stands for, by its name below `models:`; undefined: nothing of pawl.yaml is called so. */
export function reviewerModel({ agents, models }: Partial<PawlFile>, name: string): string | undefined {
  if (Object.hasOwn(models ?? {}, name)) return name;
  const agent = Object.hasOwn(agents ?? {}, name) ? agents?.[name] : undefined;
  return agent?.same === undefined ? agent?.pawl?.model : undefined;
}

/** Models that agents of ours think with have to be known: MODEL_NAME, where they are written. */
export function checkAgentModels({ agents }: Partial<PawlFile>, root: Spot): void {
  // one that is there with a fault of its own is told of that alone
  const known = namesAt(root, "models");
  for (const [name, entry] of Object.entries(agents ?? {}))
    for (const [kind, key, model] of modelsOf(entry))
      if (!known.includes(model) && providerAndModel(model) === null)
        noteFault(
          ["agents", name, kind, key].reduce(child, root),
          "MODEL_NAME",
          `"${model}" is no model of models:, and no PROVIDER/MODEL`,
          { next: fitting(model, known) },
        );
}

type Written = readonly [kind: "pawl" | "device", key: string, model: string];
function modelsOf(entry: AgentEntry): readonly Written[] {
  if (entry.same !== undefined) return [];
  const minds = ["model", "planner", "executor", "compaction"] as const;
  return [
    ...minds.flatMap((key): readonly Written[] => (entry.pawl?.[key] ? [["pawl", key, entry.pawl[key]]] : [])),
    ...(entry.device?.model ? ([["device", "model", entry.device.model]] as const) : []),
  ];
}

function fitting(model: string, known: readonly string[]): string {
  const meant = nearest(model, known);
  if (meant !== null) return `write "${meant}".`;
  return `add ${model} below models:, or write PROVIDER/MODEL; providers are ${PROVIDERS.join(", ")}.`;
}

/** Owners of gates that are models have to be known: MODEL_NAME, where they are written. */
export function checkGateModels(file: Partial<PawlFile>, root: Spot): void {
  const models = namesAt(root, "models");
  const reviewers = namesAt(root, "agents").filter((name) => reviewerModel(file, name) !== undefined);
  // one that is there with a fault of its own is told of that alone
  const broken = namesAt(root, "agents").filter((name) => !Object.hasOwn(file.agents ?? {}, name));
  for (const gate of ["go", "next"] as const)
    for (const [name, spot] of ownersAt(child(child(root, "gates"), gate)))
      if (![...models, ...reviewers, ...broken].includes(name))
        noteFault(spot, "MODEL_NAME", `model:${name} is no model and no agent with one`, {
          next: fittingOwner(name, [...models, ...reviewers]),
        });
}

/** The models among the owners of a gate, each where it is written first. */
function ownersAt(gate: Spot): ReadonlyMap<string, Spot> {
  const found = (itemsOf(gate) ?? [gate]).flatMap((spot) =>
    modelIn((textOf(spot) ?? "").trim() as GateOwner).map((name) => [name, spot] as const),
  );
  return new Map(found.reverse());
}

function fittingOwner(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === null
    ? `add ${name} below models:, or agents: {${name}: {pawl: {model: NAME}}}.`
    : `write "model:${meant}".`;
}

/** The name in `model:NAME`; none: it is another owner. */
export const modelIn = (owner: GateOwner): readonly string[] =>
  owner.startsWith("model:") ? [owner.slice("model:".length)] : [];
