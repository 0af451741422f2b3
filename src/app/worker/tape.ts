import { existsSync } from "node:fs";
import { openCassette } from "../../adapters/models/cassette/cassette.ts";
import type { ModelParts } from "../../adapters/models/create.ts";
import { PawlError } from "../../domain/errors.ts";

/** What a run's traffic with its models is written to, or played from. */
export interface Tape {
  readonly way: Pick<ModelParts, "fetch" | "keyless">;
  /** Throws CASSETTE_MISMATCH where something was recorded that this run did not ask. */
  finish(): void;
}

/** Absolute paths; neither: the network, and nothing is kept. Throws CASSETTE_BROKEN where there is none to play, USAGE for both. */
export function tapeFor({ record, replay }: { readonly record?: string; readonly replay?: string }): Tape {
  if (record !== undefined && replay !== undefined)
    throw new PawlError("USAGE", "--record and --replay are for two runs", { next: "give one of them." });
  if (replay !== undefined && !existsSync(replay))
    throw new PawlError("CASSETTE_BROKEN", `there is no cassette ${replay}`, {
      next: "record it: pawl work TICKET.md --record FILE.",
    });
  const file = record ?? replay;
  if (file === undefined) return { way: {}, finish: () => {} };
  const { fetch, finish } = openCassette({ file, mode: record === undefined ? "replay" : "record" });
  return { way: { fetch, keyless: replay !== undefined }, finish };
}
