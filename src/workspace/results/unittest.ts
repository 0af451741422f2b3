import { type ErrorPlace, names, type Reader } from "./reading.ts";

const RESULT = /^Ran (\d+) tests? in [\d.]+s\n+(?:OK|FAILED|NO TESTS RAN)(?: \((.{1,200})\))?$/gm;
const FAILED = /^(?:FAIL|ERROR): (.{1,300})$/gm;

export const readUnittest: Reader = (text) => {
  const results = [...text.matchAll(RESULT)];
  if (results.length === 0) return null;
  const sum = (word: string) =>
    results.reduce((all, [, , rest = ""]) => all + Number(new RegExp(`\\b${word}=(\\d+)`).exec(rest)?.[1] ?? 0), 0);
  const ran = results.reduce((all, match) => all + Number(match[1]), 0);
  const failed = sum("(?<!expected )failures") + sum("errors") + sum("unexpected successes");
  const skipped = sum("skipped") + sum("expected failures");
  // parts of one test may fail each for itself
  return {
    passed: Math.max(0, ran - failed - skipped),
    failed,
    skipped,
    failing: names(text, FAILED),
    firstError: first(text),
  };
};

/** The last frame of the first traceback, and what was raised there. */
function first(text: string): ErrorPlace | null {
  const block = /^(?:FAIL|ERROR): .*\n-+\n([\s\S]{0,20000}?)(?:\n\n(?:=+|-+)\n|$(?![\s\S]))/m.exec(text)?.[1];
  if (block === undefined) return null;
  const frame = [...block.matchAll(/^ {2}File "(.{1,300}?)", line (\d+)/gm)].at(-1);
  const said = block.split("\n").find((line, at) => at > 0 && /^\S/.test(line)) ?? block.split("\n")[0]!;
  return { file: frame?.[1] ?? null, line: frame ? Number(frame[2]) : null, text: said.slice(0, 500) };
}
