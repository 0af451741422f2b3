import { expect, test } from "vitest";
import type { CodeIndex, IndexedFile } from "../../src/workspace/index/code-index.ts";
import { languages } from "../../src/workspace/index/language.ts";
import { isTestPath, testMap } from "../../src/workspace/index/test-map.ts";
import { shows } from "../support/shows.ts";

/** Files, and who imports whom. */
function indexOf(paths: readonly string[], imports: Readonly<Record<string, readonly string[]>> = {}): CodeIndex {
  const languageOf = languages(paths);
  const files = paths.map((path) => ({ path, language: languageOf(path)! }) as IndexedFile);
  const placeOf = new Map(paths.map((path, place) => [path, place]));
  const leads = paths.map((path) => Uint32Array.from((imports[path] ?? []).map((to) => placeOf.get(to)!)));
  return { files, placeOf, paths, skipped: [], moduleOf: () => "", graph: { imports: leads, importedBy: [] } };
}

test.each([
  ["src/cart.test.ts", "src/cart.ts", "src/other.ts"],
  ["test/cart.spec.ts", "src/cart.ts"],
  ["src/__tests__/cart.js", "src/cart.js"],
  ["src/jwt/index.test.ts", "src/jwt/index.ts", "src/basic/index.ts"],
  ["tests/test_cart.py", "src/shop/cart.py"],
  ["shop/cart_test.go", "shop/cart.go", "other/cart.go"],
  ["src/test/java/com/x/CartTest.java", "src/main/java/com/x/Cart.java", "src/main/java/com/y/Cart.java"],
  ["spec/shop/cart_spec.rb", "lib/shop/cart.rb"],
  ["tests/CartTest.php", "src/Cart.php"],
  ["Shop.Tests/CartTests.cs", "Shop/Cart.cs"],
])("WRK-5.2 %s tests %s", (test, source, ...others) => {
  const map = testMap(indexOf([test, source, ...others]));
  expect({ isTest: map.isTest(0), sources: map.sourcesOf(0), tests: map.testsOf(1) }).toEqual({
    isTest: true,
    sources: [1],
    tests: [0],
  });
  expect(map.isTest(1)).toBe(false);
  shows("WRK-5.2", 3);
});

test("WRK-5.2 of several files of one name, the one that is imported is meant; else none where none lies nearer", () => {
  const paths = ["test/cart.test.ts", "a/cart.ts", "b/cart.ts"];
  expect(testMap(indexOf(paths, { "test/cart.test.ts": ["b/cart.ts"] })).sourcesOf(0)).toEqual([2]);
  expect(testMap(indexOf(paths)).sourcesOf(0)).toEqual([]);
  shows("WRK-5.2", 3);
});

test("a test that is called like nothing tests the one thing that it imports", () => {
  const paths = ["src/edge.test.ts", "src/a.ts", "src/b.ts"];
  expect(testMap(indexOf(paths, { "src/edge.test.ts": ["src/a.ts"] })).sourcesOf(0)).toEqual([1]);
  expect(testMap(indexOf(paths, { "src/edge.test.ts": ["src/a.ts", "src/b.ts"] })).sourcesOf(0)).toEqual([]);
});

test.each(["src/latest.ts", "src/contest.py", "attestation/a.go", "src/testing.ts"])("%s is no test", (path) => {
  expect(isTestPath(path)).toBe(false);
});
