import { openAdbBridge } from "../../src/adapters/bridges/adb/bridge.ts";
import { bridgeContract } from "../contracts/bridge.contract.ts";
import { startAndroid } from "../support/android/android.ts";
import { ADB_KEYBOARD } from "../support/android/keyboards.ts";
import { hasAdb, suiteNeeding } from "../support/needs.ts";

suiteNeeding({ program: "adb", debianPackage: "adb", works: hasAdb() }, "the adb bridge", () => {
  bridgeContract("adb, new system", () => stage(false));
  bridgeContract("adb, before shell v2", () => stage(true));
});

async function stage(isOld: boolean) {
  const android = await startAndroid({ isOld });
  const { phone, daemon } = android;
  const { shop } = phone;
  phone.keyboards.install(ADB_KEYBOARD);
  const bridge = await openAdbBridge({
    target: android.target,
    env: android.server.env,
    signal: new AbortController().signal,
  });
  return {
    bridge,
    at: (what: "button" | "field" | "row") =>
      ({ button: { x: 315, y: 65 }, field: { x: 100, y: 65 }, row: { x: 180, y: 500 } })[what],
    live: {
      reset: () => {
        shop.clear();
        phone.open(shop);
      },
      seen: () => ({
        taps: shop.pressed.taps,
        holds: shop.pressed.holds,
        text: shop.search.text,
        enters: shop.searches.length - shop.pressed.taps,
        scrolled: shop.first(),
        page: shop.page() === null ? ("first" as const) : ("second" as const),
      }),
      name: "shop",
      noName: "no.such.app",
    },
    link: { cut: () => daemon.drop(), mend: () => daemon.back() },
    close: android.close,
  };
}
