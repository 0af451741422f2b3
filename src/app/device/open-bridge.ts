import { PawlError } from "../../domain/errors.ts";
import type { Bridge } from "../../ports/bridge.ts";

export interface BridgeWanted {
  /** adb:SERIAL, adb, browser:URL, replay:FOLDER (absolute) */
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The bridge to a target; each kind is loaded when it is asked for. Throws TARGET_BAD, and what opening it throws. */
export async function openBridge({ target, env, signal }: BridgeWanted): Promise<Bridge> {
  const kind = /^([a-z]+)(:|$)/.exec(target)?.[1];
  switch (kind) {
    case "adb": {
      const { openAdbBridge } = await import("../../adapters/bridges/adb/bridge.ts");
      return openAdbBridge({ target, signal, env: env as NodeJS.ProcessEnv });
    }
    case "browser": {
      const { openBrowser } = await import("../../adapters/bridges/browser/open-browser.ts");
      return openBrowser({ target, env });
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
