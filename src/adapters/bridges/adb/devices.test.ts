import { describe, expect, it } from "vitest";
import { chooseSerial, readDevices } from "./devices.ts";
import { adbServerPlace } from "./server.ts";

/** lines as `adb devices -l` prints them; the states from public captures */
const LISTED = `emulator-5554          device product:sdk_gphone64 model:sdk_gphone64_x86_64 device:emu64xa transport_id:1
0123456789ABCDEF       unauthorized usb:1-2 transport_id:2
192.168.1.20:5555      offline product:a model:Pixel_7 device:b transport_id:3
R58M123                no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:1-1 transport_id:4
FA6A1                  recovery usb:1-4 transport_id:5
`;

describe("what adb lists", () => {
  it("is read with states of several words", () => {
    expect(readDevices(LISTED).map(({ serial, state, model }) => [serial, state.kind, model])).toEqual([
      ["emulator-5554", "ready", "sdk gphone64 x86 64"],
      ["0123456789ABCDEF", "unauthorized", null],
      ["192.168.1.20:5555", "offline", "Pixel 7"],
      ["R58M123", "unauthorized", null],
      ["FA6A1", "offline", null],
    ]);
    expect(readDevices("")).toEqual([]);
  });

  it("says of each device that is not ready what a person can do about just that", () => {
    const advice = readDevices(LISTED).flatMap(({ state }) => ("advice" in state ? [state.advice] : []));
    const parts = ["allow debugging", "adb reconnect offline", "udev rules", "is in recovery"];
    for (const [i, part] of parts.entries()) expect(advice[i]).toContain(part);
    expect(new Set(advice).size).toBe(4);
  });
});

describe("which device is meant", () => {
  const devices = readDevices(LISTED);
  const two = readDevices(LISTED.replace("unauthorized", "device"));
  const code = (call: () => unknown) => {
    try {
      return call();
    } catch (error) {
      const { code, message, next } = error as { code: string; message: string; next: string };
      return { code, message, next };
    }
  };

  it("is the one that is named, by the target or by ANDROID_SERIAL, or the only one that is ready", () => {
    expect(chooseSerial("adb:R58M123", devices, {})).toBe("R58M123");
    expect(chooseSerial("adb:192.168.1.20:5555", devices, { ANDROID_SERIAL: "x" })).toBe("192.168.1.20:5555");
    expect(chooseSerial("adb", two, { ANDROID_SERIAL: "x" })).toBe("x");
    expect(chooseSerial("adb", devices, {})).toBe("emulator-5554");
    expect(chooseSerial("adb:", devices, {})).toBe("emulator-5554");
  });

  it("is asked for where several are ready, or none, with those that are there", () => {
    expect(code(() => chooseSerial("adb", two, {}))).toEqual({
      code: "SCREEN_UNCHOSEN",
      message: expect.stringContaining("adb:emulator-5554 (sdk gphone64 x86 64), adb:0123456789ABCDEF (device)"),
      next: "name one: --on adb:emulator-5554",
    });
    expect(code(() => chooseSerial("adb", devices.slice(1, 2), {}))).toMatchObject({
      code: "SCREEN_UNCHOSEN",
      next: expect.stringContaining("allow debugging"),
    });
    expect(code(() => chooseSerial("adb", [], {}))).toMatchObject({ message: "no device is connected" });
  });
});

it("the server is where adb's own variables say", () => {
  expect(adbServerPlace({})).toEqual({ host: "127.0.0.1", port: 5037 });
  expect(adbServerPlace({ ANDROID_ADB_SERVER_PORT: "6000" })).toEqual({ host: "127.0.0.1", port: 6000 });
  expect(adbServerPlace({ ADB_SERVER_SOCKET: "tcp:far:7000", ANDROID_ADB_SERVER_PORT: "6000" })).toEqual({
    host: "far",
    port: 7000,
  });
  expect(adbServerPlace({ ADB_SERVER_SOCKET: "tcp:7001" })).toEqual({ host: "127.0.0.1", port: 7001 });
});
