import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { modelOf, type Shape } from "./model-repository.ts";

export { git, write } from "./plain-git.ts";

/** A folder of this test's own, gone when the test is (kept with PAWL_KEEP=1). */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  onTestFinished(async () => {
    if (!process.env.PAWL_KEEP) await removed(folder);
  });
  return folder;
}

/** Takes a folder away; a worker that the test left at work may write there for a moment. */
export async function removed(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || tries > 50) throw error;
      await new Promise((again) => setTimeout(again, 100));
    }
  }
}

/** A repository with one commit on main; with `origin: true` also a bare origin beside it, pushed. */
export const repository = (
  files: Record<string, string>,
  { origin = false, at = scratch() }: { origin?: boolean; at?: string } = {},
): { repo: string; origin: string | null } => copyOf({ commits: { Start: files }, origin, programs: [] }, at);

/** A copy of such a repository, and its origin, in the folder `at`. */
export function copyOf(shape: Shape, at: string): { repo: string; origin: string | null } {
  const model = modelOf(shape);
  cpSync(model, at, { recursive: true });
  const repo = join(at, "repo");
  if (!shape.origin) return { repo, origin: null };
  const config = join(repo, ".git", "config");
  writeFileSync(config, readFileSync(config, "utf8").replaceAll(model, at));
  return { repo, origin: join(at, "origin.git") };
}
