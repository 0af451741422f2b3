import { describe, expect, test } from "vitest";
import { ACTIONS, actionOf, invalidAction, isInvalid } from "./device-action.ts";

describe("an action on the wire", () => {
  test.each([
    [
      { action: "tap", coordinate: [0.5, 0.3] },
      { action: "tap", coordinate: [0.5, 0.3] },
    ],
    [
      { action: "double_tap", coordinate: [0, 1] },
      { action: "double_tap", coordinate: [0, 1] },
    ],
    [
      { action: "long_press", coordinate: [0, 0] },
      { action: "long_press", coordinate: [0, 0], duration: 800 },
    ],
    [
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2] },
      { action: "swipe", start: [0.5, 0.8], end: [0.5, 0.2], duration: 300 },
    ],
    [
      { action: "type", text: "grün 茶" },
      { action: "type", text: "grün 茶" },
    ],
    [{ action: "back", why: "ignored" }, { action: "back" }],
    [
      { action: "open", app: "shop" },
      { action: "open", app: "shop" },
    ],
    [
      { action: "wait", seconds: 30 },
      { action: "wait", seconds: 30 },
    ],
    [
      { action: "mcp_call", tool: "find" },
      { action: "mcp_call", tool: "find", args: {} },
    ],
    [{ action: "FINISH" }, { action: "FINISH", reason: "" }],
  ])("%j is read", (given, read) => {
    expect(actionOf(given)).toEqual(read);
  });

  test.each([
    [null],
    ["tap"],
    [[]],
    [{}],
    [{ action: "finish" }],
    [{ action: "toString" }],
    [{ action: "tap" }],
    [{ action: "tap", coordinate: [1.01, 0.5] }],
    [{ action: "tap", coordinate: [-0.01, 0.5] }],
    [{ action: "tap", coordinate: [Number.NaN, 0.5] }],
    [{ action: "tap", coordinate: ["0.5", 0.5] }],
    [{ action: "tap", coordinate: [0.5] }],
    [{ action: "swipe", start: [0, 0], end: [0, 2] }],
    [{ action: "swipe", start: [0, 0], end: [0, 1], duration: 0 }],
    [{ action: "type", text: "" }],
    [{ action: "wait", seconds: 31 }],
    [{ action: "mcp_call", tool: "find", args: [] }],
  ])("%j is refused, with the actions that there are", (given) => {
    const read = actionOf(given);
    if (!isInvalid(read)) throw new Error("it was read");
    expect(read.allowed).toEqual(ACTIONS);
    expect(read.message).toContain(ACTIONS.join(", "));
  });

  test("what is wrong is said, and what was given, cut", () => {
    expect(actionOf({ action: "tap", coordinate: [500, 300] })).toMatchObject({
      message: expect.stringMatching(/^tap needs "coordinate": \[x, y\], each from 0 to 1 \(coordinate\.0: /),
    });
    expect(actionOf({ action: "fly" })).toMatchObject({
      message: expect.stringMatching(/^there is no action "fly"; /),
    });
    expect(invalidAction("no", "x".repeat(2000)).given).toHaveLength(500);
  });

  test("a value that has no JSON is refused, not thrown", () => {
    const round: Record<string, unknown> = { action: 1n };
    round.self = round;
    expect(isInvalid(actionOf(round))).toBe(true);
  });
});
