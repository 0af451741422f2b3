import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes `.pawl` (its absolute path is given and returned), which ignores itself, so that nobody's .gitignore is touched. */
export function prepareState(state: string): string {
  mkdirSync(state, { recursive: true });
  const ignore = join(state, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  return state;
}
