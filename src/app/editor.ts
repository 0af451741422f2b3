import { join } from "node:path";
import { fileLocks } from "../adapters/store/file-lock.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { systemFiles } from "../adapters/system/files.ts";
import { busyGit } from "../adapters/system/git.ts";
import { PawlError } from "../domain/errors.ts";
import { createEditor, type Editor } from "../workspace/edit/editor.ts";
import type { Scope } from "../workspace/edit/locate.ts";
import { prepareState } from "./config/state-folder.ts";

/**
 * An editor of the files below a folder. What it keeps until edits are done lies in `.pawl/edits` there, which git ignores.
 * Throws PawlError EDIT_ROOT where that folder is not there, or cannot be written to.
 */
export function openEditor(root: string, scope: Scope): Editor {
  const journalDir = join(stateIn(root), "edits");
  return createEditor({ files: systemFiles(), lock: fileLocks(), clock: systemClock(), root, scope, journalDir });
}

function stateIn(root: string): string {
  try {
    return prepareState(join(root, ".pawl"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PawlError("EDIT_ROOT", `${root} cannot be written to: ${why}`, { next: "see who may write there" });
  }
}

/** Where paths of edits start: the top of the checkout that a folder is in (a worktree's own), or else that folder. */
export async function editRoot(folder: string): Promise<string> {
  const { code, stdout } = await busyGit().run(["rev-parse", "--show-toplevel"], { cwd: folder });
  const top = stdout.replace(/\n$/, "");
  return code === 0 && top !== "" ? top : folder;
}
