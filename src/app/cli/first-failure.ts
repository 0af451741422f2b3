/** The first thing that failed, as far as a check's output says it. */
export interface Failure {
  readonly test?: string;
  readonly file?: string;
  readonly line?: number;
}

/** How test programs write a failed test: the first pattern that is found counts, and in it the first place. */
const TESTS: readonly RegExp[] = [
  // node:test, spec: the list at its end
  /^test at (?<file>.+?):(?<line>\d+):\d+\n\s*[✖X] (?<test>.+?)(?: \([\d.]+m?s\))?$/m,
  // vitest
  /^\s*FAIL\s+(?:\|[^|\n]*\|\s+)?(?<file>[^\s>]+) > (?<test>.+?)(?:\s+\d+m?s)?$/m,
  // jest
  /^\s*● (?<test>(?!Console).+ › .+|(?!Console)[^\n›]+)\n/m,
  // pytest
  /^FAILED (?<file>[^\s:]+)::(?<test>\S+)/m,
  // cargo
  /^thread '(?<test>[^']+)'(?: \(\d+\))? panicked at (?:'[^\n]*', )?(?<file>[^\s:]+):(?<line>\d+)(?::\d+)?/m,
  /^test (?<test>\S+)(?: - should panic)? \.\.\. FAILED$/m,
  // go
  /^\s*--- FAIL: (?<test>\S+) \([\d.]+s\)$/m,
  // TAP, node:test's too
  /^\s*not ok \d+ -? ?(?<test>.+?)(?: # .*)?$/m,
  // node:test, spec, cut off before its list
  /^\s*✖ (?<test>(?!failing tests).+?)(?: \([\d.]+m?s\))?$/m,
];

/** tsc, and everything that writes file:line:column: message. */
const PLACES: readonly RegExp[] = [
  /^(?<file>[^\s():]+)\((?<line>\d+),\d+\): (?<test>error .+)$/gm,
  /^(?<file>[^\s:]+):(?<line>\d+):\d+ - (?<test>error .+)$/gm,
  /^\s*(?:Error: )?(?<file>[^\s:]+):(?<line>\d+)(?::\d+)?:? (?<test>\S.*)$/gm,
];

/** `isFile` says whether a path is a file of the repository, and gives it from the repository's root: others are not places. */
export function firstFailure(output: string, isFile: (path: string) => string | null): Failure | null {
  for (const pattern of TESTS) {
    const found = pattern.exec(output);
    if (!found?.groups) continue;
    const test = found.groups.test!.trim();
    return { test, ...(placeOf(found, output, isFile) ?? {}) };
  }
  for (const pattern of PLACES)
    for (const { groups } of output.matchAll(pattern)) {
      const file = isFile(groups!.file!);
      if (file !== null) return { test: groups!.test!.trim(), file, line: Number(groups!.line) };
    }
  return null;
}

/** The place that stands in the failure itself, else the first one of its file, else the first one below it. */
function placeOf(found: RegExpExecArray, output: string, isFile: (path: string) => string | null): Failure | null {
  const { file: named, line } = found.groups!;
  const file = named === undefined ? null : isFile(named);
  if (file !== null && line !== undefined) return { file, line: Number(line) };
  const below = output.slice(found.index).split("\n", 60).join("\n");
  const places = [...below.matchAll(ANYWHERE), ...(named === undefined ? [] : output.matchAll(ANYWHERE))];
  for (const { groups } of places) {
    const place = isFile(groups!.file!);
    if (place !== null && (file === null || place === file)) return { file: place, line: Number(groups!.line) };
  }
  return file === null ? null : { file };
}

const ANYWHERE = /(?:file:\/\/)?(?<file>[\w@./+-]*[\w-]\.[A-Za-z]{1,5}):(?<line>[1-9]\d{0,6})/g;
