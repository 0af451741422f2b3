import { DEFAULT_GATES } from "../../domain/gate.ts";
import type { Model } from "../../ports/model.ts";
import { modelIn, reviewerModel } from "../config/gate-models.ts";
import type { PawlFile } from "../config/pawl-file.ts";
import type { Waiting } from "./answer-in-time.ts";
import type { WorkerOrder } from "./compose-worker.ts";
import { humanOwner } from "./human-owner.ts";

/** Who answers the gates of `pawl work TICKET.md`: `gates:` of pawl.yaml, else the rules. `modelOf` gives a model by its name. */
export function workGates(
  pawl: Partial<PawlFile>,
  of: { readonly runDir: string; readonly waiting: Waiting; readonly modelOf: (name: string) => Model },
): Required<Pick<WorkerOrder, "chains" | "human" | "reviewers">> {
  const go = pawl.gates?.go?.length ? pawl.gates.go : DEFAULT_GATES.go;
  const next = pawl.gates?.next?.length ? pawl.gates.next : DEFAULT_GATES.next;
  const names = [...new Set([...go, ...next].flatMap(modelIn))];
  return {
    chains: { go, next },
    human: humanOwner(of.runDir, of.waiting),
    reviewers: new Map(names.map((name) => [`model:${name}`, of.modelOf(reviewerModel(pawl, name) ?? name)])),
  };
}
