import type { Fact } from "../../domain/fact.ts";
import type { Intent, WantedIntent } from "../../domain/intent.ts";
import type { BlobHash } from "../../domain/names.ts";
import type { Board } from "../../engine/board.ts";
import type { Dressed, Undressed, Wardrobe } from "../../engine/orders.ts";
import type { Settings } from "../../ports/settings.ts";

/**
 * Gives intents the texts that the log says they had: briefs and pull requests are made of configuration and task files,
 * which are no part of a log. An intent that the log does not have gets none, and the difference shows.
 */
export function loggedWardrobe(facts: readonly Fact[], board: Board): Wardrobe {
  return {
    settings: {} as Settings, // nothing is asked of it: every intent is dressed below
    row: (id) => board.task(id),
    map: (hash) => board.map(hash),
    file: () => Promise.reject(new Error("a log holds no task files")),
    hash: () => "" as BlobHash,
    keep: () => {},
    logged: (wanted) => whyNot(wanted, facts) ?? { intent: dressedAs(wanted, facts), blob: null },
  };
}

function dressedAs(wanted: WantedIntent, facts: readonly Fact[]): Intent {
  if (wanted.kind !== "spawn" && wanted.kind !== "open-pr") return wanted;
  if ("brief" in wanted) return wanted; // a later leg has the brief of its run
  const first = intended(wanted, facts);
  if (wanted.kind === "spawn") return { ...wanted, brief: first?.kind === "spawn" ? first.brief : NONE };
  return { ...wanted, body: first?.kind === "open-pr" ? first.body : NONE };
}
const NONE = "" as BlobHash;

const intended = (wanted: WantedIntent, facts: readonly Fact[]): Dressed["intent"] | undefined =>
  facts.flatMap((fact) => (fact.kind === "effect-intended" && fact.intent.key === wanted.key ? [fact.intent] : []))[0];

/** It could not be started then, because configuration was gone. */
function whyNot(wanted: WantedIntent, facts: readonly Fact[]): Undressed | null {
  if (wanted.kind !== "spawn" || intended(wanted, facts)) return null;
  for (const fact of facts)
    if (fact.kind === "task-waiting" && fact.task === wanted.task && fact.on.code === "no-phase")
      return { why: fact.on.reason };
  return null;
}
