import { PawlError } from "../../domain/errors.ts";
import type { Bridge } from "../../ports/bridge.ts";
import { lockPhone, type PhonePlace } from "./phone-lock.ts";

export interface BridgeWanted {
  /** adb:SERIAL, adb, browser:URL, replay:FOLDER (absolute) */
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** what is done there, for who wants the same phone meanwhile */
  readonly by: string;
}

/**
 * The bridge to a target; each kind is loaded when it is asked for. A phone is this run's own until the bridge is closed.
 * Throws TARGET_BAD, SCREEN_TAKEN, SCREEN_LOCK, and what opening it throws.
 */
export async function openBridge({ target, env, signal, by }: BridgeWanted): Promise<Bridge> {
  const kind = /^([a-z]+)(:|$)/.exec(target)?.[1];
  switch (kind) {
    case "adb": {
      const { openAdbBridge } = await import("../../adapters/bridges/adb/bridge.ts");
      const claim = (phone: PhonePlace) => lockPhone(phone, { by, env, signal });
      return openAdbBridge({ target, signal, env: env as NodeJS.ProcessEnv, claim });
    }
    case "browser": {
      const { openBrowser } = await import("../../adapters/bridges/browser/open-browser.ts");
      return openBrowser({ target, env, signal });
    }
    case "replay": {
      const { openReplay } = await import("../../adapters/bridges/replay/open-replay.ts");
      return openReplay(target);
    }
    default:
      throw new PawlError("TARGET_BAD", `"${target}" is no target`, {
        next: "write --on adb:SERIAL, --on browser:URL or --on replay:RUN; pawl device list shows what is here.",
      });
  }
}
