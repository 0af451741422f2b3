import type { GateOwner } from "../../domain/gate.ts";
import type { PawlFile } from "./pawl-file.ts";
import { child, noteFault, type Spot } from "./spot.ts";

/** The model that `model:NAME` stands for, by its name below `models:`; undefined: nothing of pawl.yaml is called so. */
export function reviewerModel({ agents, models }: Partial<PawlFile>, name: string): string | undefined {
  if (Object.hasOwn(models ?? {}, name)) return name;
  const agent = Object.hasOwn(agents ?? {}, name) ? agents?.[name] : undefined;
  return agent?.same === undefined ? agent?.pawl?.model : undefined;
}

/** Owners of gates that are models have to be known: MODEL_NAME, where they are written. */
export function checkGateModels(file: Partial<PawlFile>, root: Spot): void {
  for (const gate of ["go", "next"] as const)
    for (const name of new Set((file.gates?.[gate] ?? []).flatMap(modelIn)))
      if (reviewerModel(file, name) === undefined)
        noteFault(child(child(root, "gates"), gate), "MODEL_NAME", `model:${name} is no model and no agent with one`, {
          next: `add ${name} below models:, or agents: {${name}: {pawl: {model: NAME}}}.`,
        });
}

/** The name in `model:NAME`; none: it is another owner. */
export const modelIn = (owner: GateOwner): readonly string[] =>
  owner.startsWith("model:") ? [owner.slice("model:".length)] : [];
