import type { PawlError } from "../domain/errors.ts";
import type { Ms } from "../domain/names.ts";
import { type Desk, openDesk } from "./desk.ts";
import type { DeviceParts } from "./device-parts.ts";
import { next } from "./next.ts";
import { perform, save } from "./perform.ts";
import type { DeviceSettings } from "./settings.ts";
import type { RunStatus } from "./trajectory.ts";

export interface DeviceOrder {
  readonly goal: string;
  /** names its folder */
  readonly taskId: string;
  readonly settings: DeviceSettings;
}

/** What came of a run (DEV-1.1, 8.1, 8.2). */
export interface DeviceRunEnd {
  readonly status: RunStatus;
  /** the agent's own words for a success, else what to do or know */
  readonly reason: string;
  readonly steps: number;
  readonly durationMs: Ms;
  readonly tokens: number;
  readonly microUsd: number | null;
}

/**
 * Lets an agent drive a screen until it says FINISH, the steps are used up, or it cannot go on. Every end is a value:
 * what nobody expected is thrown, after the trajectory was saved. However it ends: the trajectory on disk is whole and
 * the bridge is closed, an aborted signal's within 2 s. Source: device-executor.md; architecture 11.
 */
export async function runOnDevice(order: DeviceOrder, parts: DeviceParts, signal: AbortSignal): Promise<DeviceRunEnd> {
  const { bridge, agent } = parts;
  const desk = openDesk({ kind: "run-began", ...order, target: bridge.target, agent: agent.name }, parts);
  let fault: { readonly error: unknown } | null = null;
  try {
    await loop(desk, parts, signal);
  } catch (error) {
    if (!signal.aborted) fault = { error };
  }
  if (desk.run.ended === null) desk.note(fault ? crash(fault.error) : { kind: "run-interrupted" });
  try {
    await save({ desk, parts }, true);
  } catch (error) {
    fault ??= { error };
  } finally {
    await release(desk, parts);
  }
  if (fault) throw fault.error;
  return endOf(desk);
}

async function loop(desk: Desk, parts: DeviceParts, signal: AbortSignal): Promise<void> {
  while (desk.run.ended === null && !signal.aborted) {
    const deed = next(desk.run);
    const done = perform(deed, { desk, parts, signal });
    await (deed.do === "save" ? done : unlessAborted(done, { parts, signal }));
  }
}

/** A deed that does not heed its signal is not waited for: after a short time its end counts for nothing. */
async function unlessAborted(
  done: Promise<void>,
  { parts, signal }: { readonly parts: DeviceParts; readonly signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    const tell = () => void parts.clock.sleep(GRACE_MS, over.signal).then(resolve);
    if (signal.aborted) return tell();
    signal.addEventListener("abort", tell, { once: true, signal: over.signal });
  });
  try {
    await Promise.race([done, aborted]);
  } finally {
    over.abort();
    done.catch(() => {});
  }
}
const GRACE_MS = 500;

/** A bridge that cannot be closed, or not in time, is told and left: the run is over, and its trajectory saved. */
async function release(desk: Desk, { bridge, clock }: DeviceParts): Promise<void> {
  const over = new AbortController();
  const failed = (message: string, next: string) => desk.note({ kind: "release-failed", message, next });
  const closed = bridge.close().then(
    () => {},
    (error) => failed(error instanceof Error ? error.message : String(error), (error as PawlError).next ?? ""),
  );
  const late = clock.sleep(CLOSE_MS, over.signal).then(() => {
    if (!over.signal.aborted) failed(`${bridge.target} was not closed within ${CLOSE_MS / 1000} s`, "");
  });
  await Promise.race([closed, late]);
  over.abort();
}
const CLOSE_MS = 1_000;

const crash = (error: unknown) => {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "run-crashed", message, stack: stack ?? message } as const;
};

function endOf({ run }: Desk): DeviceRunEnd {
  return {
    status: run.ended!.status,
    reason: run.ended!.reason,
    steps: run.steps.length,
    durationMs: run.lastMono - run.startedMono,
    tokens: run.tokens,
    microUsd: run.microUsd,
  };
}
