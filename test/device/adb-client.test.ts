import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { type AdbServer, type Android, startAdbServer, startAndroid } from "../support/android/android.ts";
import { until } from "../support/host.ts";
import { needsAdb } from "../support/needs.ts";
import { scratch } from "../support/scratch.ts";

/** The simulated phone is checked by the client that all the world uses: what it believes, our own bridge may believe. */
const it = needsAdb();

describe("a simulated phone, seen by the real adb", () => {
  let server: AdbServer;
  let android: Android;
  const adb = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await server.adb("-s", android.serial, ...args);
    return { code, out: stdout.toString(), stderr };
  };
  const listed = async () => (await server.adb("devices", "-l")).stdout.toString();
  beforeAll(async () => {
    server = await startAdbServer();
    android = await startAndroid({ server });
  });
  afterAll(async () => {
    await android.close();
    await server.stop();
  });

  it("is listed with its model", async () => {
    expect(await listed()).toContain(`${android.serial}        device product:sim model:Sim_Phone device:sim`);
  });

  it("runs commands, tells both outputs apart, and gives the exit code", async () => {
    expect(await adb("shell", "echo said; nothing-like-this; exit 3")).toEqual({
      code: 3,
      out: "said\n",
      stderr: expect.stringContaining("nothing-like-this: inaccessible or not found"),
    });
    expect(await adb("shell", "true && echo 'two  words' \"$(getprop ro.product.model)\"")).toMatchObject({
      code: 0,
      out: "two  words Sim_Phone\n",
    });
    expect((await adb("shell", "input text 'no end")).stderr).toContain("no closing quote");
  });

  it("gives bytes as they are through exec-out", async () => {
    const { stdout } = await server.adb("-s", android.serial, "exec-out", "screencap", "-p");
    expect(stdout.equals(android.phone.png())).toBe(true);
  });

  it("takes and gives files, and says which it has not, or will not have", async () => {
    const folder = scratch();
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7) & 255));
    writeFileSync(join(folder, "a.bin"), bytes);
    expect(await adb("push", join(folder, "a.bin"), "/sdcard/in/a b.bin")).toMatchObject({ code: 0 });
    expect(android.phone.files.read("/sdcard/in/a b.bin")?.equals(bytes)).toBe(true);
    expect(await adb("pull", "/sdcard/in/a b.bin", join(folder, "b.bin"))).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "b.bin")).equals(bytes)).toBe(true);
    expect(await adb("pull", "/sdcard/none", folder)).toMatchObject({ code: 1 });
    expect(await adb("push", join(folder, "a.bin"), "/system/a")).toMatchObject({ code: 1 });
  });

  it("acts on what is tapped, typed and drawn", async () => {
    android.phone.open(android.phone.shop);
    await adb("shell", "input tap 100 60 && input text 'red%skettle' && input keyevent 66");
    expect(android.phone.shop.searches).toEqual(["red kettle"]);
    const dump = await adb("shell", "uiautomator dump /sdcard/w.xml && cat /sdcard/w.xml");
    expect(dump.out).toContain("UI hierchary dumped to: /sdcard/w.xml");
    expect(dump.out).toMatch(
      /<node [^>]*text="red kettle" resource-id="com.example.shop:id\/search"[^>]*focused="true"/,
    );
  });

  it("comes back after its connection was lost, and is offline while it says nothing", async () => {
    android.daemon.drop(50);
    await until(async () => (await listed()).includes("offline"), "offline");
    await until(async () => /\bdevice product/.test(await listed()), "back");
    android.daemon.mute(true);
    await until(async () => (await listed()).includes("offline"), "offline");
    expect(await adb("shell", "true")).toMatchObject({ code: 1, stderr: expect.stringContaining("device offline") });
    android.daemon.mute(false);
    await until(async () => /\bdevice product/.test(await listed()), "back");
  });

  it("lets nobody in whose key it does not know, until a person allows it; then for good", async () => {
    const strict = await startAndroid({ server, unauthorized: true });
    const state = async () => new RegExp(`${strict.serial}\\s+(\\w+)`).exec(await listed())?.[1];
    await until(async () => (await state()) === "unauthorized", "unauthorized");
    expect((await server.adb("-s", strict.serial, "shell", "true")).stderr).toContain("device unauthorized");
    strict.daemon.authorize();
    await until(async () => (await state()) === "device", "device");
    strict.daemon.drop(20);
    await until(async () => (await state()) === "offline", "offline");
    await until(async () => (await state()) === "device", "device");
    await strict.close();
  });

  it("speaks as phones before Android 7 do: one output, no exit code", async () => {
    const old = await startAndroid({ server, isOld: true });
    const { code, stdout } = await server.adb("-s", old.serial, "shell", "echo said; exit 3");
    expect({ code, said: stdout.toString() }).toEqual({ code: 0, said: "said\r\n" });
    await old.close();
  });
});
