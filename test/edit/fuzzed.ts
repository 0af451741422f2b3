import { type LineHunk, type Operation, type Update, updateOf } from "../../src/workspace/edit/operation.ts";
import { type PlannedFile, planOf } from "../../src/workspace/edit/plan.ts";
import type { EditError } from "../../src/workspace/edit/refusal.ts";
import { LOOSE_RUNGS, type Rung } from "../../src/workspace/edit/rung.ts";
import { memoryRoot } from "./memory-files.ts";
import { oldOf, placesOf } from "./reference.ts";

/** An update of one file, and what it came to. */
export interface Outcome {
  readonly at: number;
  readonly before: string;
  readonly operation: Operation;
  /** null: refused */
  readonly text: string | null;
  readonly errors: readonly EditError[];
  readonly file: PlannedFile | undefined;
}

/** Plans updates of files that are named by their index, each for itself. `haveChanged`: since they were read, as is told. */
export function outcomesOf(
  texts: readonly string[],
  operations: readonly Operation[],
  haveChanged = false,
): readonly Outcome[] {
  const files = new Map(texts.map((text, i) => [String(i), Buffer.from(text, "latin1")]));
  const known = new Map(haveChanged ? texts.map((_, i) => [String(i), "0".repeat(64)]) : []);
  const planning = { root: memoryRoot(files), maxBytes: 1e9, known, changed: new Set<string>() };
  const plan = planOf(operations, planning);
  const errors = grouped(plan.errors);
  const changes = new Map(plan.changes.map((change) => [change.key, change]));
  const told = new Map(plan.files.map((file) => [file.path, file]));
  return operations.map((operation) => {
    const { path } = operation;
    const [at, wrong] = [Number(path), errors.get(path) ?? []];
    const text = wrong.length > 0 ? null : (changes.get(path)?.now?.text ?? texts[at]!);
    return { at, before: texts[at]!, operation, text, errors: wrong, file: told.get(path) };
  });
}

function grouped(errors: readonly EditError[]): Map<string, EditError[]> {
  const groups = new Map<string, EditError[]>();
  for (const error of errors) groups.set(error.path, [...(groups.get(error.path) ?? []), error]);
  return groups;
}

export const hunksOf = (operation: Operation): readonly LineHunk[] =>
  (operation as Update).hunks as readonly LineHunk[];

/** Without git's name for the old file: then only content says where a hunk belongs. */
export const byContent = (operation: Operation): Update => updateOf(operation.path, hunksOf(operation));

const RUNGS: readonly Rung[] = ["exact", ...LOOSE_RUNGS];

/** A refusal that is right: each hunk that is named fits several places on its rung, or says none. */
export function isAmbiguous({ before, operation, errors }: Outcome): boolean {
  return errors.every(({ code, hunk }) => {
    const one = hunksOf(operation)[hunk! - 1]!;
    const isSo = oldOf(one).length === 0 || RUNGS.some((rung) => placesOf(before, one, rung).length > 1);
    return code === "AMBIGUOUS" && isSo;
  });
}

/** Whether every hunk was put at the only place of its rung, and no stricter rung has any. */
export function isOnlyPlace({ before, operation, file }: Outcome): boolean {
  return hunksOf(operation).every((hunk, i) => {
    if (file === undefined) return false;
    const { rung, line } = file.hunks[i]!;
    if (oldOf(hunk).length === 0) return before.replace("\xef\xbb\xbf", "") === "";
    return RUNGS.slice(0, RUNGS.indexOf(rung) + 1).every((one) => {
      const places = placesOf(before, hunk, one);
      return one === rung ? places.length === 1 && places[0] === line : places.length === 0;
    });
  });
}
