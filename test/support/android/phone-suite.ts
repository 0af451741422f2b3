import { afterAll, beforeAll, beforeEach } from "vitest";
import { openAdbBridge } from "../../../src/adapters/bridges/adb/bridge.ts";
import type { Bridge } from "../../../src/ports/bridge.ts";
import { hasAdb, suiteNeeding } from "../needs.ts";
import { type Android, startAndroid } from "./android.ts";
import type { Phone } from "./phone.ts";

export interface PhoneWorld {
  readonly android: Android;
  readonly phone: Phone;
  /** open on the shop's first page; one for all tests of the suite, unless a test opens its own */
  readonly bridge: Bridge;
  readonly signal: AbortSignal;
  open(options?: { target?: string; commandMs?: number; treeMs?: number }): Promise<Bridge>;
}

/** A suite over one simulated phone and one adb server; before each test the phone is as it was at first. */
export function phoneSuite(title: string, suite: (world: PhoneWorld) => void): void {
  suiteNeeding({ program: "adb", debianPackage: "adb", works: hasAdb() }, title, () => {
    const world = { signal: new AbortController().signal } as { -readonly [Key in keyof PhoneWorld]: PhoneWorld[Key] };
    beforeAll(async () => {
      world.android = await startAndroid();
      world.phone = world.android.phone;
      world.open = (options) =>
        openAdbBridge({
          target: world.android.target,
          env: world.android.server.env,
          signal: world.signal,
          ...options,
        });
      world.bridge = await world.open();
    });
    beforeEach(() => world.phone.reset());
    afterAll(async () => {
      await world.bridge?.close();
      await world.android?.close();
    });
    suite(world);
  });
}

/** The error's code; "none" where there was none. */
export const codeOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => "none",
    (error: { code?: string }) => error.code,
  );
