import type { DeviceAction } from "../device-action.ts";
import type { WrittenCall } from "./call-text.ts";
import type { Dialect } from "./dialect.ts";
import { checkNames, first, needed, plainName, secondsIn } from "./fields.ts";
import { calls } from "./grammar.ts";
import { PAWL } from "./pawl-dialect.ts";
import { Unreadable } from "./unreadable.ts";

/**
 * What AutoGLM's phone models write: `do(action="Tap", element=[x,y])` and `finish(message="…")`, in `<answer>` behind
 * `<think>`. Source: zai-org/Open-AutoGLM, prompts and action handler.
 */
export const AUTOGLM: Dialect = {
  grammar: calls(["do", "finish"]),
  mean(value, place) {
    const { name, args } = value as WrittenCall;
    if (name !== "do" && name !== "finish")
      throw new Unreadable(`there is no action ${name}(…), but do(…) and finish(…)`);
    checkNames(args, NAMES);
    if (name === "finish") return { action: "FINISH", reason: first(args, "message") ?? "" };
    switch (plainName(args.action)) {
      case "tap":
        return { action: "tap", coordinate: place(args.element) };
      case "doubletap":
        return { action: "double_tap", coordinate: place(args.element) };
      case "longpress":
        return { action: "long_press", coordinate: place(args.element) };
      case "swipe":
        return { action: "swipe", start: place(args.start), end: place(args.end) };
      case "type":
      case "typename":
        return { action: "type", text: args.text };
      case "launch":
        return { action: "open", app: args.app };
      case "wait":
        return { action: "wait", seconds: secondsIn(first(args, "duration")) ?? 1 };
      case "takeover":
      case "interact":
        return { action: "ask_user", question: first(args, "message") ?? "What shall be done here?" };
      case "back":
      case "home":
      case "recent":
      case "enter":
        return { action: plainName(args.action) };
      default:
        throw new Unreadable(`there is no action do(action=${JSON.stringify(needed("do", args, "action"))})`);
    }
  },
  write(action, place) {
    const [name, args] = written(action, place);
    if (name === null) return PAWL.write(action, place);
    if (name === "finish") return `finish(${args})`;
    return `do(action="${name}"${args === "" ? "" : `, ${args}`})`;
  },
  frame: (thinking, text) => `<think>${thinking}</think>\n<answer>${text}</answer>`,
};

const NAMES: ReadonlySet<string> = new Set("action element start end text app duration message".split(" "));

type Place = Parameters<Dialect["write"]>[1];

/** null: it has no word for that */
function written(action: DeviceAction, place: Place): readonly [string | null, string] {
  const text = JSON.stringify;
  switch (action.action) {
    case "tap":
      return ["Tap", `element=${text(place(action.coordinate))}`];
    case "double_tap":
      return ["Double Tap", `element=${text(place(action.coordinate))}`];
    case "long_press":
      return ["Long Press", `element=${text(place(action.coordinate))}`];
    case "swipe":
      return ["Swipe", `start=${text(place(action.start))}, end=${text(place(action.end))}`];
    case "type":
      return ["Type", `text=${text(action.text)}`];
    case "open":
      return ["Launch", `app=${text(action.app)}`];
    case "wait":
      return ["Wait", `duration="${action.seconds} seconds"`];
    case "ask_user":
      return ["Interact", `message=${text(action.question)}`];
    case "FINISH":
      return ["finish", `message=${text(action.reason)}`];
    case "mcp_call":
      return [null, ""];
    default:
      return [action.action[0]!.toUpperCase() + action.action.slice(1), ""];
  }
}
