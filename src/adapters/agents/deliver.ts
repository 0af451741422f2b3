import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EffectResult } from "../../domain/input.ts";
import type { LegKey } from "../../domain/names.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { createFile } from "./files.ts";
import { findLeg } from "./leg.ts";
import type { HostParts } from "./parts.ts";

/** Puts a message into the inbox of a leg's run, whole and durable. The same name twice is the same message: the first stays. */
export function deliverTo(leg: LegKey, name: string, message: Uint8Array, { state }: HostParts): EffectResult {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name))
    return refuse(`${JSON.stringify(name)} is no name of a message`);
  const at = findLeg(state, leg);
  if (at === null) return refuse(`there is no run folder of ${leg} here`);
  const inbox = join(at.run, RUN_FILES.inbox);
  mkdirSync(inbox, { recursive: true });
  const isNew = createFile(join(inbox, name), message);
  return { kind: "done", made: { what: "nothing" }, found: !isNew };
}

const refuse = (detail: string): EffectResult => ({
  kind: "refused",
  code: "invalid",
  detail,
  files: [],
  actual: null,
});
