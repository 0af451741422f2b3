import { AdbServerClient } from "@yume-chan/adb";
import { AdbServerNodeTcpConnector } from "@yume-chan/adb-server-node-tcp";
import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import type { Bridge } from "../../src/ports/bridge.ts";
import { type Android, startAndroid } from "../../test/support/android/android.ts";
import { compare, type Figure } from "./figure.ts";

/** How much of the time of a spawned adb a call of the bridge may take. */
const OF_A_PROCESS = 0.333;
/** How much longer it may take than the library's own call for the same: a deadline, a picture's size and colour. */
const OF_THE_LIBRARY = 1.5;
const PLACE = { x: 540, y: 2390 };

/**
 * A screenshot and a tap by the adb bridge against a process of adb for each, and against the bare library, in turns, on
 * one simulated phone of a phone's real size behind one adb server. The phone runs in this process: all pay for its work.
 */
export async function adbFigures({ rounds = 30 }: { rounds?: number } = {}): Promise<readonly Figure[]> {
  const android = await startAndroid({ size: { width: 1080, height: 2400 } });
  const signal = new AbortController().signal;
  const bridge = await openAdbBridge({ target: android.target, env: android.server.env, signal });
  android.phone.open(android.phone.shop);
  try {
    return await figures(android, bridge, rounds);
  } finally {
    await bridge.close();
    await android.close();
  }
}

async function figures(android: Android, bridge: Bridge, rounds: number): Promise<readonly Figure[]> {
  const { signal } = new AbortController();
  const frame = await bridge.capture(signal);
  const shot = await spawned(android, "exec-out", "screencap", "-p");
  if (!shot.equals(Buffer.from(frame.png))) throw new Error("the two ways give different pictures");
  const connector = new AdbServerNodeTcpConnector({ host: "127.0.0.1", port: android.port });
  const adb = await new AdbServerClient(connector).createAdb({ serial: android.serial });
  const library = async (...words: readonly string[]): Promise<void> =>
    void (await adb.subprocess.shellProtocol!.spawnWait(words));
  const capture = async (): Promise<void> => void (await bridge.capture(signal));
  const tap = (): Promise<void> => bridge.tap(PLACE, frame, signal);
  const touch = ["input", "tap", String(PLACE.x), String(PLACE.y)];
  // first what starts nothing: by then the code of both is warm
  const measured = [
    await compare("adb: a screenshot", {
      rounds,
      target: OF_THE_LIBRARY,
      ours: capture,
      against: ["the bare library, asked the same", () => library("wm size; screencap -p")],
    }),
    await compare("adb: a tap", {
      rounds,
      target: OF_THE_LIBRARY,
      ours: tap,
      against: ["the bare library", () => library(...touch)],
    }),
    await compare("adb: a screenshot", {
      rounds,
      target: OF_A_PROCESS,
      ours: capture,
      against: ["a spawned adb", async () => void (await spawned(android, "exec-out", "screencap", "-p"))],
    }),
    await compare("adb: a tap", {
      rounds,
      target: OF_A_PROCESS,
      ours: tap,
      against: ["a spawned adb", async () => void (await spawned(android, "shell", touch.join(" ")))],
    }),
  ];
  await adb.close();
  return measured;
}

async function spawned(android: Android, ...args: readonly string[]): Promise<Buffer> {
  const { code, stdout, stderr } = await android.server.adb("-s", android.serial, ...args);
  if (code !== 0) throw new Error(`adb ${args[0]} ended with ${code}: ${stderr}`);
  return stdout;
}
