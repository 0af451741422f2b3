import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.ts$/.test(path) && !/\.test\.ts$/.test(path),
);

/** Where an error is made: the code is the first word in capitals soon after it, or stands behind `code:`. */
const MADE =
  /(?:PawlError|(?<!de)[fF]ault|faultAt|(?<!z\.)unknown)\((?:(?!PawlError)[\s\S]){0,90}?(?<!=== )"([A-Z][A-Z0-9]*_[A-Z0-9_]+|USAGE|FAULT|DEMO|REFUSED)"|\bcode: "([A-Z][A-Z0-9_]+)"/g;

const codes = new Set(
  sources.flatMap((path) =>
    [...readFileSync(join("src", path), "utf8").matchAll(MADE)].map((found) => (found[1] ?? found[2])!),
  ),
);
const page = readFileSync("docs/errors.md", "utf8");
const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (.*) \| (.*) \|$/gm)];

test("every code that the sources make is explained in docs/errors.md", () => {
  expect(codes.size).toBeGreaterThan(40);
  const explained = new Set(rows.map(([, code]) => code));
  expect([...codes].filter((code) => !explained.has(code)).sort()).toEqual([]);
});

test("docs/errors.md explains no code twice, none that the sources do not know, and says what to do for each", () => {
  const text = sources.map((path) => readFileSync(join("src", path), "utf8")).join("\n");
  const named = rows.map(([, code]) => code!);
  expect(named.filter((code, i) => named.indexOf(code) !== i)).toEqual([]);
  expect(named.filter((code) => !text.includes(code))).toEqual([]);
  for (const [, , when, what] of rows) expect(when!.length * what!.length).toBeGreaterThan(0);
});
