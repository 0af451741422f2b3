import fc from "fast-check";
import { expect, test } from "vitest";
import { lineEvent } from "./line-event.ts";

const KEYS = [
  '"},"line_number":1',
  ',"lines":{"text":"',
  ',"absolute_offset":7',
  ',"submatches":[',
  ',"start":3',
  "\\",
  '"',
  "\n",
  "ä€",
  "\u0000",
  "a",
];

test("a line is read as JSON reads it, whatever its texts look like", () => {
  const text = fc.array(fc.constantFrom(...KEYS), { maxLength: 5 }).map((parts) => parts.join(""));
  const told = fc.oneof(
    text.map((one) => ({ text: one })),
    text.map((one) => ({ bytes: Buffer.from(one).toString("base64") })),
  );
  const match = fc.record({ match: told, start: fc.nat(9_999), end: fc.nat(9_999) });
  const data = fc.record({
    path: told,
    lines: told,
    line_number: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 9_999_999 })),
    absolute_offset: fc.nat(2 ** 31 - 1),
    submatches: fc.array(match, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(data, (event) => {
      const { lines, line_number, absolute_offset, submatches } = lineEvent(
        JSON.stringify({ type: "match", data: event }),
      );
      expect({ lines, line_number, absolute_offset }).toEqual({
        lines: event.lines,
        line_number: event.line_number,
        absolute_offset: event.absolute_offset,
      });
      expect(submatches[0]?.start).toBe(event.submatches[0]?.start);
    }),
    { numRuns: 5_000, seed: 4 },
  );
});
