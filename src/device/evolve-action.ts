import type { DeviceAction } from "../ports/device-action.ts";
import { isInvalid } from "./device-action.ts";
import type { DeviceEvent } from "./event.ts";
import type { DeviceRun, Stage } from "./run-state.ts";
import { retryMs, settleMs } from "./timing.ts";
import type { StepResult } from "./trajectory.ts";

type Event<K extends DeviceEvent["kind"]> = Extract<DeviceEvent, { kind: K }>;

const THINKING: Stage = { at: "thinking", tries: 0 };
const OBSERVING: Stage = { at: "observing", tries: 0 };

/** The agent has answered: where its answer goes. What it was told is told once. */
export function afterAnswer(run: DeviceRun, event: Event<"prediction-made">): DeviceRun {
  if (run.stage.at !== "thinking") return run;
  const { thinking, action, at } = event;
  const answered: DeviceRun = {
    ...run,
    told: {},
    tokens: run.tokens + event.tokens,
    microUsd: run.microUsd === null || event.microUsd === null ? null : run.microUsd + event.microUsd,
    pending: { thinking, action, saidAt: at, attempts: 0, error: null },
  };
  if (!isInvalid(action)) return { ...answered, stage: stageFor(action, run) };
  const error = { code: action.error, message: action.message };
  return recording(answered, { outcome: "invalid", attempts: 1, error }, THINKING);
}

function stageFor(action: DeviceAction, { settings }: DeviceRun): Stage {
  switch (action.action) {
    case "FINISH": {
      const reason = action.reason || "the agent says that it is done";
      const next: Stage = { at: "closing", status: "success", reason };
      return { at: "recording", result: { outcome: "finished", attempts: 1 }, next };
    }
    case "wait":
      return {
        at: "pausing",
        ms: Math.max(action.seconds * 1000, settings.stepDelayMs),
        next: { at: "looking", why: "after", tries: 0 },
      };
    case "ask_user":
      return { at: "asking" };
    case "mcp_call":
      return { at: "calling" };
    default:
      return { at: "acting" };
  }
}

/** Done: the screen settles, then it is looked at. Refused: tried again. Unsure: looked at, not tried again. */
export function afterAction(run: DeviceRun, event: Event<"action-done"> | Event<"action-failed">): DeviceRun {
  if (run.stage.at !== "acting" || run.pending === null) return run;
  const attempts = run.pending.attempts + 1;
  const settle = settleMs(run.pending.action as DeviceAction, run.settings);
  if (event.kind === "action-done")
    return { ...run, pending: { ...run.pending, attempts }, stage: looking(settle, "after") };
  const error = { code: event.code, message: event.message };
  const failed = { ...run, pending: { ...run.pending, attempts, error } };
  if (event.how === "unsure") return { ...failed, stage: looking(settle, "unsure") };
  if (event.how === "refused" && attempts <= run.settings.maxRetries)
    return { ...failed, stage: looking(retryMs(attempts, run.settings), "retry") };
  return recording(failed, { outcome: "failed", attempts, error }, THINKING);
}

const looking = (ms: number, why: "after" | "retry" | "unsure"): Stage => ({
  at: "pausing",
  ms,
  next: { at: "looking", why, tries: 0 },
});

/** Lost: waited for, within one deadline. Lost during an action, it may have happened: the screen is looked at first. */
export function afterConnection(
  run: DeviceRun,
  event: Event<"connection-lost"> | Event<"connection-back"> | Event<"connection-gone">,
): DeviceRun {
  const { stage } = run;
  if (event.kind === "connection-lost") return lost(run, event);
  if (stage.at !== "reconnecting") return run;
  if (event.kind === "connection-back") return { ...run, stage: stage.next };
  const seconds = run.settings.reconnectTimeoutMs / 1000;
  const reason = `the connection was lost and did not come back within ${seconds} s: ${event.advice}`;
  const end: Stage = { at: "closing", status: "failed", reason };
  if (run.pending === null) return { ...run, stage: end };
  const { attempts, error } = run.pending;
  const result: StepResult = { outcome: "failed", attempts: Math.max(1, attempts), ...(error ? { error } : {}) };
  return recording(run, result, end);
}

function lost(run: DeviceRun, { message, mono }: Event<"connection-lost">): DeviceRun {
  const { stage, pending } = run;
  const lostMono = run.lostMono ?? mono;
  if (stage.at === "observing" || stage.at === "looking")
    return { ...run, lostMono, stage: { at: "reconnecting", next: stage } };
  if (stage.at !== "acting" || pending === null) return run;
  const error = { code: "SCREEN_GONE", message };
  const next: Stage = { at: "looking", why: "unsure", tries: 0 };
  return {
    ...run,
    lostMono,
    pending: { ...pending, attempts: pending.attempts + 1, error },
    stage: { at: "reconnecting", next },
  };
}

/** A person or a tool answered, or did not in time. A person may have touched the screen: it is looked at afresh. */
export function afterTool(run: DeviceRun, event: Event<"question-answered"> | Event<"tool-answered">): DeviceRun {
  const action = run.pending?.action;
  if (action === undefined || isInvalid(action)) return run;
  if (event.kind === "question-answered" && action.action === "ask_user") {
    const { question } = action;
    const { answer, timedOut } = event;
    const result: StepResult = {
      ...(answer === null ? failedWith(timedOut ? "TIMEOUT" : "NO_ANSWER", "nobody answered") : DONE),
      user_response: { question, answer, timed_out: timedOut },
    };
    return recording({ ...run, told: { userResponse: { question, answer, timedOut } } }, result, OBSERVING);
  }
  if (event.kind !== "tool-answered" || action.action !== "mcp_call") return run;
  const { tool } = action;
  const { ok, text } = event;
  if (!ok) {
    const told = { toolResult: { tool, ok, error: text } };
    const result = { ...failedWith(event.code ?? "TOOL_FAILED", text), tool_result: { tool, ok, error: text } };
    return recording({ ...run, told }, result, THINKING);
  }
  const told = { toolResult: { tool, ok, content: text } };
  return recording({ ...run, told }, { ...DONE, tool_result: { tool, ok, content: text } }, OBSERVING);
}

const DONE = { outcome: "done", attempts: 1 } as const;
const failedWith = (code: string, message: string) =>
  ({ outcome: "failed", attempts: 1, error: { code, message } }) as const;

const recording = (run: DeviceRun, result: StepResult, next: Stage): DeviceRun => ({
  ...run,
  stage: { at: "recording", result, next },
});
