import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { shows } from "../../../test/support/shows.ts";
import { LANGUAGES, type Language, type Parsed, type Parser } from "../../ports/parser.ts";
import { definitionsOf, importsOf, referencesOf } from "../../workspace/index/outline-rows.ts";
import { hashOf } from "../../workspace/index/words.ts";
import { type PoolOptions, parserPool } from "./pool.ts";

const queries = resolve("queries");
const worker = resolve("dist/parse-worker.mjs");
const pool = parserPool({ worker, queries });
afterAll(() => pool.close());

const parse = (parser: Parser, language: Language, text: string): Promise<Parsed> =>
  parser.parse({ path: `a.${language}`, language, bytes: new TextEncoder().encode(text) });

async function outlined(language: Language, text: string) {
  const parsed = await parse(pool, language, text);
  if (parsed.kind === "failed") throw new Error(parsed.detail);
  const { outline } = parsed;
  return {
    outline,
    definitions: definitionsOf(outline).map(({ kind, name }) => `${kind} ${name}`),
    references: referencesOf(outline).map(({ kind, name }) => `${kind} ${name}`),
    imports: importsOf(outline).map(({ kind, specifier, member }) => [kind, specifier, member].join(" ").trim()),
  };
}

interface Sample {
  readonly module: string;
  readonly definitions: readonly string[];
  readonly references: readonly string[];
  readonly imports: readonly string[];
}
const SAMPLES = resolve("test/fixtures/outlines");
const expected = JSON.parse(readFileSync(join(SAMPLES, "expected.json"), "utf8")) as Record<Language, Sample>;

describe("WRK-5.2 what a file holds", () => {
  test.each(LANGUAGES)("WRK-5.2 definitions, references, imports and module of %s", async (language) => {
    const { outline, ...found } = await outlined(language, readFileSync(join(SAMPLES, `${language}.txt`), "utf8"));
    expect({ module: outline.module, ...found }).toEqual(expected[language]);
    shows("WRK-5.2", 1);
    shows("WRK-5.2", 4);
  });

  test("WRK-5.2 a definition has its kind, name, range and signature line", async () => {
    const text = "// ä 𝒳\nexport function add(\n  a: number,\n  b: number,\n): number {\n  return a + b;\n}\n";
    const { outline } = await outlined("typescript", text);
    expect(definitionsOf(outline)).toEqual([
      {
        kind: "function",
        name: "add",
        line: 2,
        column: 17,
        endLine: 7,
        endColumn: 1,
        signature: "export function add(a: number, b: number): number",
      },
    ]);
    shows("WRK-5.2", 4);
  });

  test("WRK-5.2 words are counted, in parts and without their endings", async () => {
    const { outline } = await outlined("python", "parsing_header = parseHeader()  # HTTPServer parses\n");
    const count = (word: string): number => outline.wordCounts[outline.words.indexOf(hashOf(word))] ?? 0;
    expect({ pars: count("pars"), head: count("head"), serv: count("serv"), whole: count("parseheader") }).toEqual({
      pars: 3,
      head: 2,
      serv: 1,
      whole: 1,
    });
    expect([...outline.words]).toEqual([...outline.words].sort((a, b) => a - b));
  });

  test("WRK-5.2 text with faults is parsed as far as it goes", async () => {
    const { definitions } = await outlined("typescript", "function good() {}\nfunction ( { [\nclass Also {}\n");
    expect(definitions).toContain("function good");
  });

  test("the same bytes give the same outline, whatever came before", async () => {
    const [first, , again] = [
      await outlined("go", "package a\nfunc F() { G() }\n"),
      await outlined("go", "package b\ntype T struct{ X int }\n"),
      await outlined("go", "package a\nfunc F() { G() }\n"),
    ];
    expect(again).toEqual(first);
  });

  test("an empty file and one with a BOM have an outline; one with NUL bytes is binary", async () => {
    expect((await outlined("java", "")).outline.lines).toBe(0);
    expect((await outlined("javascript", "\ufefffunction f() {}")).definitions).toEqual(["function f"]);
    expect(await parse(pool, "c", "int a;\0\0")).toMatchObject({ kind: "failed", why: "binary" });
  });
});

describe("WRK-5.2 a grammar that hangs or crashes costs one file", () => {
  const bad = (options: Partial<PoolOptions> = {}): Parser => {
    const before = pathToFileURL(resolve("test/fixtures/bad-grammar.mjs")).href;
    const parser = parserPool({ worker, queries, before, threads: 2, ...options });
    onTestFinished(() => parser.close());
    return parser;
  };
  const words = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
  const failures = (all: readonly Parsed[]) => all.map((one) => (one.kind === "failed" ? one.why : "parsed"));

  test.each([
    ["hangs", "HANG", "time-limit", [2]],
    ["breaks its memory", "BREAK", "crashed", [1, 4, 7]],
    ["ends its thread", "DIE", "crashed", [1, 4, 7]],
  ])("WRK-5.2 a grammar that %s costs the file that it was at", async (_, mark, why, marked) => {
    const parser = bad({ limitMs: 5_000 });
    const texts = words.flatMap((word, i) => [`const ${word} = 1;`, ...(marked.includes(i) ? [`// ${mark}`] : [])]);
    const all = await Promise.all(texts.map((text) => parse(parser, "javascript", text)));
    expect(failures(all)).toEqual(texts.map((text) => (text.includes(mark) ? why : "parsed")));
    shows("WRK-5.2", 7);
  });

  test("what is too big is not parsed, and a closed parser says stopped", async () => {
    const parser = bad({ maxBytes: 10 });
    expect(await parse(parser, "ruby", "x = 12345678")).toMatchObject({ kind: "failed", why: "too-big" });
    const hung = bad();
    const waiting = parse(hung, "ruby", "# HANG");
    await hung.close();
    expect(await waiting).toMatchObject({ kind: "failed", why: "stopped" });
    expect(await parse(hung, "ruby", "x = 1")).toMatchObject({ kind: "failed", why: "stopped" });
  });
});
