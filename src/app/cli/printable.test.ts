import { describe, expect, it } from "vitest";
import { cut, harmless, jsonText, oneLine, padEnd, printable, width } from "./printable.ts";

describe("columns of a text", () => {
  it.each([
    ["plain", 5],
    ["naïve", 5],
    ["e\u0301", 1],
    ["漢字", 4],
    ["ｶﾅ", 2],
    ["ＡＢ", 4],
    ["한글", 4],
    ["🚀 go", 5],
    ["✅", 2],
    ["✓ – …", 5],
    ["●◷○", 3],
    ["a\u200bb", 2],
    ["𠮷", 2],
    ["", 0],
  ])("%s fills %i", (text, columns) => expect(width(text)).toBe(columns));

  it.each([
    ["short", 10, "short"],
    ["a longer title", 8, "a longe…"],
    ["漢字漢字", 5, "漢字…"],
    ["漢字漢字", 4, "漢…"],
    ["exactly8", 8, "exactly8"],
  ])("cuts %s to %i", (text, columns, shown) => expect(cut(text, columns)).toBe(shown));

  it("says in ASCII what was cut, and looks at no more of a huge text than is shown", () => {
    expect(cut("a longer title", 8, "...")).toBe("a lon...");
    expect(cut("x".repeat(50_000_000), 5)).toBe("xxxx…");
  });
  it("fills up by columns, not by characters", () => expect(padEnd("漢", 4)).toBe("漢  "));
});

describe("text from agents", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["\u001b]0;a title\u0007text", "text"],
    ["\u001b]8;;http://example.org\u001b\\link", "link"],
    ["over\rwritten", "overwritten"],
    ["\u202egnirts", "gnirts"],
    ["bell\u0007", "bell"],
    ["c1 \u009b31m", "c1 31m"],
  ])("%j gives no orders", (text, shown) => expect(printable(text)).toBe(shown));
  it.each([
    ["\u001b[32mok\u001b[39m  \u001b[2Jpawl.yaml", "\u001b[32mok\u001b[39m  pawl.yaml"],
    ["\u001b[5mblink\u001b[0;31m", "blink"],
    ["a\r\nb\tc\u009b2J", "a\nb\tc2J"],
    ["\u001b[3\u001b[2J1m", "1m"],
  ])("%j goes out with our own colours alone", (text, shown) => expect(harmless(text)).toBe(shown));
  it("is the same value in JSON, with nothing in it that a terminal obeys", () => {
    const value = { a: "\u009b31m \u202egnirts \u001b[2J \u007f" };
    expect(jsonText(value)).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(jsonText(value, 2))).toEqual(value);
  });
  it("is one line where one is wanted", () => expect(oneLine(" a\n\tb\u0000 ")).toBe("a b"));
});
