import type { AdbServerClient } from "@yume-chan/adb";
import type { BridgeState } from "../../../ports/bridge.ts";
import { goneState, isNetworked, readDevices } from "./devices.ts";
import { type AdbServerPlace, isNoServer, NoAnswer, startServer, withServer } from "./server.ts";
import { openShell, runLine, type Shell } from "./shell.ts";

interface Waiting {
  readonly signal: AbortSignal;
  readonly withinMs: number;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Waits until the device not only is listed as ready but answers, and gives the way to it; else its last state when the
 * time is over. A link that is listed and dead (the radio is gone, and nobody has told adb) is taken down, so that adb
 * makes a new one. Throws CANCELLED, ADB_MISSING.
 */
export async function awaitShell(
  place: AdbServerPlace,
  serial: string,
  { signal, withinMs, env }: Waiting,
): Promise<{ state: BridgeState; shell: Shell | null }> {
  const until = performance.now() + withinMs;
  for (;;) {
    const state = await awaitDevice(place, serial, { signal, withinMs: until - performance.now(), env });
    if (state.kind !== "ready") return { state, shell: null };
    const probe = { signal, withinMs: Math.max(1, Math.min(PROBE_MS, until - performance.now())) };
    const shell = await openShell(place, serial, probe).catch(cancelledOnly);
    if (shell && (await runLine(shell, "true", probe)).kind === "ended") return { state, shell };
    await withServer(place, probe, (client) => client.reconnectDevice({ serial })).catch(cancelledOnly);
  }
}
const PROBE_MS = 2_000;

function cancelledOnly(error: unknown): null {
  if ((error as { code?: string }).code === "CANCELLED") throw error;
  return null;
}

/**
 * Waits until the device is ready, told so by the server's tracking, or gives the last state it had when the time is
 * over. A server that is gone is started again; a device in the network, which no cable announces, is called once a
 * second while the server does not know it. Throws CANCELLED.
 */
export async function awaitDevice(
  place: AdbServerPlace,
  serial: string,
  { signal, withinMs, env }: Waiting,
): Promise<BridgeState> {
  const until = performance.now() + withinMs;
  let state = goneState(serial);
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return state;
    try {
      return await withServer(place, { signal, withinMs: left }, (client, over) =>
        track(client, serial, over, (now) => {
          state = now;
        }),
      );
    } catch (error) {
      if (error instanceof NoAnswer && error.late) return state;
      if ((error as { code?: string }).code === "CANCELLED") throw error;
      if (isNoServer(error)) await startServer(place, env, { signal, withinMs: left });
    }
  }
}

async function track(
  client: AdbServerClient,
  serial: string,
  over: AbortSignal,
  tell: (state: BridgeState) => void,
): Promise<BridgeState> {
  const stream = await client.createConnection("host:track-devices-l");
  const calls = setInterval(() => void call(), 1000);
  // a connection that is cut off leaves its reader waiting
  over.addEventListener("abort", () => clearInterval(calls));
  let isKnown = false;
  const call = async (): Promise<void> => {
    if (isKnown || !isNetworked(serial)) return;
    const answer = await client.createConnection(`host:connect:${serial}`).catch(() => null);
    await answer?.dispose();
  };
  for (;;) {
    const found = readDevices(await stream.readString()).find((device) => device.serial === serial);
    isKnown = found !== undefined;
    const state = found?.state ?? goneState(serial);
    tell(state);
    if (state.kind === "ready") return state;
    void call();
  }
}
