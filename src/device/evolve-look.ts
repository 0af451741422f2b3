import type { DeviceAction } from "../ports/device-action.ts";
import { isInvalid } from "./device-action.ts";
import type { DeviceEvent } from "./event.ts";
import type { DeviceRun, Pending, Stage } from "./run-state.ts";
import { retryMs } from "./timing.ts";
import type { StepResult } from "./trajectory.ts";

type Captured = Extract<DeviceEvent, { kind: "frame-captured" }>;

/** A picture is there: of the first look it is the observation; behind an action it says what came of that. */
export function afterCapture(run: DeviceRun, { frame, focused }: Captured): DeviceRun {
  const { stage } = run;
  if (stage.at === "observing")
    return {
      ...run,
      lostMono: null,
      frame,
      after: null,
      stepMono: run.lastMono,
      stage: { at: "thinking", tries: 0 },
    };
  if (stage.at !== "looking" || run.pending === null || run.frame === null) return run;
  const looked = { ...run, lostMono: null, after: frame };
  const changed = frame.hash !== run.frame.hash;
  const seen = { changed, ...verification(run.pending, focused) };
  // a black picture hides the screen: what differs from it may be as it was
  const isSeen = changed && !frame.isBlack && !run.frame.isBlack;
  switch (stage.why) {
    case "after":
      return afterDone(looked, seen);
    case "retry":
      return isSeen ? record(looked, { ...seen, outcome: "done", note: CHANGED_ANYWAY }) : again(looked);
    case "unsure":
    case "again":
      return afterUnsure(looked, { seen, isSeen }, stage.why);
  }
}

interface Seen {
  readonly changed: boolean;
  readonly verified?: boolean;
}

function afterDone(run: DeviceRun, seen: Seen): DeviceRun {
  const { settings, pending } = run;
  const action = pending!.action as DeviceAction;
  const isMissed = settings.validateScreenChange && !seen.changed && seen.verified !== true && expectsChange(action);
  if (!isMissed)
    return record(run, { ...seen, outcome: "done", ...(seen.verified === false ? { note: NOT_TYPED } : {}) });
  const mayRepeat = REPEATABLE.has(action.action) && pending!.attempts <= settings.maxRetries;
  if (!mayRepeat) return record(run, { ...seen, outcome: "no_change", note: NOTHING_CHANGED });
  const ms = retryMs(pending!.attempts, settings);
  const error = { code: "NO_CHANGE", message: "the screen did not change" };
  return { ...run, pending: { ...pending!, error }, stage: paused(ms, "retry") };
}

/** No answer came: what is to be seen decides, and where there is nothing to be seen twice, the agent. Never repeated. */
function afterUnsure(
  run: DeviceRun,
  { seen, isSeen }: { readonly seen: Seen; readonly isSeen: boolean },
  why: "unsure" | "again",
): DeviceRun {
  if (isSeen || seen.verified) return record(run, { ...seen, outcome: "done", note: PROBABLY });
  if (why === "unsure") return { ...run, stage: paused(retryMs(1, run.settings), "again") };
  return record(run, { ...seen, outcome: "unsure", note: MAYBE });
}

const paused = (ms: number, why: "retry" | "again"): Stage => ({
  at: "pausing",
  ms,
  next: { at: "looking", why, tries: 0 },
});

const again = (run: DeviceRun): DeviceRun => ({ ...run, stage: { at: "acting" } });

function record(run: DeviceRun, result: Omit<StepResult, "attempts">): DeviceRun {
  const { attempts, error } = run.pending!;
  const told = error && result.outcome !== "no_change" ? { error } : {};
  const whole = { ...result, attempts: Math.max(1, attempts), ...told } as StepResult;
  return { ...run, stage: { at: "recording", result: whole, next: { at: "thinking", tries: 0 } } };
}

/** Whether the focused field holds what was typed: not said where nobody could look, or where it shows dots. */
function verification({ action }: Pending, focused: string | undefined): { readonly verified?: boolean } {
  if (isInvalid(action) || action.action !== "type" || focused === undefined) return {};
  if (/^[•●*∙·]+$/.test(focused)) return {};
  return { verified: plain(focused).includes(plain(action.text)) };
}
const plain = (text: string): string => text.normalize("NFC").replace(/\s+/g, " ").trim();

const expectsChange = ({ action }: DeviceAction): boolean => action !== "wait";

/** Done once more they do no harm where the screen stayed as it was. Text would stand there twice; back may be slow. */
const REPEATABLE: ReadonlySet<DeviceAction["action"]> = new Set([
  "tap",
  "long_press",
  "swipe",
  "home",
  "recent",
  "open",
]);

const CHANGED_ANYWAY = "the screen changed all the same, so it was not repeated";
const NOTHING_CHANGED = "the screen did not change";
const PROBABLY = "no answer came in time, but the screen shows that it happened";
const MAYBE = "no answer came in time and the screen is as it was: it may have happened; it was not repeated";
const NOT_TYPED = "the focused field does not hold this text";

/** A capture is tried again; then the run ends, as nobody can act on a screen that cannot be seen. */
export function captureFailed(run: DeviceRun, event: Extract<DeviceEvent, { kind: "capture-failed" }>): DeviceRun {
  const { stage, settings } = run;
  if (stage.at !== "observing" && stage.at !== "looking") return run;
  const tries = stage.tries + 1;
  if (tries <= settings.maxRetries)
    return { ...run, stage: { at: "pausing", ms: retryMs(tries, settings), next: { ...stage, tries } } };
  const reason = `the screen cannot be captured, tried ${tries} times: ${event.code}: ${event.message}`;
  const end: Stage = { at: "closing", status: "failed", reason };
  if (run.pending === null) return { ...run, stage: end };
  const result: StepResult = {
    outcome: "unsure",
    attempts: Math.max(1, run.pending.attempts),
    error: { code: event.code, message: event.message },
    note: "nobody could look at what came of it",
  };
  return { ...run, stage: { at: "recording", result, next: end } };
}
