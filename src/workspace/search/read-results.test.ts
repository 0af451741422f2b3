import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resultReader } from "./read-results.ts";

interface Given {
  readonly path: string;
  readonly matches: readonly boolean[];
}

const event = (type: string, data: unknown): string => `${JSON.stringify({ type, data })}\n`;

/** What ripgrep says of a file: lines that match, and lines of context between them. */
function said({ path, matches }: Given): string {
  const lines = matches.map((isMatch, i) =>
    event(isMatch ? "match" : "context", {
      path: { text: path },
      lines: { text: `line ${i + 1} ä\n` },
      line_number: i + 1,
      absolute_offset: i * 10,
      submatches: isMatch ? [{ match: { text: "l" }, start: 0, end: 1 }] : [],
    }),
  );
  const stats = { matched_lines: matches.filter(Boolean).length };
  return (
    event("begin", { path: { text: path } }) +
    lines.join("") +
    event("end", { path: { text: path }, binary_offset: null, stats })
  );
}

const END = `${JSON.stringify({ data: { stats: {} }, type: "summary" })}\n`;

function read(bytes: Buffer, limit: number | null, cuts: readonly number[] = []) {
  const reader = resultReader({ limit, context: 0 });
  const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  for (const [i, end] of at.slice(1).entries()) reader.push(bytes.subarray(at[i], end));
  return reader.end();
}

describe("results", () => {
  test("are the first matches in the order of paths, whatever order the files come in and however they are cut", () => {
    const file = fc.record({
      path: fc.string({ minLength: 1, maxLength: 3 }).filter((name) => !name.startsWith("./")),
      matches: fc.array(fc.constant(true), { minLength: 1, maxLength: 4 }),
    });
    const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 12 });
    const cuts = fc.array(fc.nat(3_000), { maxLength: 6 });
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 12 }), cuts, (given, limit, at) => {
        const result = read(Buffer.from(given.map(said).join("") + END), limit, at)!;
        const sorted = [...given].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
        const all = sorted.flatMap(({ path, matches }) =>
          matches.map((_, i) => `${path.replace(/^\.\//, "")} ${i + 1}`),
        );
        const shown = result.files.flatMap(({ path, lines }) => lines.map(({ line }) => `${path} ${line}`));
        expect(shown).toEqual(all.slice(0, limit));
        expect([result.total, result.shown, result.matchedFiles]).toEqual([
          all.length,
          Math.min(limit, all.length),
          given.length,
        ]);
      }),
      { numRuns: 1_500, seed: 3 },
    );
  });

  test("that did not come to their end are none", () => {
    expect(read(Buffer.from(said({ path: "a", matches: [true] })), null)).toBeNull();
    expect(read(Buffer.alloc(0), null)).toBeNull();
  });

  test("with a line that is longer than memory should hold say so, and go on behind it", () => {
    const [begin, match, end] = said({ path: "a", matches: [true] }).split("\n");
    const long = match!.replace("line 1", "x".repeat(17 * 1024 * 1024));
    const bytes = Buffer.from([begin, long, end, said({ path: "b", matches: [true] }) + END].join("\n"));
    const result = read(bytes, null, [1_000_000, 9_000_000])!;
    expect(result.files.map(({ path, lines }) => [path, lines[0]!.text])).toEqual([
      ["a", expect.stringMatching(/^\[a line of about 178\d+ bytes\]$/)],
      ["b", "line 1 ä"],
    ]);
  });
});
