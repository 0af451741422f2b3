import { PawlError } from "../../domain/errors.ts";
import type { Judgement } from "./rules.ts";

const NEXT = "run another command, or change --allow and --deny; they are rules for the well-meaning, no sandbox";

/** Why a command that was judged so does not run; null: it may. What cannot be told is a no where nobody can be asked. */
export function barredBy(judgement: Judgement): PawlError | null {
  if (judgement.kind === "run") return null;
  if (judgement.kind === "refuse") return new PawlError("COMMAND_DENIED", judgement.why, { next: NEXT });
  return new PawlError("COMMAND_UNCLEAR", `it cannot be told whether this command is allowed: ${judgement.why}`, {
    next: "write it so that it can be read, or answer for it with --yes",
  });
}
