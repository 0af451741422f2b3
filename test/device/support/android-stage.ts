import { openAdbBridge } from "../../../src/adapters/bridges/adb/bridge.ts";
import type { Android } from "../../support/android/android.ts";
import { ADB_KEYBOARD } from "../../support/android/keyboards.ts";
import { BAR } from "../../support/android/phone.ts";
import type { OpenStage, Stage } from "./stage.ts";

/** The shop on a simulated phone, through the real adb server. */
export const androidStage =
  (android: Android): OpenStage =>
  async (): Promise<Stage> => {
    const { phone, daemon, target, server } = android;
    phone.keyboards.install(ADB_KEYBOARD);
    anew(phone);
    const env = { ...server.env };
    const bridge = await openAdbBridge({ target, env, signal: new AbortController().signal, treeMs: 2_000 });
    const { shop } = phone;
    return {
      bridge,
      places: PLACES,
      async reset() {
        anew(phone);
      },
      did: async () => ({
        taps: shop.pressed.taps,
        holds: shop.pressed.holds,
        doubles: 0,
        search: shop.search.text,
        note: shop.note.text,
        searches: shop.searches,
        first: shop.first(),
        page: shop.page(),
      }),
      async lose(how) {
        daemon.drop(how === "for good" ? undefined : 400);
      },
      async close() {
        daemon.back();
        await bridge.reconnect(10_000, new AbortController().signal);
        await bridge.close();
      },
    };
  };

/** The shop as it is at first; keyboards stay as the bridge left them. */
function anew(phone: Android["phone"]): void {
  const { keyboards } = phone;
  phone.reset();
  phone.keyboards = keyboards;
}

const at = (x: number, y: number) => [x / 360, y / 800] as const;
const PLACES: Stage["places"] = {
  search: at(130, 65),
  find: at(310, 65),
  firstRow: at(150, 150),
  nothing: at(180, 800 - BAR - 5),
  low: at(150, 700),
  high: at(150, 180),
  note: at(150, 190),
};
