import type { GateSaid } from "../../domain/gate.ts";
import type { Answer } from "../../protocol/answer.ts";

/** Who it is to, and by whom, is the processor's to say. */
export const TO = { agent_id: "", task_id: "", in_reply_to: "", by: "", sent_at: "" };

/** An answer as the domain has it. */
export function wordOf(answer: Answer): GateSaid {
  const issues = answer.message_type === "FEEDBACK" || answer.message_type === "FIX" ? answer.issues : [];
  return {
    word: answer.message_type as GateSaid["word"],
    issues: issues.map(({ id, text, about, file, line }) => ({
      id,
      text,
      about,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    })),
    reason: answer.reason ?? null,
  };
}
