import type { PawlFile } from "../config/pawl-file.ts";
import { placeOfIssues } from "../intake/issues-at.ts";
import type { HandsLook } from "./doctor-hands.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Whose issues become tasks, and whether there is a token for them. Nothing of it stops the processor. */
export const lookAtIntake = (pawl: Partial<PawlFile>, env: Env): readonly HandsLook[] =>
  (pawl.intake ?? []).map((spec) => {
    const { tokenEnv, baseUrl } = placeOfIssues(spec, pawl);
    const label = spec.labels.length === 0 ? [] : [`labelled ${spec.labels.join(", ")}`];
    const query = spec.query === null ? [] : [`found by "${spec.query}"`];
    const text = `${spec.kind} ${spec.repo}, ${[...label, ...query].join(", ")}, by ${baseUrl}, with the token of ${tokenEnv}`;
    if (env[tokenEnv]?.trim()) return { name: "intake", state: "ok", text };
    const rights = spec.writeBack ? "that may read and write issues" : "that may read issues";
    const next = `put a token ${rights} into ${tokenEnv}.`;
    return { name: "intake", state: "note", text: `${text}, which is empty: pawl sync cannot ask`, next };
  });
