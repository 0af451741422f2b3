import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import { listAdbDevices } from "../../src/adapters/bridges/adb/devices.ts";
import { startAndroid } from "../support/android/android.ts";
import { codeOf, phoneSuite } from "../support/android/phone-suite.ts";
import { until } from "../support/host.ts";

phoneSuite("the link to an Android device", (world) => {
  const place = () => ({ host: "127.0.0.1", port: world.android.port });
  const list = () => listAdbDevices(place(), { signal: world.signal, withinMs: 5_000 }, world.android.server.env);
  const BUTTON = { x: 315, y: 65 };

  describe("devices", () => {
    it("are listed with their state and model", async () => {
      expect(await list()).toEqual([
        { serial: world.android.serial, adbState: "device", state: { kind: "ready" }, model: "Sim Phone" },
      ]);
    });

    it("without a serial the only one is taken; with two, none is, and both are named", async () => {
      const alone = await world.open({ target: "adb" });
      expect(alone.target).toBe(world.android.target);
      const second = await startAndroid({ server: world.android.server });
      await expect(world.open({ target: "adb" })).rejects.toMatchObject({
        code: "SCREEN_UNCHOSEN",
        message: expect.stringMatching(
          new RegExp(`${world.android.serial}.*${second.serial}|${second.serial}.*${world.android.serial}`),
        ),
      });
      await second.close();
    });

    it("one that is not there is gone, and how it could come is said", async () => {
      await expect(world.open({ target: "adb:R58M123" })).rejects.toMatchObject({
        code: "SCREEN_GONE",
        next: expect.stringContaining("plug R58M123 in"),
      });
    });

    it("one in the network that the server does not know yet is connected", async () => {
      await world.android.server.adb("disconnect", world.android.serial);
      const bridge = await world.open();
      expect(await bridge.state(world.signal)).toEqual({ kind: "ready" });
    });

    it("unauthorized and offline are told apart; waiting ends when somebody allows it", async () => {
      const strict = await startAndroid({ server: world.android.server, unauthorized: true });
      const open = () => openAdbBridge({ target: strict.target, env: world.android.server.env, signal: world.signal });
      await until(async () => (await list()).some(({ adbState }) => adbState === "unauthorized"), "unauthorized");
      await expect(open()).rejects.toMatchObject({
        code: "SCREEN_GONE",
        message: expect.stringContaining("unauthorized"),
        next: expect.stringContaining("allow debugging"),
      });
      strict.daemon.authorize();
      await until(async () => (await list()).every(({ adbState }) => adbState === "device"), "allowed");
      const bridge = await open();
      strict.daemon.forbid();
      await until(async () => (await bridge.state(world.signal)).kind === "unauthorized", "unauthorized again");
      expect(await codeOf(bridge.back(world.signal))).toBe("SCREEN_GONE");
      const back = bridge.reconnect(20_000, world.signal);
      setTimeout(() => strict.daemon.authorize(), 50);
      expect(await back).toEqual({ kind: "ready" });
      strict.daemon.mute(true);
      await until(async () => (await bridge.state(world.signal)).kind === "offline", "offline");
      expect(await bridge.reconnect(100, world.signal)).toMatchObject({
        kind: "offline",
        advice: expect.stringContaining("adb reconnect offline"),
      });
      await strict.close();
      await until(async () => (await bridge.state(world.signal)).kind === "gone", "gone");
    });
  });

  describe("actions whose end is not known", () => {
    it("one that lands but is never answered is unsure after its time, and was done once", async () => {
      const bridge = await world.open({ commandMs: 500 });
      const frame = await world.bridge.capture(world.signal);
      world.phone.faults.plan("input", { kind: "silent" });
      await expect(bridge.tap(BUTTON, frame, world.signal)).rejects.toMatchObject({
        code: "SCREEN_UNSURE",
        message: expect.stringContaining("no answer within 0.5 s"),
      });
      expect(world.phone.shop.pressed.taps).toBe(1);
      expect(await codeOf(world.bridge.back(world.signal))).toBe("none");
    });

    it("one whose connection is lost with it is unsure, and was done once", async () => {
      const frame = await world.bridge.capture(world.signal);
      world.phone.faults.plan("input", { kind: "cut", ms: 100 });
      expect(await codeOf(world.bridge.tap(BUTTON, frame, world.signal))).toBe("SCREEN_UNSURE");
      expect(await world.bridge.reconnect(20_000, world.signal)).toEqual({ kind: "ready" });
      expect(world.phone.shop.pressed.taps).toBe(1);
    });

    it("a link that broke and was not told so is unsure, and is made anew", async () => {
      const bridge = await world.open({ commandMs: 500 });
      world.android.daemon.freeze();
      expect(await codeOf(bridge.home(world.signal))).toBe("SCREEN_UNSURE");
      expect(await bridge.reconnect(20_000, world.signal)).toEqual({ kind: "ready" });
      await world.bridge.home(world.signal);
    });

    it("a server that breaks off in the middle of a command is known at once", async () => {
      const proxy = await resettingProxy(world.android.port);
      const env = { ...world.android.server.env, ANDROID_ADB_SERVER_PORT: String(proxy.port) };
      const bridge = await openAdbBridge({ target: world.android.target, env, signal: world.signal });
      world.phone.faults.plan("input", { kind: "silent" });
      const back = codeOf(bridge.back(world.signal));
      await until(() => world.phone.deeds.length > 0, "the key was pressed");
      const start = performance.now();
      proxy.reset();
      expect(await back).toBe("SCREEN_UNSURE");
      expect(performance.now() - start).toBeLessThan(5_000);
      await proxy.close();
    });

    it.each([
      ["an exit code", 1, "Error: Injecting input failed", "SCREEN_REFUSED"],
      ["no exit code, but words", 0, "Error: Invalid arguments", "SCREEN_REFUSED"],
      [
        "a system that wants to be asked first",
        255,
        "java.lang.SecurityException: Injecting requires INJECT_EVENTS",
        "SCREEN_REFUSED",
      ],
      ["a kill", 137, "Killed", "SCREEN_UNSURE"],
    ])("one that ends with %s", async (_, code, said, expected) => {
      const frame = await world.bridge.capture(world.signal);
      world.phone.faults.plan("input", { kind: "refused", code, said });
      const ended = world.bridge.tap(BUTTON, frame, world.signal);
      await expect(ended).rejects.toMatchObject({ code: expected });
      if (said.includes("Security"))
        await expect(ended).rejects.toMatchObject({ next: expect.stringContaining("security settings") });
      expect(world.phone.shop.pressed.taps).toBe(0);
    });

    it("a picture that is not answered fails as one; a slow device is waited for", async () => {
      const bridge = await world.open({ commandMs: 400 });
      world.phone.faults.plan("screencap", { kind: "silent" });
      await expect(bridge.capture(world.signal)).rejects.toMatchObject({ code: "CAPTURE_FAILED" });
      world.phone.faults.latencyMs = 60;
      expect((await world.bridge.capture(world.signal)).width).toBe(360);
    });

    it("what was typed is in no message", async () => {
      await world.bridge.tap({ x: 100, y: 65 }, await world.bridge.capture(world.signal), world.signal);
      world.phone.faults.plan("input", { kind: "refused", code: 1, said: "Error: no" });
      const error = await world.bridge.type("secret", world.signal).catch((thrown: Error) => thrown);
      expect(JSON.stringify({ ...(error as Error), message: (error as Error).message })).not.toContain("secret");
    });
  });

  describe("apps", () => {
    it("are opened by package, component or last word; with several meant, or none, those that are there are named", async () => {
      for (const app of [
        "com.android.settings",
        "com.android.settings/.Settings$HomeActivity",
        "Settings",
        "sett ings",
      ]) {
        world.phone.reset();
        await world.bridge.open(app, world.signal);
        expect(world.phone.front.package).toBe("com.android.settings");
      }
      await expect(world.bridge.open("chess", world.signal)).rejects.toMatchObject({
        code: "SCREEN_REFUSED",
        message: expect.stringContaining("com.example.shop, com.android.settings, com.example.bank"),
      });
      expect(await codeOf(world.bridge.open("no.such/.Thing", world.signal))).toBe("SCREEN_REFUSED");
      expect(await codeOf(world.bridge.open("shop'; input tap 1 1; '", world.signal))).toBe("SCREEN_REFUSED");
      expect(world.phone.deeds.filter(({ kind }) => kind === "tap")).toEqual([]);
    });
  });
});

/** A way to a server whose connections can be reset, so that neither end hears of an end. */
async function resettingProxy(port: number) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    open.add(near);
    near.on("error", () => {}).on("close", () => far.destroy());
    far.on("error", () => {}).on("close", () => near.end());
    near.pipe(far, { end: false });
    far.pipe(near, { end: false });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    reset: () => {
      for (const socket of open) socket.resetAndDestroy();
    },
    close: async () => {
      server.close();
      await once(server, "close");
    },
  };
}
