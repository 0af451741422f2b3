import { actionOf } from "../../../src/device/device-action.ts";
import type { Observation, Prediction, VisionAgent } from "../../../src/ports/vision-agent.ts";

/** What an agent answers: an action as it is on the wire (or anything else), made from what it sees, or an exception. */
export type Line = object | string | Error | ((seen: Observation) => unknown);

export interface ScriptedAgent extends VisionAgent {
  readonly seen: readonly Observation[];
}

/** An agent that says its lines in order, and FINISH when it has none left. */
export function scriptedAgent(lines: readonly Line[], thinking = "so far so good"): ScriptedAgent {
  const seen: Observation[] = [];
  return {
    name: "scripted",
    seen,
    async predict(observation, signal): Promise<Prediction> {
      signal.throwIfAborted();
      const line = lines[seen.length] ?? { action: "FINISH", reason: "done" };
      seen.push(observation);
      const said = typeof line === "function" ? await line(observation) : line;
      if (said instanceof Error) throw said;
      return { thinking, action: actionOf(said) };
    },
  };
}
