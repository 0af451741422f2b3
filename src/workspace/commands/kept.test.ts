import fc from "fast-check";
import { expect, test } from "vitest";
import { keepEnds, lastBytes } from "./kept.ts";

const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 });

test("the last bytes are the last bytes, whatever parts they came in", () => {
  fc.assert(
    fc.property(parts, fc.nat(50), (all, max) => {
      const last = lastBytes(max);
      for (const part of all) last.push(part);
      const whole = Buffer.concat(all);
      expect(last.bytes()).toEqual(whole.subarray(Math.max(0, whole.length - max)));
    }),
    { numRuns: 2_000, seed: 5 },
  );
});

test("beginning and end are whole characters, and with what is cut between them they are all that came", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "ä", "€", "😀"), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 6 }), fc.integer({ min: 10, max: 60 }), (all, cuts, max) => {
      const bytes = Buffer.from(all);
      const ends = keepEnds(max);
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
      for (const [i, end] of at.slice(1).entries()) ends.push(bytes.subarray(at[i], end));
      const { head, tail, cut } = ends.read();
      expect(head.length + tail.length + cut).toBe(bytes.length);
      expect(head.length + tail.length).toBeLessThanOrEqual(max);
      if (bytes.length <= max) expect([cut, Buffer.concat([head, tail])]).toEqual([0, bytes]);
      if (bytes.length <= max) return;
      expect(cut).toBeGreaterThan(0);
      expect(all.startsWith(head.toString())).toBe(true);
      expect(all.endsWith(tail.toString())).toBe(true);
    }),
    { numRuns: 3_000, seed: 6 },
  );
});
