/** A place on the screen: shares of its width and height, each from 0 to 1. */
export type Coordinate = readonly [x: number, y: number];

/**
 * What an agent does to a screen, as it is on the wire, in trajectories and from models (device-executor.md,
 * architecture 11.7). Times are milliseconds, but for `wait`, whose name says so.
 */
export type DeviceAction =
  | { readonly action: "tap" | "double_tap"; readonly coordinate: Coordinate }
  | { readonly action: "long_press"; readonly coordinate: Coordinate; readonly duration: number }
  | { readonly action: "swipe"; readonly start: Coordinate; readonly end: Coordinate; readonly duration: number }
  | { readonly action: "type"; readonly text: string }
  | { readonly action: "back" | "home" | "recent" | "enter" }
  | { readonly action: "open"; readonly app: string }
  | { readonly action: "wait"; readonly seconds: number }
  | { readonly action: "ask_user"; readonly question: string }
  | { readonly action: "mcp_call"; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly action: "FINISH"; readonly reason: string };

export type ActionName = DeviceAction["action"];

/**
 * An answer that is no action: told to the agent, counted as a step, never taken for anything else. It is a value, as it
 * is to be expected of models; the name is the specification's (DEV-3.5).
 */
export interface ActionValidationError {
  readonly error: "ActionValidationError";
  /** what is wrong with it, and what would do */
  readonly message: string;
  /** the action types that there are */
  readonly allowed: readonly ActionName[];
  /** what was said, cut to 500 characters */
  readonly given: string;
}
