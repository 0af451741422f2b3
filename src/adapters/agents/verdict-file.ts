import type { LegKey } from "../../domain/names.ts";
import { type Verdict, verdictSchema } from "../../protocol/verdict.ts";
import { readBounded } from "./files.ts";

const MAX_BYTES = 1024 * 1024;

export type VerdictReading =
  | { readonly kind: "none" }
  /** something is there, and it is no verdict of this leg */
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "verdict"; readonly verdict: Verdict };

/** A worker's verdict.json (null: this leg wrote none). Whatever a worker may write there, this ends quickly and says what is wrong. */
export function readVerdict(path: string | null, leg: LegKey): VerdictReading {
  if (path === null) return { kind: "none" };
  const reading = readBounded(path, MAX_BYTES);
  if (reading.kind === "absent") return { kind: "none" };
  if (reading.kind === "refused") return refuse(reading.why);
  if (reading.text.trim() === "") return refuse("it is empty");
  let value: unknown;
  try {
    value = JSON.parse(reading.text);
  } catch (error) {
    return refuse(`it is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : ""}`);
  }
  const parsed = verdictSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return refuse([issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
  }
  const { leg: by } = parsed.data;
  if (by !== undefined && by !== leg) return refuse(`it is the verdict of leg ${by}, not of ${leg}`);
  return { kind: "verdict", verdict: parsed.data };
}

const refuse = (why: string): VerdictReading => ({ kind: "refused", why: `verdict.json is refused: ${why}` });
