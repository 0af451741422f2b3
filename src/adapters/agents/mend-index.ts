import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { HostParts } from "./parts.ts";

/**
 * A machine that goes down may cut an index off, and git does not always see it: it reads what is missing as nothing.
 * Such an index is put aside, and made anew from HEAD; the files of the worktree say what was done.
 */
export async function mendIndex(
  { worktree, gitDir }: { readonly worktree: string; readonly gitDir: string },
  { git, signal }: Pick<HostParts, "git"> & { readonly signal: AbortSignal },
): Promise<void> {
  const path = join(gitDir, "index");
  if (!existsSync(path) || isWhole(readFileSync(path))) return;
  renameSync(path, `${path}.broken`);
  await git.must(["read-tree", "HEAD"], { cwd: worktree, signal });
}

/** It ends with the hash of all before it; with zeros where git was told not to count (index.skipHash). */
const isWhole = (index: Buffer): boolean =>
  (["sha1", "sha256"] as const).some((algorithm) => {
    const hash = createHash(algorithm);
    const size = algorithm === "sha1" ? 20 : 32;
    if (index.length < HEADER + size || index.toString("latin1", 0, 4) !== "DIRC") return false;
    const end = index.subarray(-size);
    return end.every((byte) => byte === 0) || hash.update(index.subarray(0, -size)).digest().equals(end);
  });
const HEADER = 12;
