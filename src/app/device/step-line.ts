import type { DeviceEvent } from "../../device/event.ts";
import { progressOf } from "../../device/progress.ts";
import type { DeviceRun } from "../../device/run-state.ts";
import type { TrajStep } from "../../device/trajectory.ts";

/** What a person is told of an event; null: nothing. */
export function eventLine(event: DeviceEvent, run: DeviceRun): string | null {
  switch (event.kind) {
    case "step-recorded":
      return stepLine(event.step, run);
    case "prediction-failed":
      return note(`the model did not answer (${event.code}: ${oneLine(event.message)})`);
    case "capture-failed":
      return note(`no picture (${oneLine(event.message)})`);
    case "action-failed":
      return note(`${event.how} (${oneLine(event.message)}), try ${run.pending?.attempts ?? 1}`);
    case "connection-lost":
      return note(`the connection is lost; waiting up to ${run.settings.reconnectTimeoutMs / 1000} s`);
    case "connection-back":
      return note("the connection is back");
    case "release-failed":
      return note(`${oneLine(event.message)}${event.next ? `; next: ${oneLine(event.next)}` : ""}`);
    case "tool-called":
      return note(`calls ${event.tool}`);
    default:
      return null;
  }
}

function stepLine({ step, action, result, thinking, duration }: TrajStep, run: DeviceRun): string {
  const { maxSteps, remainingMs } = progressOf(run);
  const isLast = !remainingMs || result.outcome === "finished";
  const left = isLast ? "" : `  (at most ${amount(remainingMs / 1000)} left)`;
  const words = [thinking === "" ? "" : JSON.stringify(oneLine(thinking).slice(0, 60)), came(result)];
  const said = words.filter((word) => word !== "").join("  ");
  return `${String(step).padStart(3)}/${maxSteps}  ${actionText(action).padEnd(24)} ${said}  ${amount(duration)}${left}`;
}

function came(result: TrajStep["result"]): string {
  const tried = result.attempts > 1 ? `try ${result.attempts}, ` : "";
  if (result.error && result.outcome !== "done")
    return `${tried}${result.outcome}: ${oneLine(result.error.message.split("; the allowed actions are")[0]!)}`;
  if (result.verified === true) return `${tried}verified in the focused field`;
  if (result.user_response) return `> ${result.user_response.answer ?? "no answer"}`;
  if (result.tool_result) return `${result.tool_result.tool} answered`;
  if (result.note) return `${tried}${result.note}`;
  return result.changed === undefined ? tried : `${tried}${result.changed ? "screen changed" : "no change"}`;
}

/** An action in a few words: `tap [0.50, 0.93]`. */
export function actionText(action: Readonly<Record<string, unknown>>): string {
  const { action: name, error } = action;
  if (error !== undefined) return "no action";
  const rest = Object.entries(action).flatMap(([key, value]) => (key === "action" ? [] : [valueText(value)]));
  return oneLine(`${String(name)} ${rest.join(" ")}`.trim()).slice(0, 60);
}

const valueText = (value: unknown): string =>
  Array.isArray(value) && value.every((one) => typeof one === "number")
    ? `[${value.map((one: number) => one.toFixed(2)).join(", ")}]`
    : JSON.stringify(value);
const note = (text: string): string => `        ${text}`;
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Seconds for people: 1.9s, 14s, 3m12s. */
export function amount(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}
