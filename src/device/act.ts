import { PawlError } from "../domain/errors.ts";
import type { Bridge, Frame } from "../ports/bridge.ts";
import type { DeviceAction } from "../ports/device-action.ts";
import { pixelOf } from "./pixels.ts";

/**
 * Does an action on a screen, its coordinates being those of `frame` (DEV-3). Throws what the bridge does, and SCREEN_UNABLE
 * where this kind of screen has no such thing.
 */
export async function act(
  action: DeviceAction,
  { bridge, frame, signal }: { readonly bridge: Bridge; readonly frame: Frame; readonly signal: AbortSignal },
): Promise<void> {
  switch (action.action) {
    case "tap":
      return bridge.tap(pixelOf(action.coordinate, frame), frame, signal);
    case "double_tap":
      return bridge.doubleTap(pixelOf(action.coordinate, frame), frame, signal);
    case "long_press":
      return bridge.longPress(pixelOf(action.coordinate, frame), action.duration, frame, signal);
    case "swipe":
      return bridge.swipe(pixelOf(action.start, frame), pixelOf(action.end, frame), action.duration, frame, signal);
    case "type":
      return bridge.type(action.text, signal);
    case "back":
      return bridge.back(signal);
    case "home":
      return bridge.home(signal);
    case "recent":
      return recent(bridge, signal);
    case "enter":
      return bridge.enter(signal);
    case "open":
      return bridge.open(action.app, signal);
    default:
      throw new RangeError(`${action.action} is nothing that is done to a screen`);
  }
}

async function recent(bridge: Bridge, signal: AbortSignal): Promise<void> {
  if (bridge.abilities.recent) return bridge.recent(signal);
  throw new PawlError("SCREEN_UNABLE", `${bridge.target} has no list of recent apps`, {
    next: "use home or open.",
  });
}
