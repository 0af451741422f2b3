import { describe, expect, test } from "vitest";
import { shows } from "../../test/support/shows.ts";
import { readLenient } from "../protocol/lenient-json.ts";
import { readArgs } from "./arguments.ts";
import { isMisread, readExecutorDecision, readPlannerDecision } from "./decision.ts";
import { readSaid } from "./said.ts";

const CALL = {
  _type: "EXECUTOR_DECISION",
  action: "CALL_TOOL",
  tool: { name: "file_edit", args: { path: "a.ts", old: 'say("hi")', new: "x = {1}" } },
  reasoning: "it's so",
};
const JSON_TEXT = JSON.stringify(CALL);
const fence = (text: string, mark = "```", word = "json") => `${mark}${word}\n${text}\n${mark}`;

describe("an answer that means one thing is read as that", () => {
  test.each([
    ["as it should be", JSON_TEXT],
    ["over several lines", JSON.stringify(CALL, null, 2)],
    ["with space around it", `\n\n  ${JSON_TEXT}\t\n`],
    ["in a fence", fence(JSON_TEXT)],
    ["in a fence without a word", fence(JSON_TEXT, "```", "")],
    ["in a fence of four", fence(JSON_TEXT, "````")],
    ["in tildes", fence(JSON_TEXT, "~~~")],
    ["in two fences", fence(fence(JSON_TEXT), "````", "")],
    ["in two fences of the same marks", fence(fence(JSON_TEXT))],
    ["with Windows line ends", fence(JSON_TEXT).replaceAll("\n", "\r\n")],
    ["behind a byte order mark", `\ufeff${JSON_TEXT}`],
    ["behind thoughts", `<think>I could call {"action":"DONE"} now</think>\n${JSON_TEXT}`],
    ["between marks of special tokens", `<|assistant|>${JSON_TEXT}<|im_end|>`],
    ["with a comma too many", `${JSON_TEXT.slice(0, -1)},}`],
    ["with comments", `{ // the next call\n${JSON_TEXT.slice(1, -1)} /* that is all */ }`],
    ["with names without quotes", JSON_TEXT.replace(/"(_type|action|tool|reasoning)":/g, "$1:")],
    [
      "in single quotes",
      `{'action': 'CALL_TOOL', 'tool': {'name': 'file_edit', 'args': {"path": "a.ts", "old": "say(\\"hi\\")", "new": 'x = {1}'}}, 'reasoning': 'it\\'s so'}`,
    ],
    ["in typographic quotes", JSON_TEXT.replace('"action"', "\u201caction\u201d")],
  ])("%s", (_, text) => {
    const read = readExecutorDecision(text);
    expect(read).toMatchObject({ decision: { ...CALL } });
  });

  test("TAC-2.1 CALL_TOOL, DONE and ESCALATE are read", () => {
    for (const action of ["CALL_TOOL", "DONE", "ESCALATE"])
      expect(readExecutorDecision(JSON.stringify({ ...CALL, action }))).toMatchObject({ decision: { action } });
    shows("TAC-2.1", 1);
  });
});

describe("an answer that could mean something else is asked for again", () => {
  test.each([
    ["nothing", "", /no JSON object/],
    ["words", "I shall read the file now.", /no JSON object/],
    ["an example in words", `For example, ${JSON_TEXT} would do it.`, /stand alone/],
    ["an example in a fence, with words before it", `You could say\n${fence(JSON_TEXT)}`, /stand alone/],
    ["an example with words behind it", `${JSON_TEXT}\nwould be one way`, /something follows/],
    ["two decisions", JSON_TEXT + JSON_TEXT, /something follows/],
    ["a list of decisions", `[${JSON_TEXT}]`, /stand alone/],
    ["a decision that was cut", JSON_TEXT.slice(0, -20), /not closed|neither|missing/],
    ["a fence that was cut", fence(JSON_TEXT).slice(0, -6), /stand alone/],
    ["a quote that was not escaped", JSON_TEXT.replaceAll('\\"', '"'), /quote stands inside/],
    ["a name twice", `{"action":"DONE",${JSON_TEXT.slice(1)}`, /there twice/],
    ["a name twice, without quotes", `{action:"DONE",${JSON_TEXT.slice(1)}`, /there twice/],
    ["an action that there is not", JSON_TEXT.replace("CALL_TOOL", "RUN_TOOL"), /action/],
    ["a call without a tool", '{"action":"CALL_TOOL"}', /needs a tool/],
    ["a tool without a name", '{"action":"CALL_TOOL","tool":{"name":"","args":{}}}', /tool\.name/],
    ["arguments that are a list", '{"action":"CALL_TOOL","tool":{"name":"x","args":[1]}}', /tool\.args/],
    ["another type's decision", '{"_type":"PLANNER_DECISION","action":"DONE"}', /_type/],
    ["null", "null", /no JSON object/],
    ["nested ten thousand deep", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, /./],
    ["three million characters", `{"action":"DONE","reasoning":"${"x".repeat(3_000_000)}"}`, /characters/],
  ])("%s", (_, text, why) => {
    const read = readExecutorDecision(text);
    expect(isMisread(read) && read.misread).toMatch(why);
  });

  test("EXECUTE without a goal is no decision", () => {
    expect(readPlannerDecision('{"action":"EXECUTE","task_type":"generic"}')).toEqual({
      misread: "EXECUTE needs at least one goal in goals",
    });
    expect(readPlannerDecision('{"action":"COMPLETE"}')).toMatchObject({ decision: { action: "COMPLETE" } });
  });
});

describe("lenient JSON", () => {
  test.each([
    ["{a: 1, 'b': [True, None, -0.5e2,],}", { a: 1, b: [true, null, -50] }],
    ['{"a": "line\nend\tand tab"}', { a: "line\nend\tand tab" }],
    ["{/* c */ a: 1 // d\n}", { a: 1 }],
    ['{"a": "\\u00fc\\n\\/"}', { a: "\u00fc\n/" }],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
    ["{ $ref: 1, data-id: 2 }", { $ref: 1, "data-id": 2 }],
  ])("%s", (text, value) => {
    expect(readLenient(text)).toEqual(value);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test.each([
    ["{a: 1", "is no value"],
    ['{"a": 1 "b": 2}', "neither"],
    ["{a 1}", '":" is missing'],
    ['{"a": 12', "is no value|neither"],
    ['{"a": tru}', "is no value"],
    ['{"a": 012}', "is no value"],
    ['{"a": undefined}', "is no value"],
    ['{"a": "\\d+"}', "is no escape"],
    ['{"a": "\\u12"}', "is no escape"],
    ['{"path": "C:\\new"} x', "something follows"],
    ["{a: 1 /* open", "not closed"],
    ["{,}", "name is missing"],
  ])("%s throws, and says where", (text, why) => {
    expect(() => readLenient(text)).toThrow(new RegExp(`(${why}).*\\(line 1, near`));
  });
});

describe("arguments of native calls", () => {
  test.each([
    [{ json: { a: 1 } }, { a: 1 }],
    [{ json: null }, {}],
    [{ json: '{"a":1}' }, { a: 1 }],
    [{ text: "" }, {}],
    [{ text: "{a: 1,}" }, { a: 1 }],
    [{ text: fence('{"a":1}') }, { a: 1 }],
    [{ text: JSON.stringify('{"a":1}') }, { a: 1 }],
  ])("%j are read", (args, read) => expect(readArgs({ args })).toEqual({ args: read }));

  test.each([
    [{ json: [1] }, /a list/],
    [{ json: 7 }, /a number/],
    [{ text: '{"path": "a.ts", "old": "x' }, /not closed/],
    [{ text: 'use {"a":1}' }, /stand alone/],
    [{ text: "no" }, /no JSON object/],
    [{ text: '{"a":1}{"a":2}' }, /something follows/],
    [{ json: JSON.stringify(JSON.stringify(JSON.stringify({ a: 1 }))) }, /./],
  ])("%j are not", (args, why) => {
    const read = readArgs({ args });
    expect("unreadable" in read && read.unreadable).toMatch(why);
  });
});

test("a text of 200,000 characters is read in far less than a second, lenient or not", () => {
  const text = `{text: ${JSON.stringify('a "b" \\ c\n'.repeat(15_000))}, more: [${"1,".repeat(20_000)}]}`;
  const start = performance.now();
  expect(readSaid(text).kind).toBe("object");
  expect(performance.now() - start).toBeLessThan(3_000);
});
