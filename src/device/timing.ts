import type { DeviceAction } from "../ports/device-action.ts";
import type { DeviceSettings } from "./settings.ts";

/** So long a screen takes to come to rest after an action, in ms (DEV-3.1 to 3.4). A swipe has its own time behind it by then. */
const SETTLE_MS: Readonly<Partial<Record<DeviceAction["action"], number>>> = {
  tap: 500,
  double_tap: 500,
  long_press: 500,
  swipe: 500,
  type: 300,
  enter: 500,
  back: 800,
  home: 800,
  recent: 800,
  open: 800,
};

/** The wait between an action and the next picture: the longer of the action's settle time and `step_delay`. */
export const settleMs = ({ action }: DeviceAction, { stepDelayMs }: DeviceSettings): number =>
  Math.max(SETTLE_MS[action] ?? 0, stepDelayMs);

/** The wait before try number `tries` + 1 (`tries`: so many have failed, from 1), in ms. Source: DEV-5.1, 7.4; architecture 11.1. */
export const retryMs = (tries: number, { retryDelayMs }: DeviceSettings): number =>
  retryDelayMs ?? Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
const FIRST_MS = 500;
const LONGEST_MS = 8_000;
