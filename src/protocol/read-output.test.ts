import { describe, expect, it, test } from "vitest";
import type { OutputFormat, OutputRead } from "./output-format.ts";
import { outputReader } from "./read-output.ts";

const NOTHING: OutputRead = { message: null, tokens: null, costUsd: null, error: null, verdict: null };

function read(format: OutputFormat, ...lines: readonly (string | object)[]): OutputRead {
  const reader = outputReader(format);
  for (const line of lines) reader.line(typeof line === "string" ? line : JSON.stringify(line));
  return reader.read();
}

/** As the command lines of known agents write it: the last line has it all, or every turn has its part. */
const RESULT: OutputFormat = {
  format: "json-lines",
  message: { when: { type: "result" }, at: ["result"] },
  tokens: { when: { type: "result" }, at: ["usage.input_tokens", "usage.output_tokens"] },
  costUsd: { when: { type: "result" }, at: ["total_cost_usd"] },
  error: { when: { is_error: "true" }, at: ["result"] },
  verdict: { PASS: { when: { type: "result", is_error: "false" } }, FAIL: { when: { is_error: "true" } } },
};
const TURNS: OutputFormat = {
  format: "json-lines",
  message: { when: { "item.type": "agent_message" }, at: ["item.text"] },
  tokens: { at: ["usage.input_tokens", "usage.output_tokens"], each: true },
  costUsd: { at: ["part.cost"], each: true },
};

describe("JSON lines", () => {
  it("give message, usage and verdict of the line that speaks of them", () => {
    const usage = { input_tokens: 1_200, output_tokens: 34 };
    const last = { type: "result", is_error: false, result: "added b", usage, total_cost_usd: 0.0312 };
    expect(read(RESULT, { type: "assistant", result: "not yet" }, last)).toEqual({
      ...NOTHING,
      message: "added b",
      tokens: 1_234,
      costUsd: 0.0312,
      verdict: { word: "PASS", text: JSON.stringify(last) },
    });
  });

  it("are added up where each says what is new, and otherwise the last one counts", () => {
    const turn = (n: number) => ({ type: "turn.completed", usage: { input_tokens: n, output_tokens: 1 } });
    const cost = { part: { cost: 0.5 } };
    expect(read(TURNS, turn(10), cost, turn(20), cost)).toMatchObject({ tokens: 32, costUsd: 1 });
    expect(read({ ...TURNS, tokens: { at: ["usage.input_tokens"] } }, turn(10), turn(20))).toMatchObject({
      tokens: 20,
    });
    expect(
      read(TURNS, { item: { type: "agent_message", text: "a" } }, { item: { type: "reasoning", text: "b" } }),
    ).toEqual({
      ...NOTHING,
      message: "a",
    });
  });

  it("that are none are noise: progress bars, half lines, lists, words", () => {
    expect(read(RESULT, "Loading …", '{"type":"result","result":"ha', '["result"]', "null", "", "{}")).toEqual(NOTHING);
  });

  test.each([
    ["a list inside", { a: [{ b: "x" }] }, "a.0.b", "x"],
    ["a number", { a: 7 }, "a", "7"],
    ["an object, as JSON", { a: { b: 1 } }, "a", '{"b":1}'],
    ["what is not there", { a: 1 }, "a.b", null],
    ["what every object has", {}, "constructor.name", null],
    ["nothing", { a: null }, "a", null],
  ])("are followed into %s", (_, line, path, wanted) => {
    expect(read({ format: "json-lines", message: { at: [path] } }, line).message).toBe(wanted);
  });
});

describe("lines of text", () => {
  const TEXT: OutputFormat = {
    format: "text",
    message: { match: "^> (.*)" },
    tokens: { match: "tokens used: ([\\d,.kM]+)" },
    costUsd: { match: "cost: (\\$[\\d.]+)" },
    error: { match: "^ERROR .*" },
    verdict: { PASS: { match: "all good" }, BLOCKED: { match: "^stuck: (.*)" }, FAIL: { match: "no good" } },
  };

  test.each([
    ["tokens used: 12,345", 12_345],
    ["tokens used: 12.5k of 200k", 12_500],
    ["tokens used: 1.2M", 1_200_000],
    ["tokens used: .", null],
    ["tokens: 5", null],
  ])("%s: %s tokens", (line, tokens) => {
    expect(read(TEXT, line).tokens).toBe(tokens);
  });

  it("say it by what fits them: a group of it, or all of it", () => {
    expect(read(TEXT, "> first", "cost: $0.25", "> last", "ERROR 429 slow down")).toEqual({
      ...NOTHING,
      message: "last",
      costUsd: 0.25,
      error: "ERROR 429 slow down",
    });
  });

  it("with several verdicts in them count as the no; of several lines the last one counts", () => {
    expect(read(TEXT, "all good, or no good?").verdict?.word).toBe("FAIL");
    expect(read(TEXT, "no good", "stuck: two sentences disagree").verdict).toEqual({
      word: "BLOCKED",
      text: "two sentences disagree",
    });
    expect(read(TEXT, "no good", "all good").verdict?.word).toBe("PASS");
  });
});

it("of a text of megabytes its end is kept", () => {
  const { message } = read({ format: "text", message: {} }, `${"x".repeat(3_000_000)}end`);
  expect([message?.length, message?.endsWith("end")]).toEqual([64 * 1024, true]);
});
