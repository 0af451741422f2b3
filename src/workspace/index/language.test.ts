import { expect, test } from "vitest";
import { languages } from "./language.ts";

test("WRK-5.2 each of the twelve languages is known by the names of its files, and nothing else is", () => {
  const paths = {
    typescript: ["a.ts", "a.mts", "a.cts"],
    tsx: ["a.tsx"],
    javascript: ["a.js", "a.mjs", "a.cjs", "a.jsx"],
    python: ["a.py", "a.pyi"],
    rust: ["a.rs"],
    go: ["a.go"],
    java: ["A.java"],
    c: ["a.c"],
    cpp: ["a.cc", "a.cpp", "a.cxx", "a.hh", "a.hpp", "a.hxx"],
    csharp: ["A.cs"],
    ruby: ["a.rb", "a.rake", "Rakefile", "Gemfile"],
    php: ["a.php"],
  };
  const all = Object.values(paths).flat();
  const of = languages(all);
  const found = Object.fromEntries(Object.entries(paths).map(([name, files]) => [name, [...new Set(files.map(of))]]));
  expect(found).toEqual(Object.fromEntries(Object.keys(paths).map((name) => [name, [name]])));
  expect(["a.md", "ts", "a.tsz", "Makefile"].map(of)).toEqual([null, null, null, null]);
});

test("a header is C or C++ by what the repository has more of", () => {
  expect(languages(["a.h", "a.c", "b.c", "c.cpp"])("a.h")).toBe("c");
  expect(languages(["a.h", "a.c", "b.cpp", "c.cc"])("a.h")).toBe("cpp");
});
