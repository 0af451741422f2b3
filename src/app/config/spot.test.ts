import { expect, it } from "vitest";
import { parseYaml } from "./spot.ts";

const placesIn = (yaml: string, lineShift = 0): readonly string[] =>
  parseYaml({ file: "pawl.yaml", yaml, lineShift }).text.faults.map(
    ({ at, next }) => `${at?.line}:${at?.column} ${next}`,
  );

it.each([
  ["a list", "a: 1\nb: [\nc: 2\n", "2:4"],
  ["a list at the end", "a: 1\nb: [1, 2\n", "2:4"],
  ["a mapping", "a: 1\nb: {x: 1\nc: 2\n", "2:4"],
  ["a quote, which swallows what follows", 'a: 1\nb: "x\nc: 2\nd: 3\n', "2:4"],
  ["a single quote", "a: 'x\n\n\nc: 1\n", "1:4"],
  ["a list in a list", "a:\n  - [1, [2,\n  - 3\n", "2:9"],
])("%s that is opened and never closed is at fault where it is opened, not where the text ends", (_, yaml, place) => {
  expect(placesIn(yaml)[0]).toBe(`${place} close what is opened here.`);
  const [line, column] = place.split(":").map(Number) as [number, number];
  expect(placesIn(yaml, 1)[0]).toBe(`${line + 1}:${column} close what is opened here.`);
});

it("what is closed on its own line is at fault where that goes wrong", () => {
  expect(placesIn("x: [{a: [1, 2}]\nb: 1\n")[0]).toMatch(/^1:14 /);
  expect(placesIn("a: 1\nb: [1]]\nc: 3\n")[0]).toMatch(/^2:7 /);
});
