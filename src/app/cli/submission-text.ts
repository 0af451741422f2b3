import { submissionSchema } from "../../protocol/message.ts";
import { planText } from "../../tactics/plan-text.ts";
import { reportText } from "../../tactics/report-text.ts";

/** A plan or report for a person; what is none is shown as it is. */
export function submissionText(json: string): string {
  try {
    const message = submissionSchema.parse(JSON.parse(json));
    return message.message_type === "PLAN_SUBMISSION" ? planText(message) : reportText(message);
  } catch {
    return json;
  }
}
