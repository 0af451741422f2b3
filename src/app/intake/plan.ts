import type { Taken } from "./task-text.ts";
import { isAsWritten, saidHash, taskText } from "./task-text.ts";

/** What a sync does with one issue. `kept`: the file stays as somebody here left it, and `why` says what that means. */
export interface Step {
  readonly taken: Taken;
  readonly does: "write" | "update" | "nothing" | "kept";
  /** from the top of the repository */
  readonly file: string;
  /** of the file, as the issue has it now */
  readonly text: string;
  readonly why: string | null;
}

/** Why a file is kept: somebody here changed it; it is no issue's at all. */
export const EDITED = "edited here";
export const FOREIGN = "it was not written by pawl sync";

/** `there`: the task file with that id, wherever it lies; null: there is none. A local edit is never written over. */
export function stepFor(
  taken: Taken,
  there: { readonly file: string; readonly text: string } | null,
  folder: string,
): Step {
  const text = taskText(taken);
  if (there === null) return { taken, does: "write", file: `${folder}/${taken.id}.md`, text, why: taken.draft };
  const { file } = there;
  if (saidHash(there.text) === null) return { taken, does: "kept", file, text, why: FOREIGN };
  const isChanged = saidHash(there.text) !== saidHash(text);
  if (isAsWritten(there.text)) return { taken, does: isChanged ? "update" : "nothing", file, text, why: taken.draft };
  const why = isChanged ? `edited here, and changed there: delete it and sync again, to take theirs` : EDITED;
  return { taken, does: "kept", file, text, why };
}
