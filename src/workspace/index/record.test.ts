import fc from "fast-check";
import { expect, test } from "vitest";
import type { Outline } from "../../ports/parser.ts";
import { decodeOutline, encodeOutline } from "./record.ts";
import { recordOf, storedIn } from "./stored.ts";

const numbers = (width: number) =>
  fc.array(fc.nat(), { maxLength: 6 }).map((all) => Uint32Array.from(all.flatMap((n) => Array(width).fill(n))));

const outline: fc.Arbitrary<Outline> = fc
  .record({
    definitions: numbers(7),
    references: numbers(4),
    imports: numbers(4),
    words: numbers(1),
    defined: numbers(1),
    texts: fc.string({ unit: "grapheme" }),
    module: fc.string(),
    lines: fc.nat(),
    length: fc.nat(),
  })
  .map((parts) => ({ ...parts, wordCounts: Uint16Array.from(parts.words, (n) => n % 65_536) }));

test("a record gives back what was put into it, wherever it lies", () => {
  fc.assert(
    fc.property(outline, fc.nat({ max: 7 }), (given, offset) => {
      const record = encodeOutline(given);
      const moved = new Uint8Array(record.length + offset);
      moved.set(record, offset);
      const found = decodeOutline(moved.subarray(offset))!;
      expect({ ...found, texts: found.texts }).toEqual(given);
    }),
  );
});

test("bytes that are no record are told from one, and read nothing that is not there", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => decodeOutline(bytes)).not.toThrow();
    }),
  );
  const record = encodeOutline(fc.sample(outline, { numRuns: 1, seed: 1 })[0]!);
  expect(decodeOutline(record.subarray(0, record.length - 4))).toBeNull();
});

test("why a file has no outline is kept, but not that somebody stopped", () => {
  for (const why of ["too-big", "binary", "time-limit", "crashed"] as const)
    expect(storedIn(recordOf({ kind: "failed", why, detail: "" })!)).toEqual({ kind: "failed", why });
  expect(recordOf({ kind: "failed", why: "stopped", detail: "" })).toBeNull();
  expect(storedIn(Uint8Array.of(9, 0, 0, 0))).toBeNull();
});
