import { describe, expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import { globFault } from "./glob.ts";
import { distanceOf, nearest, nearestFirst } from "./nearest.ts";
import { countOf, duration, durationOf } from "./units.ts";

describe("names that were mistyped", () => {
  test.each<[string, readonly string[], string | null]>([
    ["implmenter", ["verifier", "implementer"], "implementer"],
    ["max_worker", ["max_runs", "max_workers"], "max_workers"],
    ["deps", ["dep", "title"], "dep"],
    ["atuo", ["default", "auto"], "auto"],
    ["Implementer", ["implementer"], "implementer"],
    ["deploy", ["merge", "mark-ready"], null],
    ["x", [], null],
  ])("%s, of %j, is probably %s", (name, known, wanted) => {
    expect(nearest(name, known)).toBe(wanted);
  });

  test("the most similar come first, equals in the order they were given", () => {
    expect(nearestFirst("tset", ["zzzz", "test", "yyyy"])).toEqual(["test", "zzzz", "yyyy"]);
    expect(distanceOf("ab", "ba")).toBe(1);
  });
});

describe("units", () => {
  test.each([
    ["90s", 90_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["7d", 604_800_000],
    ["1.5h", 5_400_000],
    ["10", null],
    ["0s", null],
    ["-1s", null],
    ["1 h", null],
    ["99999d", null],
    ["1w", null],
  ])("%s is a duration of %s ms", (text, ms) => {
    expect(durationOf(text)).toBe(ms);
  });

  test("a duration is written the shortest way", () => {
    expect([90_000, 600_000, 7_200_000, 172_800_000].map(duration)).toEqual(["90s", "10m", "2h", "2d"]);
  });

  test.each([
    ["4k", 4_000],
    ["2M", 2_000_000],
    ["1.5k", 1_500],
    ["12", 12],
    ["0", 0],
    ["1.5", null],
    ["-3", null],
    ["k", null],
    ["1e3", null],
    ["99999999999M", null],
  ])("%s is a count of %s", (text, count) => {
    expect(countOf(text)).toBe(count);
  });
});

describe("globs", () => {
  test.each(["src/**", "*.ts", "test/search*.test.ts", "{a,b}/**", "src/[ab].ts", "pawl.yaml", ".github/**", "a(b)/c"])(
    "%s can be used",
    (glob) => {
      expect(globFault(glob)).toBeNull();
    },
  );

  test.each([
    ["", "empty"],
    ["/etc/**", "without /"],
    ["../x", "leave"],
    ["src/../../x", "leave"],
    ["src\\x", "not with"],
    ["{a", "never closed"],
    ["src/[ab", "never closed"],
    ["a}", "closes nothing"],
    ["!src/**", "not what is not"],
    ["C:/x", "without /"],
  ])("%s cannot: %s", (glob, why) => {
    expect(globFault(glob)).toContain(why);
  });
});

test("canonical JSON does not depend on the order of keys, and is JSON", () => {
  const value = { b: [1, { d: null, c: "é" }], a: undefined, __proto__x: true };
  expect(canonical(value)).toBe('{"__proto__x":true,"b":[1,{"c":"é","d":null}]}');
  expect(JSON.parse(canonical(value))).toEqual({ b: [1, { d: null, c: "é" }], __proto__x: true });
});
