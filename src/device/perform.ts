import { PawlError } from "../domain/errors.ts";
import type { ScreenNode } from "../ports/bridge.ts";
import { act } from "./act.ts";
import { type Desk, frameRef } from "./desk.ts";
import type { DeviceParts } from "./device-parts.ts";
import type { Deed } from "./next.ts";
import { observationOf } from "./observation.ts";
import { performAsk, performCall } from "./perform-outside.ts";
import { frameName } from "./step.ts";
import { trajectoryOf } from "./trajectory-of.ts";

export interface Doing {
  readonly desk: Desk;
  readonly parts: DeviceParts;
  readonly signal: AbortSignal;
}

/** Does one deed, and notes what came of it. Throws what nobody expected, and whatever comes of an aborted signal. */
export async function perform(deed: Deed, doing: Doing): Promise<void> {
  const { desk, parts, signal } = doing;
  switch (deed.do) {
    case "capture":
      return capture(deed, doing);
    case "predict":
      return predict(doing);
    case "act":
      return performAct(deed, doing);
    case "ask":
      return performAsk(deed, doing);
    case "call":
      return performCall(deed, doing);
    case "pause":
      await parts.clock.sleep(deed.ms, signal);
      return signal.aborted ? undefined : desk.note({ kind: "pause-over" });
    case "reconnect":
      return reconnect(deed.withinMs, doing);
    case "record":
      return desk.note({ kind: "step-recorded", step: deed.step });
    case "save":
      return save(doing, false);
    case "end":
      return desk.note({ kind: "run-ended", status: deed.status, reason: deed.reason });
  }
}

/** Writes the trajectory as it is now. */
export async function save({ desk, parts }: Pick<Doing, "desk" | "parts">, isLast: boolean): Promise<void> {
  const { run } = desk;
  await parts.folder.save(trajectoryOf(run), isLast && run.settings.screenshots === "base64");
  desk.note({ kind: "trajectory-saved", steps: run.steps.length });
}

async function capture({ tree, focused }: Extract<Deed, { do: "capture" }>, doing: Doing): Promise<void> {
  const { desk, parts, signal } = doing;
  const { bridge } = parts;
  try {
    const frame = await bridge.capture(signal);
    const ref = frameRef(frame);
    await parts.folder.keep(frameName(ref.hash), frame.png);
    const wanted = (tree || focused) && bridge.abilities.tree;
    const seen = wanted ? await bridge.tree(frame, signal).catch(noTree(signal)) : null;
    desk.hold(ref, { frame, tree: tree ? seen : null });
    const text = focused && seen ? focusedText(seen) : undefined;
    desk.note({ kind: "frame-captured", frame: ref, ...(text === undefined ? {} : { focused: text }) });
  } catch (error) {
    if (signal.aborted || !(error instanceof PawlError)) throw error;
    if (error.code === "SCREEN_GONE") return desk.note({ kind: "connection-lost", message: error.message });
    if (!SCREEN_CODES.has(error.code)) throw error;
    desk.note({ kind: "capture-failed", code: error.code, message: error.message });
  }
}
const SCREEN_CODES: ReadonlySet<string> = new Set(["CAPTURE_FAILED", "SCREEN_REFUSED", "SCREEN_UNSURE"]);

/** A screen without a tree is a screen all the same (DEV-2.4). */
const noTree =
  (signal: AbortSignal) =>
  (error: unknown): null => {
    if (signal.aborted) throw error;
    return null;
  };

function focusedText(node: ScreenNode): string | undefined {
  if (node.isFocused && node.isEditable) return node.text;
  for (const child of node.children) {
    const found = focusedText(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function predict({ desk, parts, signal }: Doing): Promise<void> {
  try {
    const { thinking, action, usage, microUsd } = await parts.agent.predict(observationOf(desk), signal);
    const tokens = usage ? usage.input + usage.output : 0;
    desk.note({ kind: "prediction-made", thinking, action, tokens, microUsd: microUsd === undefined ? 0 : microUsd });
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const [code, retryable] = error instanceof PawlError ? [error.code, error.retryable] : ["AGENT_FAILED", true];
    desk.note({ kind: "prediction-failed", code, message, stack: stack ?? message, retryable });
  }
}

async function performAct({ action }: Extract<Deed, { do: "act" }>, { desk, parts, signal }: Doing): Promise<void> {
  const { frame } = desk.held(desk.run.frame!);
  try {
    await act(action, { bridge: parts.bridge, frame, signal });
    desk.note({ kind: "action-done" });
  } catch (error) {
    if (signal.aborted || !(error instanceof PawlError)) throw error;
    const { code, message } = error;
    if (code === "SCREEN_GONE") return desk.note({ kind: "connection-lost", message });
    if (code === "SCREEN_UNSURE") return desk.note({ kind: "action-failed", how: "unsure", code, message });
    if (code === "SCREEN_UNABLE") return desk.note({ kind: "action-failed", how: "impossible", code, message });
    if (code !== "SCREEN_REFUSED") throw error;
    desk.note({ kind: "action-failed", how: "refused", code, message });
  }
}

async function reconnect(withinMs: number, { desk, parts, signal }: Doing): Promise<void> {
  const state = await parts.bridge.reconnect(withinMs, signal);
  if (signal.aborted) return;
  if (state.kind === "ready") return desk.note({ kind: "connection-back" });
  desk.note({ kind: "connection-gone", advice: `it is ${state.kind}: ${state.advice}` });
}
