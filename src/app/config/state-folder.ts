import { statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../adapters/agents/files.ts";
import { makeFolder } from "../../adapters/system/make-folder.ts";

/** Makes `.pawl` (its absolute path is given and returned), which ignores itself, so that nobody's .gitignore is touched. */
export function prepareState(state: string): string {
  makeFolder(state);
  const ignore = join(state, ".gitignore");
  // whole: one that Ctrl+C cut off would ignore nothing, for ever
  if ((statSync(ignore, { throwIfNoEntry: false })?.size ?? 0) === 0) replaceFile(ignore, "*\n");
  return state;
}
