import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { parsePlain } from "./plain-yaml.ts";

/** Values, kinds and places of every node: what a decoder can see. */
function seen(node: unknown, lines: LineCounter): unknown {
  if (isMap(node))
    return node.items.map((item) => (isPair(item) ? [seen(item.key, lines), seen(item.value, lines)] : null));
  if (isSeq(node)) return [lines.linePos(node.range![0]), node.items.map((item) => seen(item, lines))];
  if (!isScalar(node)) return String(node);
  const span = node.range![1] - node.range![0];
  return { value: node.value, type: node.type, source: node.source, at: lines.linePos(node.range![0]), span };
}

function both(yaml: string): { plain: unknown; whole: unknown; faults: number } {
  const [a, b] = [new LineCounter(), new LineCounter()];
  const plain = parsePlain(yaml, a);
  const document = parseDocument(yaml, { lineCounter: b, prettyErrors: false });
  const faults = document.errors.length + document.warnings.length;
  return { plain: plain && seen(plain, a), whole: plain && seen(document.contents, b), faults };
}

const USUAL = `title: Search by colour
id: task-003 # as everywhere
deps: [task-001, gh-12]
draft: false
timeout_minutes: 45
acceptance_criteria:
  - "\`?colour=red\` returns only red items"
  - {id: AC-LEGACY, text: a request without colour is unchanged}

authorized_files:
- src/search/**
- 'test/search*.test.ts'
budget: {cost_usd: 3.5, spawns: 8}
labels: []
`;

describe("plain YAML", () => {
  test("a task file as people write it is read without the whole parser, with the same result", () => {
    const { plain, whole } = both(USUAL);
    expect(plain).not.toBeNull();
    expect(plain).toEqual(whole);
  });

  const ATOMS = [
    "a",
    "b c",
    "task-1",
    "true",
    "null",
    "~",
    "12",
    "007",
    "1.5",
    "1e3",
    ".5",
    ".",
    "-",
    "- ",
    ": ",
    ":",
    "#",
    " #",
    "'",
    '"',
    "\\",
    "[",
    "]",
    "{",
    "}",
    ",",
    "*",
    "&x",
    "!t",
    "|",
    ">",
    "%",
    "@",
    "`",
    "é",
    "\t",
    "0x1f",
    ".inf",
    "=",
    "?",
    "? ",
    "a: b",
    "<<",
    "...",
  ];
  const word = fc.constantFrom("a", "b c", "src/**", "12", "task-1");
  const value = fc.oneof(
    word,
    fc.array(fc.oneof(word, fc.constantFrom(...ATOMS)), { maxLength: 4 }).map((parts) => parts.join("")),
  );
  const row = fc.oneof(
    fc
      .tuple(fc.constantFrom("title", "deps", "id", "x_y", "A", ""), fc.constantFrom(": ", ":", ":  "), value)
      .map((parts) => parts.join("")),
    fc.tuple(fc.constantFrom("  - ", "- ", "    - ", "  "), value).map((parts) => parts.join("")),
    fc
      .tuple(
        fc.constantFrom("deps: [", "budget: {a: ", "- [", "- {id: "),
        value,
        fc.constantFrom("]", "}", ", b]", ", b: c}", ""),
      )
      .map((parts) => parts.join("")),
    fc.constantFrom("", "# note", "   ", "deps:", "---", "..."),
  );

  test("whatever it reads, the whole parser reads the same way and without a fault", () => {
    let read = 0;
    const check = (yaml: string): void => {
      const { plain, whole, faults } = both(yaml);
      if (plain === null) return;
      read++;
      if (JSON.stringify(plain) !== JSON.stringify(whole)) expect(plain).toEqual(whole);
      if (faults !== 0) expect(faults).toBe(0);
    };
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 5 }).map((rows) => rows.join("\n")),
        check,
      ),
      { numRuns: 4_000 },
    );
    fc.assert(fc.property(row, check), { numRuns: 4_000 });
    expect(read).toBeGreaterThan(500);
  });
});
