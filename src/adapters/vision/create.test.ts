import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Answer, Asked, Script } from "../../../test/support/model-server/script.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { pushedClock } from "../../../test/support/pushed-clock.ts";
import { invalidAction } from "../../device/device-action.ts";
import type { Eyes, ModelSpec } from "../../ports/model-spec.ts";
import type { Observation } from "../../ports/vision-agent.ts";
import { createModel } from "../models/create.ts";
import { createVisionAgent, promptName } from "./create.ts";
import type { VisionAgentParts } from "./look.ts";

const WIRES: readonly (Pick<ModelSpec, "provider" | "model" | "api"> & { readonly path: string })[] = [
  { provider: "anthropic", model: "claude-sonnet-4-5", api: null, path: "/v1" },
  { provider: "openai", model: "gpt-4.1", api: "responses", path: "/v1" },
  { provider: "openai", model: "gpt-4.1", api: "chat", path: "/v1" },
  { provider: "google", model: "gemini-3-pro-preview", api: null, path: "/v1beta" },
  { provider: "openai-compatible", model: "qwen3-vl", api: null, path: "/v1" },
];
const COMPATIBLE = WIRES.at(-1)!;
const never = new AbortController().signal;

function png(width: number, height: number): Uint8Array {
  return PNG.sync.write(new PNG({ width, height }));
}
const PICTURE = png(108, 234);
const observation = (over: Partial<Observation> = {}): Observation => ({
  goal: "search for a red kettle",
  screenshot: { png: PICTURE, width: 108, height: 234, takenAt: 0, isBlack: false },
  notes: [],
  history: [],
  ...over,
});

interface Made extends Partial<Pick<VisionAgentParts, "tools" | "drawMarks">> {
  readonly wire?: (typeof WIRES)[number];
  readonly eyes?: Eyes;
  readonly hasTools?: boolean;
}

/** An agent whose model says what the script says, and what it was asked. */
async function agentOf(script: Script, { wire = COMPATIBLE, eyes, hasTools = true, ...parts }: Made = {}) {
  const asked: Asked[] = [];
  const server = await startModelServer(
    async (request) => {
      asked.push(request);
      return typeof script === "function" ? script(request) : script[asked.length - 1]!;
    },
    { keys: null },
  );
  onTestFinished(() => server.close());
  const { path, ...of } = wire;
  const spec: ModelSpec = {
    ...{ name: "eyes", baseUrl: server.url + path, keyEnv: "TEST_KEY", context: null, maxOutput: null },
    ...{
      temperature: null,
      price: { input: 1, cached: 1, written: 1, output: 1 },
      tools: hasTools,
      stream: true,
      ...of,
    },
  };
  const model = createModel(spec, { clock: pushedClock(), env: { TEST_KEY: "k" }, bounds: { attempts: 1 } });
  const seeing: Eyes = eyes ?? { dialect: null, coordinates: "0-1" };
  const prompt = readFileSync(`prompts/device/${promptName(seeing, model)}.md`, "utf8");
  return { agent: createVisionAgent({ model, eyes: seeing, prompt, tools: [], drawMarks: null, ...parts }), asked };
}

/** What the agent makes of one answer, and what it was asked for it. */
async function predicted(answer: Answer, made: Made = {}, seen = observation()) {
  const { agent, asked } = await agentOf([answer], made);
  const prediction = await agent.predict(seen, never);
  return { prediction, asked: asked[0]! };
}

const lastUser = (asked: Asked) => asked.turns.findLast((turn) => turn.role === "user")!;

describe("a model that calls tools", () => {
  for (const wire of WIRES)
    test(`is shown the picture and told of the actions, and its call is one: ${wire.provider} ${wire.api ?? ""}`, async () => {
      const calls = [{ name: "tap", args: { coordinate: [0.5, 0.25], thinking: "There it is." } }];
      const { prediction, asked } = await predicted({ text: "I look.", calls }, { wire });
      expect(prediction).toMatchObject({
        thinking: "I look.\nThere it is.",
        action: { action: "tap", coordinate: [0.5, 0.25] },
        usage: { input: expect.any(Number) },
        microUsd: expect.any(Number),
      });
      expect(asked.choice).toBe("any");
      expect(asked.system).toMatch(/a share from 0 to 1/);
      expect(asked.system).not.toMatch(/\{\{/);
      expect(asked.tools.map(({ name }) => name)).toEqual(
        "tap double_tap long_press swipe type back home recent enter open wait ask_user finish".split(" "),
      );
      const turn = lastUser(asked);
      expect(turn.text).toMatch(/^Goal: search for a red kettle\n\nSteps so far: none\n/);
      const [picture] = turn.role === "user" ? (turn.pictures ?? []) : [];
      expect(picture).toMatchObject({ width: 108, height: 234 });
      expect(Buffer.from(picture!.bytes).equals(Buffer.from(PICTURE))).toBe(true);
    });

  const read = async (answer: Answer, made: Made = {}) => (await predicted(answer, made)).prediction.action;

  test.each([
    ["back", {}, { action: "back" }],
    ["finish", { reason: "found" }, { action: "FINISH", reason: "found" }],
    ["type", { text: "red kettle" }, { action: "type", text: "red kettle" }],
    [
      "swipe",
      { start: [0.5, 0.8], end: [0.5, 0.2] },
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 },
    ],
    ["mcp_call", { tool: "find", args: { q: 1 } }, { action: "mcp_call", tool: "find", args: { q: 1 } }],
  ])("%s %j", async (name, args, action) => {
    expect(await read({ calls: [{ name, args }] })).toEqual(action);
  });

  test("thousandths are read as such where they are declared", async () => {
    const eyes: Eyes = { dialect: null, coordinates: "0-1000" };
    const { prediction, asked } = await predicted(
      { calls: [{ name: "tap", args: { coordinate: [500, 250] } }] },
      { eyes },
    );
    expect(prediction.action).toEqual({ action: "tap", coordinate: [0.5, 0.25] });
    expect(asked.system).toMatch(/from 0 to 1000/);
  });

  test.each<[string, Answer, RegExp]>([
    ["two different calls", { calls: [{ name: "back" }, { name: "home" }] }, /two different actions/],
    ["a call that there is not", { calls: [{ name: "fly", args: {} }] }, /there is no action "fly"/],
    ["FINISH in words", { text: "I am done, the task is finished." }, /no action/],
    ["arguments that are no JSON", { calls: [{ name: "tap", rawArgs: '{"coordinate": [0.5,' }] }, /no JSON object/],
    ["a list as arguments", { calls: [{ name: "tap", rawArgs: "[0.5, 0.5]" }] }, /no JSON object/],
    ["a place outside", { calls: [{ name: "tap", args: { coordinate: [500, 250] } }] }, /500 lies outside/],
    ["a field with a letter too many", { calls: [{ name: "mcp_call", args: { tool: "x", argss: {} } }] }, /no field/],
    ["an answer cut at its limit", { calls: [{ name: "finish", args: {} }], stop: "length" }, /cut at its limit/],
    ["a filter of the provider", { text: "", stop: "refused" }, /filter/],
  ])("%s is no action", async (_, answer, why) => {
    const action = await read(answer);
    expect(action).toMatchObject({ error: "ActionValidationError", message: expect.stringMatching(why) });
    expect(action).toMatchObject({ message: expect.stringMatching(/allowed actions are tap, .*FINISH$/) });
  });

  test("the same call twice is one, and one that it only writes is read too", async () => {
    expect(await read({ calls: [{ name: "back" }, { name: "back" }] })).toEqual({ action: "back" });
    expect(await read({ text: 'I go back.\n{"action": "back"}' })).toEqual({ action: "back" });
  });

  test("is told what came of its steps, of its question, of its tool, and of the screen", async () => {
    const seen = observation({
      stepCount: 3,
      maxSteps: 50,
      userResponse: { question: "Which?", answer: "the cheaper one", timedOut: false },
      toolResult: { tool: "find", ok: false, error: "no such tool" },
      notes: ["The picture is all black."],
      history: [
        { thinking: "", action: { action: "tap", coordinate: [0.5, 0.25] }, ok: true, note: "" },
        { thinking: "", action: { action: "back" }, ok: false, note: "the device is gone" },
        { thinking: "", action: invalidAction("no action", "hm"), ok: false, note: "" },
      ],
    });
    const { asked } = await predicted({ calls: [{ name: "back" }] }, {}, seen);
    const { text } = lastUser(asked) as { text: string };
    for (const part of [
      '1. {"action":"tap","coordinate":[0.5,0.25]}: done\n',
      '2. {"action":"back"}: failed (the device is gone)\n',
      '3. "hm": refused: no action; the allowed actions are tap,',
      "3 of at most 50 steps are done.",
      "You asked: Which?\nThe user says: the cheaper one",
      "find failed: no such tool",
      "The picture is all black.",
    ])
      expect(text).toContain(part);
  });

  test("without an answer of the user it is told so", async () => {
    const userResponse = { question: "Which?", answer: null, timedOut: true };
    const { asked } = await predicted({ calls: [{ name: "back" }] }, {}, observation({ userResponse }));
    expect((lastUser(asked) as { text: string }).text).toContain("There is no answer in time");
  });

  test("is told of the tools beside the screen, with what they take", async () => {
    const tools = [{ name: "amap_search", description: "Searches places.", input: { type: "object" } }];
    const { asked } = await predicted({ calls: [{ name: "back" }] }, { tools });
    expect(asked.system).toContain('- amap_search: Searches places. {"type":"object"}');
    expect(asked.tools.map(({ name }) => name)).toContain("mcp_call");
  });
});

describe("what is on the screen", () => {
  const leaf = { text: "", label: "", isFocused: false, isEditable: false, isClickable: false, children: [] };
  const tree = {
    ...leaf,
    role: "android.widget.FrameLayout",
    bounds: { left: 0, top: 0, right: 108, bottom: 234 },
    children: [
      {
        ...leaf,
        role: "android.widget.Button",
        text: "Buy",
        isClickable: true,
        bounds: { left: 0, top: 0, right: 54, bottom: 117 },
      },
    ],
  };

  test("is told in words where there is a tree", async () => {
    const { asked } = await predicted({ calls: [{ name: "back" }] }, {}, observation({ accessibilityTree: tree }));
    expect((lastUser(asked) as { text: string }).text).toContain(
      'What is on the screen:\nButton "Buy" [0.25, 0.25] clickable',
    );
  });

  test("is numbered in the picture where that is wanted, and a number is a place", async () => {
    const drawn = png(108, 234 - 1);
    const drawMarks: VisionAgentParts["drawMarks"] = async (_, marks) => (marks.length === 1 ? drawn : PICTURE);
    const seen = observation({ accessibilityTree: tree });
    const { prediction, asked } = await predicted({ calls: [{ name: "tap", args: { mark: 1 } }] }, { drawMarks }, seen);
    expect(prediction.action).toEqual({ action: "tap", coordinate: [0.25, 0.25] });
    const turn = lastUser(asked);
    expect(turn.text).toContain('by the numbers that are drawn on them:\n1 Button "Buy"');
    expect(turn.role === "user" && turn.pictures).toMatchObject([{ height: 233 }]);
    const other = await predicted({ calls: [{ name: "tap", args: { mark: 2 } }] }, { drawMarks }, seen);
    expect(other.prediction.action).toMatchObject({
      message: expect.stringMatching(/there is no mark 2 .* there are 1/),
    });
    const both = { calls: [{ name: "tap", args: { mark: 1, coordinate: [0, 0] } }] };
    expect((await predicted(both, { drawMarks }, seen)).prediction.action).toMatchObject({
      message: expect.stringMatching(/mark and coordinate say two places/),
    });
  });
});

describe("a model of a dialect", () => {
  const tars: Eyes = { dialect: "ui-tars", coordinates: "pixel" };

  test("has its steps before it as it wrote them, each with what came of it, and the picture of now alone", async () => {
    const history = Array.from({ length: 12 }, (_, i) => ({
      thinking: `step ${i + 1}`,
      action: { action: "tap", coordinate: [0.5, i / 20] } as const,
      ok: i !== 11,
      note: i === 11 ? "nothing changed" : "",
    }));
    const { prediction, asked } = await predicted(
      { text: "Thought: There.\nAction: click(start_box='(54,117)')" },
      { eyes: tars, wire: WIRES[2]! },
      observation({ history }),
    );
    expect(prediction).toMatchObject({ thinking: "There.", action: { action: "tap", coordinate: [0.5, 0.5] } });
    expect(asked.tools).toEqual([]);
    const [first, ...turns] = asked.turns;
    expect(first).toMatchObject({
      text: "Goal: search for a red kettle\n\nThe first steps were:\n1. click(start_box='(54,0)'): done\n2. click(start_box='(54,12)'): done",
    });
    expect(turns[0]).toMatchObject({ role: "assistant", text: "Thought: step 3\nAction: click(start_box='(54,23)')" });
    expect(turns[1]).toEqual({ role: "user", text: "That was done." });
    expect(turns).toHaveLength(20);
    expect(turns.at(-1)).toMatchObject({
      role: "user",
      text: expect.stringMatching(
        /^That was failed \(nothing changed\)\.\n\nThis is the screen now; the picture is 108 x 234 pixels\.$/,
      ),
      pictures: [{ width: 108 }],
    });
    expect(asked.turns.filter((turn) => turn.role === "user" && turn.pictures)).toHaveLength(1);
  });

  test("AlexGladkov/claude-in-mobile#17, mobile-next/mobile-mcp#440: pixels are those of the very bytes that were sent", async () => {
    const screenshot = { png: png(540, 1170), width: 540, height: 1170, takenAt: 0, isBlack: false };
    const answer = { text: "Action: click(start_box='(270,585)')" };
    for (const [seen, coordinate] of [
      [observation({ screenshot }), [0.5, 0.5]],
      // the same device, turned
      [observation({ screenshot: { ...screenshot, png: png(1170, 540), width: 1170, height: 540 } }), null],
    ] as const) {
      const { prediction, asked } = await predicted(answer, { eyes: tars }, seen);
      const turn = lastUser(asked);
      const [picture] = turn.role === "user" ? (turn.pictures ?? []) : [];
      expect([picture!.width, picture!.height]).toEqual([seen.screenshot.width, seen.screenshot.height]);
      expect(turn.text).toContain(`the picture is ${picture!.width} x ${picture!.height} pixels`);
      if (coordinate) expect(prediction.action).toEqual({ action: "tap", coordinate });
      else
        expect(prediction.action).toMatchObject({
          message: expect.stringMatching(/585 lies outside: .* from 0 to 540/),
        });
    }
  });

  test.each<[Eyes, string]>([
    [
      { dialect: "autoglm", coordinates: "0-1000" },
      '<think>There.</think>\n<answer>do(action="Tap", element=[500,250])</answer>',
    ],
    [
      { dialect: "qwen", coordinates: "0-1000" },
      'Thought: There.\nAction: Tap.\n<tool_call>\n{"name": "mobile_use", "arguments": {"action": "click", "coordinate": [500, 250]}}\n</tool_call>',
    ],
    [{ dialect: "pawl", coordinates: "0-1" }, 'There.\n\n{"action": "tap", "coordinate": [0.5, 0.25]}'],
    [{ dialect: null, coordinates: "0-1" }, 'There.\n\n{"action": "tap", "coordinate": [0.5, 0.25]}'],
  ])("%j is told its form, and read in it", async (eyes, text) => {
    const { prediction, asked } = await predicted({ text }, { eyes, hasTools: false });
    expect(prediction.action).toEqual({ action: "tap", coordinate: [0.5, 0.25] });
    expect(prediction.thinking).toMatch(/^There\./);
    expect(asked.system).not.toMatch(/\{\{/);
    expect(asked.tools).toEqual([]);
  });

  test("a call that the server took out of its text is read all the same", async () => {
    const eyes: Eyes = { dialect: "mai-ui", coordinates: "0-1000" };
    const calls = [{ name: "mobile_use", args: { action: "click", coordinate: [500, 250] } }];
    const { prediction } = await predicted({ text: "<thinking>There.</thinking>", calls }, { eyes });
    expect(prediction).toMatchObject({ thinking: "There.", action: { action: "tap", coordinate: [0.5, 0.25] } });
    const cut = [{ name: "mobile_use", rawArgs: '{"action": "click", "coordinate": [500,' }];
    expect((await predicted({ calls: cut }, { eyes })).prediction.action).toMatchObject({
      message: expect.stringMatching(/arguments cannot be read/),
    });
  });

  test("an answer that could not be read stands before it as it was, with the reason", async () => {
    const refusal = invalidAction("there is no action fly(…)", "Action: fly()");
    const history = [{ thinking: "", action: refusal, ok: false, note: "" }];
    const { asked } = await predicted({ text: "Action: press_back()" }, { eyes: tars }, observation({ history }));
    expect(asked.turns[1]).toMatchObject({ role: "assistant", text: "Action: fly()" });
    expect((asked.turns[2] as { text: string }).text).toMatch(
      /^That was refused: there is no action fly\(…\); the allowed/,
    );
  });
});

test("what the asking throws comes through, and an abort with its reason", async () => {
  const { agent } = await agentOf([{ fail: 401 }, { text: "x", stallAfter: 0 }]);
  await expect(agent.predict(observation(), never)).rejects.toMatchObject({ code: "MODEL_KEY_REFUSED" });
  const stop = new AbortController();
  const asking = agent.predict(observation(), stop.signal);
  stop.abort(new Error("stop"));
  await expect(asking).rejects.toThrow("stop");
});
