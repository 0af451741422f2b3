import type { Language } from "../../ports/parser.ts";

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  py: "python",
  pyi: "python",
  rs: "rust",
  go: "go",
  java: "java",
  c: "c",
  h: "c",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  ipp: "cpp",
  cs: "csharp",
  rb: "ruby",
  rake: "ruby",
  php: "php",
};
const BY_NAME: Readonly<Record<string, Language>> = { Rakefile: "ruby", Gemfile: "ruby" };

/** Which files of a repository are C++ for sure: then its .h are C++ too. */
const CPP = /\.(cc|cpp|cxx|hh|hpp|hxx)$/;

/** The language of each path of a repository, null where there is no grammar for it. */
export function languages(paths: readonly string[]): (path: string) => Language | null {
  const sources = paths.filter((path) => path.endsWith(".c")).length;
  const header: Language = paths.filter((path) => CPP.test(path)).length > sources ? "cpp" : "c";
  return (path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (name.endsWith(".h")) return header;
    const dot = name.lastIndexOf(".");
    return (dot > 0 ? BY_EXTENSION[name.slice(dot + 1).toLowerCase()] : BY_NAME[name]) ?? null;
  };
}
