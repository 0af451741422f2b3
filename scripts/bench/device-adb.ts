import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import { startAndroid } from "../../test/support/android/android.ts";
import { compare, type Figure } from "./figure.ts";

/** How much of the time of a spawned adb a call through the library may take. */
const TARGET = 0.333;

/**
 * A screenshot and a tap through the adb bridge against the same by a process of adb for each, in turns, on one simulated
 * phone of a phone's real size behind one adb server. The phone runs in this process, so both pay for its work.
 */
export async function adbFigures({ rounds = 30 }: { rounds?: number } = {}): Promise<readonly Figure[]> {
  const android = await startAndroid({ size: { width: 1080, height: 2400 } });
  const signal = new AbortController().signal;
  const bridge = await openAdbBridge({ target: android.target, env: android.server.env, signal });
  android.phone.open(android.phone.shop);
  const adb = async (...args: readonly string[]): Promise<Buffer> => {
    const { code, stdout, stderr } = await android.server.adb("-s", android.serial, ...args);
    if (code !== 0) throw new Error(`adb ${args[0]} ended with ${code}: ${stderr}`);
    return stdout;
  };
  try {
    const frame = await bridge.capture(signal);
    const shot = await adb("exec-out", "screencap", "-p");
    if (!shot.equals(Buffer.from(frame.png))) throw new Error("the two ways give different pictures");
    return [
      await compare("adb: a screenshot", {
        rounds,
        target: TARGET,
        ours: async () => void (await bridge.capture(signal)),
        against: ["a spawned adb", async () => void (await adb("exec-out", "screencap", "-p"))],
      }),
      await compare("adb: a tap", {
        rounds,
        target: TARGET,
        ours: () => bridge.tap({ x: 540, y: 2390 }, frame, signal),
        against: ["a spawned adb", async () => void (await adb("shell", "input tap 540 2390"))],
      }),
    ];
  } finally {
    await bridge.close();
    await android.close();
  }
}
