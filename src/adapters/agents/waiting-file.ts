import { join } from "node:path";
import { LEG_FILES } from "../../protocol/run-folder.ts";
import { BLAMELESS, type Waiting } from "./blameless.ts";
import { readBounded } from "./files.ts";
import type { LegPlace } from "./leg.ts";

const SAID = [...BLAMELESS, "crash"] as const;
const MAX_BYTES = 64 * 1024;

/** What a worker that ended says it waits for; null: nothing, or nothing that can be read. */
export function readWaiting(at: LegPlace): Waiting | null {
  const reading = readBounded(join(at.folder, LEG_FILES.waiting), MAX_BYTES);
  if (reading.kind !== "text") return null;
  try {
    return waitingIn(JSON.parse(reading.text));
  } catch {
    return null;
  }
}

function waitingIn(value: unknown): Waiting | null {
  if (typeof value !== "object" || value === null) return null;
  const { until, why, for: by } = value as { until?: unknown; why?: unknown; for?: unknown };
  if (typeof why !== "string" || why.trim() === "") return null;
  const what = by === "setup" ? "not-started" : (SAID.find((kind) => kind === by) ?? null);
  return { for: what, until: typeof until === "number" && Number.isFinite(until) ? Math.round(until) : null, why };
}
