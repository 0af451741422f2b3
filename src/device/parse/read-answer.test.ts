import { describe, expect, test } from "vitest";
import type { AnswerDialect, CoordinateSpace } from "../../ports/model-spec.ts";
import { ACTIONS, isInvalid } from "../device-action.ts";
import { type Reading, readAnswer, writeAnswer } from "./read-answer.ts";
import { USUAL_SPACE } from "./space.ts";

const FRAME = { width: 1080, height: 2340 };
const reading = (dialect: AnswerDialect, space: CoordinateSpace = USUAL_SPACE[dialect] ?? "0-1000"): Reading => ({
  dialect,
  space,
  frame: FRAME,
});
const actionIn = (text: string, dialect: AnswerDialect = "pawl", space?: CoordinateSpace) =>
  readAnswer(text, reading(dialect, space)).action;

function refusal(text: string, dialect: AnswerDialect = "pawl", space?: CoordinateSpace): string {
  const action = actionIn(text, dialect, space);
  if (!isInvalid(action)) throw new Error(`it was read as ${JSON.stringify(action)}`);
  expect(action.allowed).toEqual(ACTIONS);
  expect(action.message).toContain(ACTIONS.join(", "));
  return action.message;
}

const TAP = '{"action": "tap", "coordinate": [0.5, 0.3]}';
const TAPPED = { action: "tap", coordinate: [0.5, 0.3] };
const fenced = (text: string, word = "json") => `\`\`\`${word}\n${text}\n\`\`\``;

describe("the specification's JSON", () => {
  test.each([
    ["alone", TAP],
    ["over several lines, with a comma too many", '{\n  "action": "tap",\n  "coordinate": [0.5, 0.3],\n}'],
    ["in a fence", fenced(TAP)],
    ["in a fence without a word", fenced(TAP, "")],
    ["behind thoughts", `<think>Maybe {"action": "FINISH"}? No.</think>\n${TAP}`],
    ["behind thoughts whose beginning a server swallowed", `I look around.\n</think>\n\n${TAP}`],
    ["behind words", `The search box is at the top. I tap it.\n\n${TAP}`],
    ["behind a sentence, in its line", `I tap the search box. ${TAP}`],
    ["behind words, in a fence", `The search box is at the top.\n${fenced(TAP)}`],
    ["behind Action:", `Thought: it is at the top\nAction: ${TAP}`],
    ["behind **Action:**", `**Thought:** it is at the top\n**Action:** ${TAP}`],
    ["between marks of tokens", `<|assistant|>${TAP}<|im_end|>`],
    ["in an answer tag", `<answer>${TAP}</answer>`],
    ["in a box", `<|begin_of_box|>${TAP}<|end_of_box|>`],
    ["said twice", `${TAP}\n${TAP}`],
    ["with names without quotes", "{action: 'tap', coordinate: [0.5, 0.3]}"],
    ["with a box instead of a point", '{"action": "tap", "coordinate": [0.4, 0.2, 0.6, 0.4]}'],
  ])("%s", (_, text) => {
    expect(actionIn(text)).toEqual({
      action: "tap",
      coordinate: [expect.closeTo(0.5, 9), expect.closeTo(0.3, 9)],
    });
  });

  test("what was thought is kept, from wherever it stands", () => {
    const thinking = (text: string) => readAnswer(text, reading("pawl")).thinking;
    expect(thinking(`<think>It is there.</think>\nI tap it.\n${TAP}`)).toBe("It is there.\nI tap it.");
    expect(thinking(`Thought: It is there.\nAction: ${TAP}`)).toBe("It is there.");
    expect(thinking(`{"thinking": "It is there.", ${TAP.slice(1)}`)).toBe("It is there.");
    expect(thinking(`The box is there.\n${fenced(TAP)}`)).toBe("The box is there.");
    expect(thinking(TAP)).toBe("");
  });

  test.each([
    [{ action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 }],
    [{ action: "long_press", coordinate: [0, 1], duration: 800 }],
    [{ action: "type", text: 'say "hi"\n{"action": "FINISH"} </think> ```' }],
    [{ action: "back" }],
    [{ action: "mcp_call", tool: "amap_search", args: { query: "coffee shop", near: { action: "tap" } } }],
    [{ action: "ask_user", question: "Which option do you prefer?" }],
    [{ action: "FINISH", reason: "Task completed successfully" }],
  ])("%j", (action) => {
    expect(actionIn(JSON.stringify(action))).toEqual(action);
  });
});

describe("never taken for an action, and never for FINISH", () => {
  test.each([
    ["nothing", "", /no action of the dialect pawl/],
    ["words", "I am done now, the task is finished.", /no action of the dialect pawl/],
    ["FINISH without JSON", "FINISH", /no action/],
    ["an action that there is not", '{"action": "fly"}', /there is no action "fly"/],
    ["finish in small letters", '{"action": "finish"}', /there is no action "finish"/],
    ["an object without an action", '{"coordinate": [0.5, 0.3]}', /there is no action/],
    ["an example in a sentence", `For example, ${TAP} would tap the box.`, /in the middle of words/],
    ["an example behind a colon", `I could, for example, say: ${TAP}`, /in the middle of words/],
    ["an example in its own line", `An example of an action:\n${TAP}`, /as an example/],
    ["an example in a fence", `This is the format:\n${fenced(TAP)}`, /as an example/],
    ["an example with a full stop", `This is only an example. ${TAP}`, /as an example/],
    ["what not to do", `Do not do this:\n${fenced(TAP)}`, /what not to do/],
    ["what will not be done", `I will not do this:\n${TAP}`, /what not to do/],
    ["words behind it", `${TAP}\nis what I would do, but I wait.`, /words stand behind/],
    ["words behind a fence", `${fenced(TAP)}\nIt is only an example.`, /words stand behind/],
    ["two actions", `${TAP}\n{"action": "back"}`, /two different actions/],
    ["two actions, one in words", `I could {"action": "back"} now.\n${TAP}`, /two different actions/],
    ["two fences", `${fenced(TAP)}\n${fenced('{"action": "back"}')}`, /two different actions/],
    ["a list of actions", `[${TAP}, {"action": "back"}]`, /two different actions/],
    ["a list of one", `[${TAP}]`, /in the middle of words/],
    ["an action that was cut", TAP.slice(0, -8), /cannot be read/],
    ["a text that was cut", '{"action": "type", "text": "hel', /cannot be read: a text is not closed/],
    ["an action whose beginning is lost", TAP.slice(9), /no action/],
    ["a thought that does not end", `<think>I should ${TAP}`, /does not end/],
    ["an action in thoughts alone", `<think>I should ${TAP}</think>`, /no action/],
    ["a name twice", '{"action": "back", "action": "FINISH"}', /there twice/],
    ["a call of another dialect", 'do(action="Tap", element=[500, 300])', /looks like the dialect autoglm/],
    ["an encoded one", JSON.stringify(TAP), /no action|in the middle/],
    ["no numbers", '{"action": "tap", "coordinate": ["a", 1]}', /no point and no box/],
    ["three numbers", '{"action": "tap", "coordinate": [0, 1, 1]}', /no point and no box/],
    ["200,000 characters", TAP + " ".repeat(200_000), /characters/],
    ["a thousand beginnings", '{"action": '.repeat(1000), /cannot be read/],
    ["null", "null", /no action/],
  ])("%s", (_, text, why) => {
    expect(refusal(text)).toMatch(why);
  });

  test("what begins an action again and again is given up soon", () => {
    const start = performance.now();
    for (const part of ['{"action": "', "do(action='", "{'action':[[", "x(", "</think>", "`````", "<|a|>", "Action:\n"])
      for (const dialect of ["pawl", "autoglm", "ui-tars", "mai-ui"] as const)
        refusal(part.repeat(Math.floor(99_000 / part.length)), dialect);
    for (const before of ["`".repeat(90_000), "\n".repeat(90_000), "~".repeat(90_000), " *".repeat(45_000)])
      expect(readAnswer(`${before} x\n${TAP}`, reading("pawl")).action).toEqual(TAPPED);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe("coordinates are in the space that is declared", () => {
  const at = (x: number, y: number, space: CoordinateSpace) =>
    actionIn(JSON.stringify({ action: "tap", coordinate: [x, y] }), "pawl", space);

  test("shares, thousandths, pixels, and pixels of a picture whose sides are multiples of 28", () => {
    expect(at(0.25, 0.75, "0-1")).toMatchObject({ coordinate: [0.25, 0.75] });
    expect(at(250, 750, "0-1000")).toMatchObject({ coordinate: [0.25, 0.75] });
    expect(at(270, 1755, "pixel")).toMatchObject({ coordinate: [0.25, 0.75] });
    // 1080 x 2340 is 1092 x 2352 there: 39 times 28, and 84 times
    expect(at(273, 1764, "pixel-28")).toMatchObject({ coordinate: [0.25, 0.75] });
    expect(at(1000, 0, "0-1000")).toMatchObject({ coordinate: [1, 0] });
  });

  test("bytedance/UI-TARS#157, #119, UI-TARS-desktop#634: the size of a number never decides what it counts", () => {
    expect(refusal('{"action": "tap", "coordinate": [500, 300]}')).toMatch(/500 lies outside: .* 0-1, .*0 to 1/);
    expect(refusal('{"action": "tap", "coordinate": [1001, 3]}', "pawl", "0-1000")).toMatch(/1001 lies outside/);
    expect(refusal('{"action": "tap", "coordinate": [5, 2341]}', "pawl", "pixel")).toMatch(/2341 lies outside/);
    expect(refusal('{"action": "tap", "coordinate": [0.5, 0.3]}', "pawl", "0-1000")).toMatch(/looks like shares/);
    expect(refusal('{"action": "tap", "coordinate": [-1, 3]}', "pawl", "pixel")).toMatch(/-1 lies outside/);
    // both could be read as pixels and as thousandths: what is declared counts
    expect(at(540, 585, "pixel")).toMatchObject({ coordinate: [0.5, 0.25] });
    expect(at(540, 585, "0-1000")).toMatchObject({ coordinate: [0.54, 0.585] });
  });

  test("a side that is halfway between two multiples of 28 goes to the even one, as in Python", () => {
    const frame = { width: 1022, height: 1522 };
    const { action } = readAnswer("click(start_box='(504,756)')", { dialect: "ui-tars", space: "pixel-28", frame });
    expect(action).toEqual({ action: "tap", coordinate: [0.5, 0.5] });
  });

  test("pixels of a picture whose size nobody knows are refused", () => {
    const { action } = readAnswer(TAP, { dialect: "pawl", space: "pixel", frame: null });
    expect(action).toMatchObject({ message: expect.stringMatching(/need the size of the picture/) });
  });
});

describe("AutoGLM", () => {
  test.each([
    ['<think>There.</think>\n<answer>do(action="Tap", element=[500,300])</answer>', TAPPED],
    ['do(action="Tap", element=[500, 300])', TAPPED],
    ['There it is, I tap it. do(action="Tap", element=[500,300])', TAPPED],
    ['\u70b9\u51fb\u641c\u7d22\u6846\u3002do(action="Tap", element=[500,300])\u3002', TAPPED],
    ['do(action="Tap", element=[500,300])</answer>', TAPPED],
    ['do(action="Double Tap", element=[500,300])', { ...TAPPED, action: "double_tap" }],
    ['do(action="Long Press", element=[500,300])', { ...TAPPED, action: "long_press", duration: 800 }],
    [
      'do(action="Swipe", start=[500,800], end=[500,200])',
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 },
    ],
    ['do(action="Type", text="red kettle")', { action: "type", text: "red kettle" }],
    ['do(action="Type", text="a \\"b\\" c\\n")', { action: "type", text: 'a "b" c\n' }],
    ['do(action="Type", text="she said "hi" to me")', { action: "type", text: 'she said "hi" to me' }],
    ['do(action="Type_Name", text="M\u00fcller")', { action: "type", text: "M\u00fcller" }],
    ['do(action="Launch", app="Settings")', { action: "open", app: "Settings" }],
    ['do(action="Wait", duration="3 seconds")', { action: "wait", seconds: 3 }],
    ['do(action="Wait")', { action: "wait", seconds: 1 }],
    ['do(action="Back")', { action: "back" }],
    ['do(action="Home")', { action: "home" }],
    ['do(action="Take_over", message="Please log in")', { action: "ask_user", question: "Please log in" }],
    ['finish(message="All done.")', { action: "FINISH", reason: "All done." }],
    ["finish()", { action: "FINISH", reason: "" }],
  ])("%s", (text, action) => {
    expect(actionIn(text, "autoglm")).toEqual(action);
  });

  test("zai-org/Open-AutoGLM#59, #60: boxes around words and around the action", () => {
    const words = "<|begin_of_box|>I can see the home screen with various icons...<|end_of_box|>";
    const answer = `${words}\n<|begin_of_box|>do(action="Launch", app="Settings")<|end_of_box|>`;
    expect(readAnswer(answer, reading("autoglm"))).toEqual({
      thinking: "I can see the home screen with various icons...",
      action: { action: "open", app: "Settings" },
    });
  });

  test.each([
    ["[{'Type': 'Type'}]", /no action of the dialect autoglm/],
    ['[{\'Type", text="coffee")', /no action of the dialect autoglm/],
    ['do(action="Note", message="True")', /there is no action do\(action="Note"\)/],
    ['do(action="Tap")', /no point and no box/],
    ['do(action="Tap", element=[500,300]', /cannot be read/],
    ['do(action="Tap", element=500)', /no point and no box/],
    ['do(action="Wait", duration="a while")', /no number of seconds/],
    ['do(action="Wait", duration="60 seconds")', /wait needs/],
    ['do(action="Tap", element=[500,300])\ndo(action="Back")', /two different actions/],
    ['for example do(action="Back")', /in the middle of words/],
    ["do(x)", /cannot be read: "=" is missing/],
    ['finish(message="All done', /a text is not closed/],
    ['finish("All done")', /the name of an argument is missing/],
    ["I will finish now.", /no action/],
    ["<answer>tap(x=1)</answer>", /there is no action tap/],
  ])("%s is refused", (text, why) => {
    expect(refusal(text, "autoglm")).toMatch(why);
  });
});

describe("UI-TARS", () => {
  const answer = (action: string) => `Thought: The box is there.\nAction: ${action}`;
  test.each([
    ["click(start_box='(500,300)')", TAPPED],
    ["click(start_box='<|box_start|>(500,300)<|box_end|>')", TAPPED],
    ["click(point='<point>500 300</point>')", TAPPED],
    ["click(start_box='[400, 200, 600, 400]')", TAPPED],
    ["click(start_box='<|box_start|>(400,200),(600,400)<|box_end|>')", TAPPED],
    ["click(start_box=(500, 300))", TAPPED],
    ["left_double(start_box='(500,300)')", { ...TAPPED, action: "double_tap" }],
    ["long_press(start_box='(500,300)', time='')", { ...TAPPED, action: "long_press", duration: 800 }],
    ["long_press(start_box='(500,300)', time='2')", { ...TAPPED, action: "long_press", duration: 2000 }],
    ["type(content='red kettle')", { action: "type", text: "red kettle" }],
    ["type(content='it\\'s \\\"red\\\"\\n')", { action: "type", text: 'it\'s "red"\n' }],
    ["type(content='it's red')", { action: "type", text: "it's red" }],
    [
      "scroll(start_box='(500,500)', direction='down')",
      { action: "swipe", start: [0.5, 0.5], end: [0.5, 0.1], duration: 300 },
    ],
    ["scroll(direction='up')", { action: "swipe", start: [0.5, 0.3], end: [0.5, 0.7], duration: 300 }],
    [
      "drag(start_box='(500,800)', end_box='(500,200)')",
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 },
    ],
    ["open_app(app_name='Shop')", { action: "open", app: "Shop" }],
    ["press_home()", { action: "home" }],
    ["press_back()", { action: "back" }],
    ["hotkey(key='enter')", { action: "enter" }],
    ["wait()", { action: "wait", seconds: 5 }],
    ["call_user()", { action: "ask_user", question: "The agent needs help here." }],
    ["finished(content='The kettle is in the basket.')", { action: "FINISH", reason: "The kettle is in the basket." }],
    ["finished()", { action: "FINISH", reason: "" }],
  ])("%s", (written, action) => {
    expect(readAnswer(answer(written), reading("ui-tars"))).toEqual({ thinking: "The box is there.", action });
    expect(actionIn(`Action: ${written}`, "ui-tars")).toEqual(action);
    expect(actionIn(written, "ui-tars")).toEqual(action);
  });

  test("web-infra-dev/midscene#843: a box of four numbers without commas", () => {
    expect(actionIn("Action: click(start_box='<bbox>191 21 191 21</bbox>')", "ui-tars")).toEqual({
      action: "tap",
      coordinate: [0.191, 0.021],
    });
    expect(refusal("Action: click(start_box='<bbox>191 21 191</bbox>')", "ui-tars")).toMatch(/no point and no box/);
    expect(refusal("Action: click(start_box='<bbox>191 21 191 21')", "ui-tars")).toMatch(/no point and no box/);
  });

  test("bytedance/UI-TARS#81: a letter where a number has to be", () => {
    expect(refusal("Action: click(start_box='(x1,y1)')", "ui-tars")).toMatch(/no point and no box/);
  });

  test("a call in the thought is none, but a second Action is", () => {
    const thought = "Thought: I could press_home() or click(start_box='(1,2)') now.";
    expect(actionIn(`${thought}\nAction: press_back()`, "ui-tars")).toEqual({ action: "back" });
    expect(refusal(`${thought}\nAction: press_back()\n\nAction: press_home()`, "ui-tars")).toMatch(/two different/);
    expect(refusal(thought, "ui-tars")).toMatch(/two different|in the middle of words/);
  });

  test.each([
    ["Action: fly(start_box='(1,2)')", /there is no action fly/],
    ["Action: click()", /click needs start_box/],
    ["Action: click(start_box='(600,400,500,300)')", /ends before it begins/],
    ["Action: scroll(direction='sideways')", /a direction is one of/],
    ["Action: hotkey(key='ctrl c')", /a hotkey here is one of/],
    ["Action: right_single(start_box='(1,2)')", /there is no action right_single/],
    ["Action: click(start_box='(500,300)', start_box='(1,2)')", /there twice/],
    ["Action: type(content='C:\\dir')", /is no escape/],
    ["Action: type(content='')", /type needs "text"/],
    ["Action: Tap the search box", /no action/],
  ])("%s is refused", (text, why) => {
    expect(refusal(text, "ui-tars")).toMatch(why);
  });

  test("an end that is no success is no FINISH: the user is asked", () => {
    expect(actionIn("Action: finished(content='no such app', status='failed')", "ui-tars")).toEqual({
      action: "ask_user",
      question: "The agent says that it cannot do this (no such app). What shall it do?",
    });
  });
});

describe("MAI-UI and Qwen-VL", () => {
  const call = (args: object, name = "mobile_use") => JSON.stringify({ name, arguments: args });
  const answer = (json: string) => `<thinking>\nThere.\n</thinking>\n<tool_call>\n${json}\n</tool_call>`;
  test.each([
    [{ action: "click", coordinate: [500, 300] }, TAPPED],
    [{ action: "click", coordinate: [400, 200, 600, 400] }, TAPPED],
    [
      { action: "double_click", coordinate: [500, 300] },
      { ...TAPPED, action: "double_tap" },
    ],
    [
      { action: "long_press", coordinate: [500, 300], time: 2 },
      { ...TAPPED, action: "long_press", duration: 2000 },
    ],
    [
      { action: "type", text: "tea" },
      { action: "type", text: "tea" },
    ],
    [
      { action: "swipe", coordinate: [500, 800], coordinate2: [500, 200] },
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 },
    ],
    [
      { action: "swipe", direction: "up" },
      { action: "swipe", start: [0.5, 0.7], end: [0.5, 0.3], duration: 300 },
    ],
    [
      { action: "swipe", direction: "left", coordinate: [500, 250] },
      { action: "swipe", start: [0.5, 0.25], end: [0.1, 0.25], duration: 300 },
    ],
    [
      { action: "drag", start_coordinate: [500, 800], end_coordinate: [500, 200] },
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 },
    ],
    [
      { action: "open", text: "Shop" },
      { action: "open", app: "Shop" },
    ],
    [{ action: "system_button", button: "Back" }, { action: "back" }],
    [{ action: "system_button", button: "menu" }, { action: "recent" }],
    [{ action: "system_button", button: "Enter" }, { action: "enter" }],
    [
      { action: "wait", time: 2 },
      { action: "wait", seconds: 2 },
    ],
    [{ action: "wait" }, { action: "wait", seconds: 1 }],
    [
      { action: "ask_user", text: "Which?" },
      { action: "ask_user", question: "Which?" },
    ],
    [
      { action: "answer", text: "Three items." },
      { action: "FINISH", reason: "Three items." },
    ],
    [
      { action: "terminate", status: "success" },
      { action: "FINISH", reason: "" },
    ],
  ])("%j", (args, action) => {
    for (const dialect of ["mai-ui", "qwen"] as const) {
      expect(readAnswer(answer(call(args)), reading(dialect))).toEqual({ thinking: "There.", action });
      expect(actionIn(call(args), dialect)).toEqual(action);
      expect(actionIn(JSON.stringify(args), dialect)).toEqual(action);
      expect(actionIn(`Thought: so.\nAction: Tap it.\n<tool_call>\n${call(args)}\n</tool_call>`, dialect)).toEqual(
        action,
      );
    }
  });

  test("a call of another name is one of a tool", () => {
    expect(actionIn(answer(call({ query: "tea" }, "amap_search")), "mai-ui")).toEqual({
      action: "mcp_call",
      tool: "amap_search",
      args: { query: "tea" },
    });
    expect(refusal(answer(call({ coordinate: [1, 2] }, "click")), "mai-ui")).toMatch(/an action of mobile_use/);
  });

  test("arguments may be the text of an object", () => {
    const json = JSON.stringify({ name: "mobile_use", arguments: '{"action": "click", "coordinate": [500, 300]}' });
    expect(actionIn(answer(json), "qwen")).toEqual(TAPPED);
    expect(refusal(answer('{"name": "mobile_use", "arguments": "{\\"action\\": "}'), "qwen")).toMatch(
      /arguments cannot be read/,
    );
    expect(refusal(answer('{"name": "find", "arguments": "tea"}'), "qwen")).toMatch(/arguments cannot be read/);
  });

  test.each([["fail"], ["failure"], [undefined]])(
    "terminate with status %s is no FINISH: the user is asked",
    (status) => {
      expect(actionIn(answer(call({ action: "terminate", status })), "qwen")).toMatchObject({ action: "ask_user" });
    },
  );

  test.each([
    [call({ action: "click" }), /click needs coordinate/],
    [call({ action: "system_button", button: "Power" }), /a button is one of/],
    [call({ action: "key", text: "volume_up" }), /a button is one of/],
    [call({ action: "toString" }), /there is no action "toString"/],
    [`${call({ action: "wait" })}\n${call({ action: "answer", text: "x" })}`, /two different actions/],
    ['{"name": "mobile_use"}', /arguments has to be an object/],
  ])("%s is refused", (json, why) => {
    expect(refusal(answer(json), "qwen")).toMatch(why);
  });
});

test("what a model did is written as it would have written it, and reads the same", () => {
  const actions = [
    { action: "tap", coordinate: [0.5, 0.25] },
    { action: "double_tap", coordinate: [0.5, 0.25] },
    { action: "long_press", coordinate: [0.5, 0.25], duration: 800 },
    { action: "swipe", start: [0.5, 0.75], end: [0.5, 0.25], duration: 300 },
    { action: "type", text: 'it\'s "so" \\ é\n' },
    ...(["back", "home", "recent", "enter"] as const).map((action) => ({ action })),
    { action: "open", app: "Shop" },
    { action: "wait", seconds: 2 },
    { action: "ask_user", question: "Which?" },
    { action: "FINISH", reason: "Done." },
  ] as const;
  for (const dialect of ["pawl", "autoglm", "ui-tars", "mai-ui", "qwen"] as const)
    for (const space of ["0-1", "0-1000", "pixel", "pixel-28"] as const)
      for (const action of actions) {
        const text = writeAnswer({ thinking: "So.", action }, reading(dialect, space));
        expect([dialect, space, readAnswer(text, reading(dialect, space))]).toEqual([
          dialect,
          space,
          { thinking: "So.", action },
        ]);
      }
});
