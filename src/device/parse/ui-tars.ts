import type { DeviceAction } from "../device-action.ts";
import type { WrittenCall } from "./call-text.ts";
import type { Dialect } from "./dialect.ts";
import { checkNames, durationIn, type Fields, first, needed, secondsIn } from "./fields.ts";
import { gaveUp } from "./gave-up.ts";
import { scrollTo } from "./gesture.ts";
import { calls } from "./grammar.ts";
import { PAWL } from "./pawl-dialect.ts";
import { Unreadable } from "./unreadable.ts";

type Place = Parameters<Dialect["mean"]>[1];

const FROM = ["start_box", "point", "start_point", "box"] as const;
const TO = ["end_box", "end_point"] as const;
const at = (name: string, args: Fields, place: Place) => place(needed(name, args, ...FROM));
const pressed = (action: string) => () => ({ action });
const drag = (args: Fields, place: Place) => ({
  action: "swipe",
  start: at("drag", args, place),
  end: place(needed("drag", args, ...TO)),
});

/** Each call of the mobile and the computer action space that means something on a touch screen. */
const MEANINGS: Readonly<Record<string, (args: Fields, place: Place) => unknown>> = {
  click: (args, place) => ({ action: "tap", coordinate: at("click", args, place) }),
  left_double: (args, place) => ({ action: "double_tap", coordinate: at("left_double", args, place) }),
  double_click: (args, place) => ({ action: "double_tap", coordinate: at("double_click", args, place) }),
  long_press: (args, place) => ({
    action: "long_press",
    coordinate: at("long_press", args, place),
    ...durationIn(first(args, "time")),
  }),
  drag,
  swipe: drag,
  scroll(args, place) {
    if (first(args, ...TO) !== undefined) return drag(args, place);
    const from = first(args, ...FROM);
    return { action: "swipe", ...scrollTo(args.direction, from === undefined ? null : place(from)) };
  },
  type: ({ content }) => ({ action: "type", text: content }),
  open_app: (args) => ({ action: "open", app: needed("open_app", args, "app_name", "package_name") }),
  press_home: pressed("home"),
  press_back: pressed("back"),
  press_enter: pressed("enter"),
  press_recent: pressed("recent"),
  hotkey: (args) => ({ action: keyOf(needed("hotkey", args, "key")) }),
  wait: (args) => ({ action: "wait", seconds: secondsIn(first(args, "time", "seconds")) ?? 5 }),
  call_user: (args) => ({ action: "ask_user", question: first(args, "content") ?? "The agent needs help here." }),
  clarify: (args) => ({ action: "ask_user", question: needed("clarify", args, "content") }),
  finished: (args) => gaveUp(first(args, "status"), first(args, "content")) ?? finish(first(args, "content")),
};
const finish = (reason: unknown) => ({ action: "FINISH", reason: reason ?? "" });

const KEYS: readonly string[] = ["back", "home", "enter"];
function keyOf(key: unknown): string {
  const name = String(key).trim().toLowerCase();
  if (KEYS.includes(name)) return name;
  throw new Unreadable(`a hotkey here is one of ${KEYS.join(", ")}, and not ${JSON.stringify(key)}`);
}

const NAMES: ReadonlySet<string> = new Set([
  ...FROM,
  ...TO,
  ..."direction time seconds content app_name package_name key status".split(" "),
]);

/**
 * What UI-TARS writes: `Thought: …`, then `Action: click(start_box='(x,y)')`, with boxes in any of its marks. Source:
 * bytedance/UI-TARS, prompts and action parser.
 */
export const UI_TARS: Dialect = {
  grammar: calls(Object.keys(MEANINGS)),
  mean(value, place) {
    const { name, args } = value as WrittenCall;
    if (!Object.hasOwn(MEANINGS, name)) throw new Unreadable(`there is no action ${name}(…)`);
    checkNames(args, NAMES);
    return MEANINGS[name]!(args, place);
  },
  write(action, place) {
    return written(action, ([x, y]) => `'(${place([x, y]).join(",")})'`) ?? PAWL.write(action, place);
  },
  frame: (thinking, text) => `Thought: ${thinking}\nAction: ${text}`,
};

/** null: it has no word for that */
function written(action: DeviceAction, box: (at: readonly [number, number]) => string): string | null {
  switch (action.action) {
    case "tap":
      return `click(start_box=${box(action.coordinate)})`;
    case "double_tap":
      return `left_double(start_box=${box(action.coordinate)})`;
    case "long_press":
      return `long_press(start_box=${box(action.coordinate)}, time='${action.duration / 1000}')`;
    case "swipe":
      return `drag(start_box=${box(action.start)}, end_box=${box(action.end)})`;
    case "type":
      return `type(content=${quoted(action.text)})`;
    case "open":
      return `open_app(app_name=${quoted(action.app)})`;
    case "wait":
      return `wait(time='${action.seconds}')`;
    case "ask_user":
      return `call_user(content=${quoted(action.question)})`;
    case "FINISH":
      return `finished(content=${quoted(action.reason)})`;
    case "mcp_call":
      return null;
    default:
      return `press_${action.action}()`;
  }
}

/** A text in single quotes, with the escapes that its models are told of. */
const quoted = (text: string): string =>
  `'${text.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}'`;
