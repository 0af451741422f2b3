import { z } from "zod";
import type { ActionName, ActionValidationError, DeviceAction } from "../ports/device-action.ts";

export type { ActionName, ActionValidationError, Coordinate, DeviceAction } from "../ports/device-action.ts";

/** The action types that there are, in the order in which people are told of them. */
export const ACTIONS: readonly ActionName[] = [
  "tap",
  "double_tap",
  "long_press",
  "swipe",
  "type",
  "back",
  "home",
  "recent",
  "enter",
  "open",
  "wait",
  "ask_user",
  "mcp_call",
  "FINISH",
];

const share = z.number().min(0).max(1);
const coordinate = z.tuple([share, share]).readonly();
const milliseconds = z.number().int().min(1).max(60_000);
const words = z.string().min(1).max(10_000);

/** Keys beside an action's own are ignored; what is left out has the defaults of architecture 11.7. */
const FORMS: Readonly<Record<ActionName, z.ZodType<Record<string, unknown>>>> = {
  tap: z.object({ coordinate }),
  double_tap: z.object({ coordinate }),
  long_press: z.object({ coordinate, duration: milliseconds.default(800) }),
  swipe: z.object({ start: coordinate, end: coordinate, duration: milliseconds.default(300) }),
  type: z.object({ text: words }),
  back: z.object({}),
  home: z.object({}),
  recent: z.object({}),
  enter: z.object({}),
  open: z.object({ app: words }),
  wait: z.object({ seconds: z.number().positive().max(30) }),
  ask_user: z.object({ question: words }),
  mcp_call: z.object({ tool: words, args: z.record(z.string(), z.unknown()).default({}) }),
  FINISH: z.object({ reason: z.string().max(10_000).default("") }),
};

/** What each action needs, in the words of a message. */
const NEEDS: Readonly<Record<ActionName, string>> = {
  tap: '"coordinate": [x, y], each from 0 to 1',
  double_tap: '"coordinate": [x, y], each from 0 to 1',
  long_press: '"coordinate": [x, y], each from 0 to 1, and maybe "duration" in whole ms up to 60000',
  swipe: '"start" and "end": [x, y], each from 0 to 1, and maybe "duration" in whole ms up to 60000',
  type: '"text", not empty',
  back: "nothing more",
  home: "nothing more",
  recent: "nothing more",
  enter: "nothing more",
  open: '"app", a name, package or address',
  wait: '"seconds", above 0 and up to 30',
  ask_user: '"question", not empty',
  mcp_call: '"tool", a name, and maybe "args", an object',
  FINISH: 'maybe "reason", a text',
};

/**
 * The action that this JSON value is, with its defaults filled in, or why it is none. Total: any value at all may be
 * given. Source: DEV-3.5; architecture 11.3, 11.7.
 */
export function actionOf(value: unknown): DeviceAction | ActionValidationError {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return invalidAction("an action is an object", value);
  const name = (value as { action?: unknown }).action;
  if (!isActionName(name)) return invalidAction(`there is no action ${shown(name)}`, value);
  const read = FORMS[name].safeParse(value);
  if (read.success) return { action: name, ...read.data } as unknown as DeviceAction;
  const [issue] = read.error.issues;
  const where = issue!.path.length > 0 ? `${issue!.path.join(".")}: ${issue!.message}` : issue!.message;
  return invalidAction(`${name} needs ${NEEDS[name]} (${where})`, value);
}

/** An ActionValidationError that says `why`, and which actions there are. `given`: a text, or any JSON value. */
export function invalidAction(why: string, given: unknown): ActionValidationError {
  return {
    error: "ActionValidationError",
    message: `${why}; the allowed actions are ${ACTIONS.join(", ")}`,
    allowed: ACTIONS,
    given: (typeof given === "string" ? given : shown(given)).slice(0, 500),
  };
}

export const isInvalid = (said: DeviceAction | ActionValidationError): said is ActionValidationError => "error" in said;

const isActionName = (name: unknown): name is ActionName => ACTIONS.includes(name as ActionName);

function shown(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? "undefined").slice(0, 500);
  } catch {
    return String(value).slice(0, 500);
  }
}
