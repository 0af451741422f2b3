import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toText } from "../../src/workspace/edit/byte-text.ts";
import { type Operation, updateOf } from "../../src/workspace/edit/operation.ts";
import { readEdits } from "../../src/workspace/edit/read-edits.ts";
import { Random } from "../worlds/random.ts";
import { gitApply, gitDiff, initGit, makeFolder, removeFolder, writeAll } from "./diffs.ts";
import { FORMATS } from "./formats.ts";
import { byContent, hunksOf, isAmbiguous, isOnlyPlace, type Outcome, outcomesOf } from "./fuzzed.ts";
import { DISGUISES, shuffled, spoiled } from "./mutated.ts";
import { type Pair, randomPair } from "./random-file.ts";
import { split } from "./reference.ts";

// Another world: PAWL_FUZZ_SEED=7 PAWL_FUZZ_FILES=4000 npx vitest run test/edit/fuzz.test.ts
const SEED = Number(process.env.PAWL_FUZZ_SEED ?? 1);
const FILES = Number(process.env.PAWL_FUZZ_FILES ?? 2_000);

let folder = "";
let pairs: readonly Pair[] = [];
let befores: readonly string[] = [];
/** the diffs of all files, with 3 lines of context */
let diffs: readonly Operation[] = [];
const totals = { accepted: 0, refused: 0 };

beforeAll(() => {
  const random = new Random(SEED);
  folder = makeFolder();
  pairs = Array.from({ length: FILES }, () => randomPair(random));
  befores = pairs.map(({ before }) => before);
  writeAll(join(folder, "a"), befores);
  writeAll(
    join(folder, "b"),
    pairs.map(({ after }) => after),
  );
  diffs = readEdits(gitDiff(folder, 3));
});

afterAll(() => {
  removeFolder(folder);
  const all = totals.accepted + totals.refused;
  console.log(`edit fuzz, seed ${SEED}: ${all} cases, ${totals.accepted} accepted, ${totals.refused} refused`);
});

/** Judges every outcome, counts it, and fails with the first faults in full. */
function judge(label: string, outcomes: readonly Outcome[], fault: (outcome: Outcome) => string | null): void {
  const accepted = outcomes.filter(({ text }) => text !== null).length;
  totals.accepted += accepted;
  totals.refused += outcomes.length - accepted;
  console.log(`edit fuzz, seed ${SEED}: ${label}: ${accepted} accepted, ${outcomes.length - accepted} refused`);
  const faults = outcomes.flatMap((outcome) => {
    const why = fault(outcome);
    const { at, before, operation, text, errors } = outcome;
    return why === null
      ? []
      : [{ why, at, before: shown(before), text: shown(text), errors, hunks: JSON.stringify(hunksOf(operation)) }];
  });
  expect(faults.slice(0, 3)).toEqual([]);
}

const shown = (text: string | null): string => JSON.stringify(text && toText(text));

const sameOrAmbiguous = (outcome: Outcome, wanted: string): string | null => {
  if (outcome.text === null) return isAmbiguous(outcome) ? null : "refused without a reason";
  if (outcome.text !== wanted) return `another file than git's: ${shown(wanted)}`;
  return isOnlyPlace(outcome) ? null : "put at one of several places";
};

describe("random edits of random files", () => {
  test("a diff of git gives the file that git has, byte for byte", () => {
    expect(diffs).toHaveLength(FILES);
    judge("diffs of git", outcomesOf(befores, diffs), ({ at, text }) =>
      text === pairs[at]!.after ? null : "not what git has",
    );
  });

  test.each([3, 2, 4, 1, 0])(
    "by content alone, with %i lines of context: that file, or it fits several places",
    (context) => {
      const operations = context === 3 ? diffs : readEdits(gitDiff(folder, context));
      judge(`${context} lines of context`, outcomesOf(befores, operations.map(byContent)), (outcome) =>
        sameOrAmbiguous(outcome, pairs[outcome.at]!.after),
      );
    },
  );

  const withSpoiledLine = (seed: number): readonly Operation[] => {
    const random = new Random(seed);
    return diffs.flatMap((operation) => {
      const hunks = hunksOf(operation);
      const at = random.below(hunks.length);
      const bad = spoiled(hunks[at]!, random);
      return bad === null ? [] : [updateOf(operation.path, hunks.with(at, bad))];
    });
  };

  test("with a line that is nowhere: refused, always", () => {
    judge("a line that is nowhere", outcomesOf(befores, withSpoiledLine(SEED + 1)), ({ text }) =>
      text === null ? null : "written although a line of it is nowhere",
    );
  });

  test("with such a line, in a file that is said to have changed: less context gives the same file, or nothing", () => {
    judge("less context", outcomesOf(befores, withSpoiledLine(SEED + 5), true), ({ text, at, errors }) => {
      // Where the new text is what the spoiled line was, it is there already.
      const isRight = errors.every(({ code }) => code === "STALE" || code === "ALREADY_APPLIED");
      if (text === null) return isRight ? null : "refused for another reason";
      return text === pairs[at]!.after ? null : "put where it was not meant";
    });
  });

  test("with a line lost, doubled or exchanged: only where just that stands, and nowhere else", () => {
    const random = new Random(SEED + 2);
    const operations = diffs.map((operation) =>
      updateOf(operation.path, [shuffled(random.pick(hunksOf(operation)), random)]),
    );
    judge("other lines", outcomesOf(befores, operations), (outcome) => {
      if (outcome.text === null) return null;
      if (!isOnlyPlace(outcome)) return "put at one of several places";
      return staysOutside(outcome) ? null : "changed what no hunk names";
    });
  });

  test("in a file that went on: what git apply makes of it, or it fits several places", () => {
    const random = new Random(SEED + 3);
    const drifted = befores.slice(0, 1_500).map((text) => drift(text, random));
    const moved = join(folder, "moved");
    writeAll(moved, drifted);
    initGit(moved);
    const some = diffs.filter(({ path }) => Number(path) < drifted.length);
    gitApply(moved, gitDiff(folder, 3));
    const git = (at: number): string | null =>
      existsSync(join(moved, `${at}.rej`)) ? null : readFileSync(join(moved, String(at)), "latin1");
    judge("files that went on", outcomesOf(drifted, some.map(byContent)), (outcome) => {
      const byGit = git(outcome.at);
      if (outcome.text === null) return byGit === null || isAmbiguous(outcome) ? null : "refused, and git takes it";
      if (!isOnlyPlace(outcome)) return "put at one of several places";
      if (byGit !== null) return outcome.text === byGit ? null : `not what git makes of it: ${shown(byGit)}`;
      return staysOutside(outcome) ? null : "changed what no hunk names";
    });
  });

  test.each(DISGUISES)("in a file with other $name: the same edit, and no byte outside it", ({ name, wear, strip }) => {
    const random = new Random(SEED + 4);
    const worn = befores.slice(0, 1_000).map((text) => wear(text, random));
    const some = diffs.filter(({ path }) => Number(path) < worn.length).map(byContent);
    judge(`other ${name}`, outcomesOf(worn, some), (outcome) => {
      if (outcome.text === null) return null;
      if (!isOnlyPlace(outcome)) return "put at one of several places";
      // What now fits another place exactly is put there: that is what the hunk says.
      const isElsewhere = hunksOf(outcome.operation).some(({ header }, i) => outcome.file!.hunks[i]!.line !== header);
      if (!isElsewhere && strip(outcome.text) !== strip(pairs[outcome.at]!.after)) return "not the same edit";
      return staysOutside(outcome) ? null : "changed what no hunk names";
    });
  });

  test.each(Object.entries(FORMATS))("as %s: the same file, or it fits several places", (name, format) => {
    const some = diffs.slice(0, 1_000).filter((operation) => hunksOf(operation).every(({ saysEnd }) => !saysEnd));
    const told = some.flatMap((operation) => format(operation.path, hunksOf(operation)) ?? []);
    const operations = told.flatMap(readEdits).filter(({ op }) => op === "update");
    judge(`as ${name}`, outcomesOf(befores, operations), ({ text, at, errors }) => {
      if (text === null) return errors.every(({ code }) => code === "AMBIGUOUS") ? null : "refused without a reason";
      return text === pairs[at]!.after ? null : `another file than git's: ${shown(pairs[at]!.after)}`;
    });
  });

  test("at least half of them are accepted", () => {
    expect(totals.accepted + totals.refused).toBeGreaterThan(FILES * 10);
    expect(totals.accepted).toBeGreaterThan(totals.refused);
  });
});

/** Other lines come and go somewhere. */
function drift(text: string, random: Random): string {
  const lines = split(text);
  for (let count = 1 + random.below(3); count > 0; count--)
    lines.splice(
      random.below(lines.length + 1),
      random.below(2),
      ...(random.chance(0.7) ? [`drift ${random.below(1_000)}\n`] : []),
    );
  return lines.join("");
}

/** Whether all lines outside the places of the hunks are the bytes that they were. */
function staysOutside({ before, text, file, operation }: Outcome): boolean {
  const [old, now] = [split(before), split(text!)];
  const places = hunksOf(operation)
    .map((hunk, i) => ({ hunk, line: file!.hunks[i]!.line - 1 }))
    .sort((a, b) => a.line - b.line);
  let [at, there] = [0, 0];
  for (const { hunk, line } of places) {
    // Two that share lines which both keep: told apart by the result only.
    if (line < at) return true;
    for (; at < line; at++, there++) if (old[at] !== now[there]) return false;
    for (const { kind } of hunk.lines) {
      // A last line without an end gets one where another comes behind it; a mark before the first may be the hunk's own.
      if (kind === "keep" && bare(old[at]) !== bare(now[there])) return false;
      if (kind !== "add") at++;
      if (kind !== "drop") there++;
    }
  }
  return old.slice(at).join("") === now.slice(there).join("");
}

const bare = (line = ""): string => line.replace(/\r?\n$/, "");
