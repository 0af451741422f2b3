import { describe, expect, test } from "vitest";
import { readMaterials } from "../app/worker/materials.ts";
import { movesOf, type Pattern, patternFaults, patternSchema, toolsOf } from "./pattern.ts";
import { OWN_TOOLS } from "./tool-names.ts";

const TOOLS = new Set(OWN_TOOLS);
const made = (moves: readonly Record<string, unknown>[]): Pattern =>
  patternSchema.parse({ name: "x", description: "d", moves });

describe("what is wrong with a task type", () => {
  test.each([
    [
      [
        { name: "a", tools: ["shell"] },
        { name: "a", tools: ["shell"] },
      ],
      /two moves are called "a"/,
    ],
    [[{ name: "a", tools: ["shell"], needs: ["b"] }], /move "a" names "b", which is no move of "x"/],
    [[{ name: "a", tools: ["shell"], on_fail: ["b"] }], /names "b"/],
    [[{ name: "a", tools: ["shell"], undone_by: ["b"] }], /names "b"/],
    [[{ name: "a", tools: ["shell"], at_most: 1, again: "b" }], /names "b"/],
    [[{ name: "a", proof: "passed" }], /no tool that could prove it/],
    [
      [
        { name: "a", tools: ["shell"] },
        { name: "b", tools: ["shell"], again: "a" },
      ],
      /"again" and no "at_most"/,
    ],
    [[{ name: "a", tools: ["no.tool"] }], /tool "no\.tool" is not known/],
    [
      [
        { name: "a", tools: ["shell"], needs: ["b"] },
        { name: "b", tools: ["shell"], needs: ["a"] },
      ],
      /need each other: a -> b -> a/,
    ],
    [[{ name: "a", tools: ["shell"], needs: ["a"] }], /need each other: a -> a/],
  ])("%j", (moves, fault) => {
    expect(patternFaults(made(moves), TOOLS).join("\n")).toMatch(fault);
  });

  test("a required move that needs a note of the answer waits for nothing that could not come", () => {
    const faults = patternFaults(made([{ name: "think" }, { name: "act", tools: ["shell"], needs: ["think"] }]), TOOLS);
    expect(faults.join("\n")).toMatch(/"think" is a note/);
  });

  test("the shipped ones have no fault", () => {
    for (const pattern of readMaterials([], TOOLS).patterns.values()) expect(patternFaults(pattern, TOOLS)).toEqual([]);
  });
});

describe("calls and moves", () => {
  const research = readMaterials([], TOOLS).patterns.get("research")!;
  test.each([
    [{}, ["search"]],
    [{ url: "https://x" }, ["visit"]],
    [{ url: "" }, ["search"]],
    [{ url: null }, ["search"]],
  ])("research with %j is %j", (args, names) => {
    expect(movesOf(research, { tool: "internet.research", args }).map(({ name }) => name)).toEqual(names);
  });

  test("every tool is named once", () => {
    expect(toolsOf(research)).toEqual(["internet.research", "memory.search"]);
  });
});
