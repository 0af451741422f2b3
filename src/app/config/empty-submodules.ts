import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PawlError } from "../../domain/errors.ts";
import { startOf } from "./committed.ts";
import { git } from "./repository.ts";
import { child, fault, faultAt, nodeOf, type Spot } from "./spot.ts";
import { inWords } from "./task-terms.ts";

const FILL = "git submodule update --init --recursive";

/** SUBMODULES_EMPTY (a warning), where the base has submodules and the setup of worktrees does not fill them. */
export async function emptySubmodules(
  root: Spot,
  on: { readonly repo: string; readonly base: string; readonly setup: string | readonly string[] | null },
): Promise<readonly PawlError[]> {
  const { repo, setup } = on;
  if (!existsSync(join(repo, ".gitmodules")) || (setup !== null && inWords(setup).includes("submodule"))) return [];
  const { ref } = await startOf(on);
  const asked = await git(repo, ["config", "--blob", `${ref}:.gitmodules`, "--get-regexp", "^submodule\\..*\\.path$"]);
  if (asked.code !== 0) return [];
  const names = asked.stdout.split("\n").map((line) => line.slice(line.indexOf(" ") + 1));
  const shown = `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
  const one = names.length === 1;
  const message = `the submodule${one ? "" : "s"} ${shown} ${one ? "is an empty folder" : "are empty folders"} in every worktree: no setup fills ${one ? "it" : "them"}`;
  const spot = child(child(root, "worktree"), "setup");
  if (nodeOf(spot) === null)
    return [fault("SUBMODULES_EMPTY", message, { next: `add worktree: {setup: ${FILL}} to pawl.yaml.` })];
  return [faultAt(spot, "SUBMODULES_EMPTY", message, { next: `begin it with ${FILL} &&.` })];
}
