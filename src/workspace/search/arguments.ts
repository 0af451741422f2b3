import type { SearchQuery } from "../../ports/searcher.ts";

/** The command line of ripgrep for a query. */
export function searchArguments(query: SearchQuery): readonly string[] {
  return [
    ...["--json", "--no-config"],
    // a stray NUL must not hide a match: such a file is told as binary
    "--binary",
    { smart: "--smart-case", sensitive: "--case-sensitive", ignore: "--ignore-case" }[query.letterCase],
    ...(query.isLiteral ? ["--fixed-strings"] : []),
    ...(query.wholeWords ? ["--word-regexp"] : []),
    ...(query.multiline ? ["--multiline"] : []),
    ...(query.hidden ? ["--hidden"] : []),
    ...(query.ignored ? ["--no-ignore"] : []),
    ...(query.context > 0 ? ["--context", String(query.context)] : []),
    ...query.types.map((type) => (type.startsWith("!") ? `--type-not=${type.slice(1)}` : `--type=${type}`)),
    ...query.globs.map((glob) => `--glob=${glob}`),
    // git's own files are nobody's text
    ...(query.hidden || query.ignored ? ["--glob=!.git"] : []),
    ...["--regexp", query.pattern, "--"],
    ...(query.paths.length === 0 ? ["./"] : query.paths),
  ];
}
