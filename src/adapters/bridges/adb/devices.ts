import type { AdbServerClient } from "@yume-chan/adb";
import { PawlError } from "../../../domain/errors.ts";
import type { BridgeState } from "../../../ports/bridge.ts";
import { type AdbServerPlace, type Bounds, isNoServer, startServer, withServer } from "./server.ts";

/** A device that the adb server knows. */
export interface AdbDevice {
  readonly serial: string;
  /** adb's own word: device, unauthorized, offline, no permissions, recovery … */
  readonly adbState: string;
  readonly state: BridgeState;
  /** null: not known while it is not ready */
  readonly model: string | null;
}

/** All devices, in the server's order. Starts the server where none runs; throws ADB_MISSING where that cannot be. */
export async function listAdbDevices(
  place: AdbServerPlace,
  bounds: Bounds,
  env: NodeJS.ProcessEnv = process.env,
): Promise<readonly AdbDevice[]> {
  const ask = () => withServer(place, bounds, (client) => devicesOf(client));
  return ask().catch(async (error: unknown) => {
    if (!isNoServer(error)) throw error;
    await startServer(place, env, bounds);
    return ask();
  });
}

/** The same by a server that runs already; null: none does, and none is started. Throws NoAnswer, CANCELLED. */
export async function devicesHere(place: AdbServerPlace, bounds: Bounds): Promise<readonly AdbDevice[] | null> {
  return withServer(place, bounds, (client) => devicesOf(client)).catch((error: unknown) => {
    if (isNoServer(error)) return null;
    throw error;
  });
}

export async function devicesOf(client: AdbServerClient): Promise<readonly AdbDevice[]> {
  const stream = await client.createConnection("host:devices-l");
  return readDevices(await stream.readString());
}

/** What `host:devices-l` and `host:track-devices-l` say: a line for each device, its state in one word or several. */
export function readDevices(listed: string): readonly AdbDevice[] {
  return listed.split("\n").flatMap((line) => {
    const found = /^(\(no serial number\)|\S+)\s+(.*?)((?:\s+[a-z_]+:\S+)*)\s*$/.exec(line);
    if (found === null) return [];
    const [, serial, adbState, facts] = found as unknown as [string, string, string, string];
    const model = /\bmodel:(\S+)/.exec(facts)?.[1]?.replaceAll("_", " ") ?? null;
    return [{ serial, adbState, state: stateOf(serial, adbState), model }];
  });
}

function stateOf(serial: string, adbState: string): BridgeState {
  if (adbState === "device") return { kind: "ready" };
  if (adbState.startsWith("no permissions"))
    return {
      kind: "unauthorized",
      advice: `this user may not use ${serial} over USB: install udev rules (Debian: apt install android-sdk-platform-tools-common), then plug it in again`,
    };
  if (adbState === "unauthorized" || adbState === "authorizing")
    return {
      kind: "unauthorized",
      advice: `unlock ${serial} and allow debugging from this machine in the dialog that it shows`,
    };
  const word = adbState === "offline" || adbState === "connecting" ? "does not answer" : `is in ${adbState}`;
  return {
    kind: "offline",
    advice: `${serial} ${word}: plug it in again or restart it, then \`adb reconnect offline\``,
  };
}

export const goneState = (serial: string): BridgeState => ({
  kind: "gone",
  advice: isNetworked(serial)
    ? `see whether ${serial} is switched on and in this network, then \`adb connect ${serial}\``
    : `plug ${serial} in, switch USB debugging on, and look at \`adb devices\``,
});

/** An address, as `adb connect` takes it. */
export const isNetworked = (serial: string): boolean => /^.+:\d+$/.test(serial);

/**
 * The device that a target (`adb:SERIAL`, or `adb` alone) means. Without a serial it is ANDROID_SERIAL, or the only one
 * there is; none, or several, throw SCREEN_UNCHOSEN with the list.
 */
export function chooseSerial(target: string, devices: readonly AdbDevice[], env: NodeJS.ProcessEnv): string {
  const named = /^adb:(.+)$/.exec(target)?.[1] ?? env.ANDROID_SERIAL;
  if (named) return named;
  const ready = devices.filter(({ state }) => state.kind === "ready");
  if (ready.length === 1) return ready[0]!.serial;
  const list = devices.map((device) => `adb:${device.serial} (${device.model ?? device.adbState})`).join(", ");
  if (ready.length > 1)
    throw new PawlError("SCREEN_UNCHOSEN", `${ready.length} devices are connected: ${list}`, {
      next: `name one: --on adb:${ready[0]!.serial}`,
    });
  const [first] = devices;
  const why = first && first.state.kind !== "ready" ? first.state.advice : "plug one in, and look at `adb devices`";
  throw new PawlError(
    "SCREEN_UNCHOSEN",
    devices.length > 0 ? `no device is ready: ${list}` : "no device is connected",
    {
      next: why,
    },
  );
}
