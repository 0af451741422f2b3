import { invalidAction } from "../../device/device-action.ts";
import { actionIn, DIALECTS, type ReadAnswer, type Reading, readAnswer } from "../../device/parse/read-answer.ts";
import type { ModelAnswer, ModelCall, ToolSpec } from "../../ports/model.ts";
import { readLenient } from "../../protocol/lenient-json.ts";

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const number = { type: "number" };
const text = (description: string) => ({ type: "string", description });
const point = (description: string) => ({ type: "array", items: number, minItems: 2, maxItems: 2, description });
const THINKING = { thinking: text("what is on the screen, and why this is the next step; one or two sentences") };
const PLACE = { coordinate: point("[x, y]") };
const MARK = { mark: { type: "integer", description: "the number drawn on an element, instead of coordinate" } };

/** The actions as tools that a model calls: FINISH is `finish` there, as names of tools are small. */
export function actionTools({
  marks,
  tools,
}: {
  readonly marks: boolean;
  readonly tools: boolean;
}): readonly ToolSpec[] {
  const place = marks ? { ...PLACE, ...MARK } : PLACE;
  const required = marks ? [] : ["coordinate"];
  return [
    spec("tap", "Touches a place.", place, required),
    spec("double_tap", "Touches a place twice.", place, required),
    spec(
      "long_press",
      "Holds a finger on a place.",
      { ...place, duration: { type: "integer", description: "ms" } },
      required,
    ),
    spec(
      "swipe",
      "Moves a finger over the screen: up, to see what is further down.",
      { start: point("[x, y]"), end: point("[x, y]"), duration: { type: "integer", description: "ms" } },
      ["start", "end"],
    ),
    spec("type", "Types into the field that has the focus; tap it first.", { text: text("as it is to stand there") }, [
      "text",
    ]),
    spec("back", "Presses the back button."),
    spec("home", "Goes to the first screen."),
    spec("recent", "Shows the apps that are open."),
    spec("enter", "Presses enter."),
    spec("open", "Opens an app, or an address in a browser.", { app: text("its name, package or address") }, ["app"]),
    spec("wait", "Waits for the screen to change.", { seconds: { type: "number", description: "at most 30" } }, [
      "seconds",
    ]),
    spec("ask_user", "Asks the user what only the user can know.", { question: text("one question") }, ["question"]),
    ...(tools
      ? [
          spec(
            "mcp_call",
            "Calls one of the tools that are named.",
            { tool: text("its name"), args: { type: "object" } },
            ["tool"],
          ),
        ]
      : []),
    spec("finish", "The goal is reached, and the screen shows it.", { reason: text("what was done") }, ["reason"]),
  ];
}

const spec = (
  name: string,
  description: string,
  properties: Properties = {},
  required: readonly string[] = [],
): ToolSpec => ({
  name,
  description,
  input: { type: "object", properties: { ...THINKING, ...properties }, required },
});

/** The one action that a model called for; where it called nothing, the one that it wrote. */
export function readCalls(answer: ModelAnswer, reading: Reading): ReadAnswer {
  const [call] = answer.calls;
  if (call === undefined) return readAnswer(answer.text, reading);
  const values = answer.calls.map(argumentsOf);
  const given = JSON.stringify(answer.calls.map(({ name, args }) => ({ name, args })));
  const thinking = [answer.text.trim(), values[0]?.thinking]
    .filter((one) => typeof one === "string" && one !== "")
    .join("\n");
  if (new Set(values.map((value) => JSON.stringify({ ...value, thinking: "" }))).size > 1)
    return { thinking, action: invalidAction("there are two different actions in one answer; call one", given) };
  if (values[0] === null)
    return { thinking, action: invalidAction(`the arguments of ${call.name} are no JSON object`, given) };
  return { thinking, action: actionIn(values[0], { dialect: DIALECTS.pawl, seen: reading, given }) };
}

/** null: its arguments cannot be read */
function argumentsOf({ name, args }: ModelCall): Readonly<Record<string, unknown>> | null {
  const value = "json" in args ? args.json : lenient(args.text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return { ...value, action: name === "finish" ? "FINISH" : name };
}

function lenient(written: string): unknown {
  try {
    return readLenient(written);
  } catch {
    return null;
  }
}
