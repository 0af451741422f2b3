import type { Ms } from "../domain/names.ts";
import type { DeviceAction } from "../ports/device-action.ts";
import { isInvalid } from "./device-action.ts";
import type { DeviceRun } from "./run-state.ts";
import { stepOf } from "./step.ts";
import type { RunStatus, TrajStep } from "./trajectory.ts";

/** What is to be done now; the run goes on with the event that comes of it. */
export type Deed =
  /** `focused`: the text of the focused field is wanted too */
  | { readonly do: "capture"; readonly tree: boolean; readonly focused: boolean }
  | { readonly do: "predict" }
  | { readonly do: "act"; readonly action: DeviceAction }
  | { readonly do: "ask"; readonly question: string; readonly timeoutMs: Ms }
  | {
      readonly do: "call";
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly timeoutMs: Ms;
    }
  | { readonly do: "pause"; readonly ms: Ms }
  | { readonly do: "reconnect"; readonly withinMs: Ms }
  | { readonly do: "record"; readonly step: TrajStep }
  | { readonly do: "save" }
  | { readonly do: "end"; readonly status: RunStatus; readonly reason: string };

/** What a run does next. Pure and total. Source: device-executor.md; architecture 11. */
export function next(run: DeviceRun): Deed {
  const { stage, settings } = run;
  switch (stage.at) {
    case "observing":
      return { do: "capture", tree: settings.useAccessibilityTree, focused: false };
    case "thinking":
      return thinking(run);
    case "acting":
      return { do: "act", action: actionOf(run) };
    case "asking":
    case "calling":
      return outside(actionOf(run), run);
    case "pausing":
      return { do: "pause", ms: stage.ms };
    case "looking":
      return { do: "capture", tree: settings.useAccessibilityTree, focused: actionOf(run).action === "type" };
    case "reconnecting":
      return { do: "reconnect", withinMs: leftToReconnect(run) };
    case "recording":
      return { do: "record", step: stepOf(run, stage.result) };
    case "closing":
      return { do: "end", status: stage.status, reason: stage.reason };
  }
}

function thinking({ steps, savedSteps, settings }: DeviceRun): Deed {
  if (steps.length - savedSteps >= settings.saveEvery) return { do: "save" };
  if (steps.length < settings.maxSteps) return { do: "predict" };
  const reason = `max_steps reached (${steps.length} of ${settings.maxSteps}) without FINISH: the agent may be going in circles`;
  return { do: "end", status: "timeout", reason };
}

function outside(action: DeviceAction, { settings }: DeviceRun): Deed {
  if (action.action === "ask_user")
    return { do: "ask", question: action.question, timeoutMs: settings.askUserTimeoutMs };
  if (action.action === "mcp_call")
    return { do: "call", tool: action.tool, args: action.args, timeoutMs: settings.mcpTimeoutMs };
  throw new RangeError(`${action.action} goes to the screen`);
}

/** Since the connection was lost there is one deadline, however often it comes and goes. */
const leftToReconnect = ({ lostMono, lastMono, settings }: DeviceRun): Ms =>
  Math.max(0, (lostMono ?? lastMono) + settings.reconnectTimeoutMs - lastMono);

function actionOf({ pending }: DeviceRun): DeviceAction {
  if (pending === null || isInvalid(pending.action)) throw new RangeError("no step is in progress");
  return pending.action;
}
