import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import { listAdbDevices } from "../../src/adapters/bridges/adb/devices.ts";
import { startAndroid } from "../support/android/android.ts";
import { codeOf, phoneSuite } from "../support/android/phone-suite.ts";
import { until } from "../support/host.ts";
import { scratch, write } from "../support/scratch.ts";

phoneSuite("the adb server of an Android bridge", (world) => {
  it("is started where none runs, and again when it went away; the device is called back", async () => {
    const own = await startAndroid();
    const bridge = await openAdbBridge({ target: own.target, env: own.server.env, signal: world.signal });
    await own.server.kill();
    expect(await codeOf(bridge.back(world.signal))).toBe("SCREEN_GONE");
    expect(await bridge.reconnect(20_000, world.signal)).toEqual({ kind: "ready" });
    await bridge.back(world.signal);
    await own.server.kill();
    expect(
      await listAdbDevices(
        { host: "127.0.0.1", port: own.port },
        { signal: world.signal, withinMs: 5_000 },
        own.server.env,
      ),
    ).toEqual([]);
    await own.server.kill();
    await own.close();
  });

  it("without the program adb it is said what to install", async () => {
    const own = await startAndroid();
    await own.server.kill();
    const env = { ...own.server.env, PATH: "" };
    await expect(openAdbBridge({ target: "adb", env, signal: world.signal })).rejects.toMatchObject({
      code: "ADB_MISSING",
      next: expect.stringContaining("apt install adb"),
    });
    await own.close();
  });

  it("an adb that starts no server and does not end is not waited for longer than one may", async () => {
    const folder = scratch();
    write(folder, { adb: '#!/bin/sh\necho $$ > "$PIDFILE"\nexec sleep 60\n' });
    chmodSync(join(folder, "adb"), 0o755);
    const pidFile = join(folder, "pid");
    const env = { PATH: `${folder}:${process.env.PATH}`, PIDFILE: pidFile, ANDROID_ADB_SERVER_PORT: "1" };
    const stop = new AbortController();
    const opening = codeOf(openAdbBridge({ target: "adb", env, signal: stop.signal }));
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", "it runs");
    stop.abort();
    expect(await opening).toBe("CANCELLED");
    expect(await codeOf(openAdbBridge({ target: "adb", env, signal: world.signal, commandMs: 300 }))).toBe(
      "ADB_MISSING",
    );
    const isGone = (pid: number): boolean => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    await until(() => isGone(Number(readFileSync(pidFile, "utf8"))), "it was ended");
  });

  it("nothing stays open behind calls, not even behind those that were cut short", async () => {
    const bridge = await world.open({ commandMs: 200 });
    const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith("TCP")).length;
    const before = sockets();
    for (let i = 0; i < 20; i++) await world.bridge.back(world.signal);
    world.phone.faults.plan("input", { kind: "silent" }, 5);
    for (let i = 0; i < 5; i++) expect(await codeOf(bridge.back(world.signal))).toBe("SCREEN_UNSURE");
    await until(() => sockets() <= before, "no socket more than before");
  });
});
