import { readLenient } from "../../protocol/lenient-json.ts";
import type { DeviceAction } from "../device-action.ts";
import type { Dialect } from "./dialect.ts";
import { checkNames, durationIn, type Fields, fieldsOf, first, needed, plainName, secondsIn } from "./fields.ts";
import { gaveUp } from "./gave-up.ts";
import { swipeTo } from "./gesture.ts";
import { JSON_OBJECTS } from "./grammar.ts";
import { Unreadable } from "./unreadable.ts";

type Place = Parameters<Dialect["mean"]>[1];
const at = (args: Fields, place: Place) => place(needed(String(args.action), args, "coordinate"));
const open = (args: Fields) => ({ action: "open", app: needed("open", args, "text", "app_name", "app") });
const ask = (args: Fields) => ({ action: "ask_user", question: needed("ask_user", args, "text", "question") });
const finish = (reason: unknown) => ({ action: "FINISH", reason: reason ?? "" });

const MEANINGS: Readonly<Record<string, (args: Fields, place: Place) => unknown>> = {
  click: (args, place) => ({ action: "tap", coordinate: at(args, place) }),
  doubleclick: (args, place) => ({ action: "double_tap", coordinate: at(args, place) }),
  longpress: (args, place) => ({
    action: "long_press",
    coordinate: at(args, place),
    ...durationIn(first(args, "time")),
  }),
  swipe(args, place) {
    const from = first(args, "coordinate");
    const to = first(args, "coordinate2");
    if (to !== undefined) return { action: "swipe", start: at(args, place), end: place(to) };
    return { action: "swipe", ...swipeTo(args.direction, from === undefined ? null : place(from)) };
  },
  drag: (args, place) => ({
    action: "swipe",
    start: place(needed("drag", args, "start_coordinate")),
    end: place(needed("drag", args, "end_coordinate")),
  }),
  type: ({ text }) => ({ action: "type", text }),
  open,
  openapp: open,
  awake: open,
  systembutton: (args) => ({ action: buttonOf(needed("system_button", args, "button")) }),
  key: (args) => ({ action: buttonOf(needed("key", args, "text")) }),
  wait: (args) => ({ action: "wait", seconds: secondsIn(first(args, "time")) ?? 1 }),
  askuser: ask,
  interact: ask,
  info: ask,
  answer: (args) => finish(first(args, "text")),
  terminate: (args) => gaveUp(args.status ?? null, first(args, "text")) ?? finish(first(args, "text")),
};

/** Menu is what its models call the list of open apps. */
const BUTTONS: Readonly<Record<string, string>> = { back: "back", home: "home", menu: "recent", enter: "enter" };
function buttonOf(button: unknown): string {
  const name = plainName(button);
  if (Object.hasOwn(BUTTONS, name)) return BUTTONS[name]!;
  throw new Unreadable(`a button is one of ${Object.keys(BUTTONS).join(", ")}, and not ${JSON.stringify(button)}`);
}

const CALL: ReadonlySet<string> = new Set(["name", "arguments"]);
const NAMES: ReadonlySet<string> = new Set(
  "action coordinate coordinate2 start_coordinate end_coordinate direction time text question app app_name button status".split(
    " ",
  ),
);

/**
 * What MAI-UI and Qwen-VL write: `<tool_call>{"name": "mobile_use", "arguments": {"action": "click", …}}</tool_call>`; a
 * call of another name is one of a tool. Source: Tongyi-MAI/MAI-UI, prompts; QwenLM's mobile_use function.
 */
export const MOBILE_USE: Dialect = {
  grammar: JSON_OBJECTS,
  mean(value, place) {
    const call = fieldsOf(value, "a call");
    const { name } = call;
    if (name !== undefined) checkNames(call, CALL);
    if (name !== undefined && name !== "mobile_use") return toolCall(call);
    const args = name === undefined ? call : argumentsIn(call.arguments);
    checkNames(args, NAMES);
    const action = plainName(args.action);
    if (Object.hasOwn(MEANINGS, action)) return MEANINGS[action]!(args, place);
    throw new Unreadable(`there is no action ${JSON.stringify(args.action)}`);
  },
  write(action, place) {
    if (action.action === "mcp_call") return JSON.stringify({ name: action.tool, arguments: action.args });
    return JSON.stringify({ name: "mobile_use", arguments: written(action, place) });
  },
  frame: (thinking, text) => `<thinking>\n${thinking}\n</thinking>\n<tool_call>\n${text}\n</tool_call>`,
};

/** An object, or the text of one, as calls have it on the wire of chats. */
function argumentsIn(written: unknown): Fields {
  if (typeof written !== "string") return fieldsOf(written, "arguments");
  try {
    return fieldsOf(readLenient(written), "arguments");
  } catch (error) {
    throw new Unreadable(`arguments cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toolCall({ name, arguments: written }: Fields): unknown {
  const args = written === undefined ? {} : argumentsIn(written);
  if (Object.hasOwn(MEANINGS, plainName(name)))
    throw new Unreadable(`${JSON.stringify(name)} is an action of mobile_use, and no tool`);
  if (Object.hasOwn(MEANINGS, plainName(args.action)))
    throw new Unreadable(`${JSON.stringify(name)} is no tool, and its arguments are those of mobile_use`);
  return { action: "mcp_call", tool: name, args };
}

type Written = Exclude<DeviceAction, { readonly action: "mcp_call" }>;
function written(action: Written, place: Parameters<Dialect["write"]>[1]): unknown {
  switch (action.action) {
    case "tap":
      return { action: "click", coordinate: place(action.coordinate) };
    case "double_tap":
      return { action: "double_click", coordinate: place(action.coordinate) };
    case "long_press":
      return { action: "long_press", coordinate: place(action.coordinate), time: action.duration / 1000 };
    case "swipe":
      return { action: "swipe", coordinate: place(action.start), coordinate2: place(action.end) };
    case "type":
      return { action: "type", text: action.text };
    case "open":
      return { action: "open", text: action.app };
    case "wait":
      return { action: "wait", time: action.seconds };
    case "ask_user":
      return { action: "ask_user", text: action.question };
    case "FINISH":
      return { action: "answer", text: action.reason };
    default:
      return { action: "system_button", button: action.action === "recent" ? "Menu" : title(action.action) };
  }
}
const title = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
