import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A `git` in front of git's own, for the processor alone: it counts the commands that write, and at one of them kills
 * the processor. `during`: the command is done, and nobody has heard. `late`: the command is done while the next
 * processor is at work already, as a push that hung would be.
 */
export function makeShim(folder: string): string {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "git");
  writeFileSync(path, SHIM(real));
  chmodSync(path, 0o755);
  return folder;
}

/** What the shim finds in its environment; nobody but the processor has it. */
export const SHIM_ENV = {
  folder: "SWEEP_FOLDER",
  processor: "SWEEP_PROCESSOR",
  at: "SWEEP_GIT_AT",
  moment: "SWEEP_GIT_MOMENT",
} as const;

const SHIM = (real: string): string => `#!/bin/sh
[ -n "$SWEEP_FOLDER" ] || exec ${real} "$@"
case " $* " in
*" push "*|*" fetch "*|*" update-ref "*|*" worktree add "*|*" worktree remove "*|*" merge "*|*" commit "*|*" reset "*) ;;
*) exec ${real} "$@" ;;
esac
echo "$*" >> "$SWEEP_FOLDER/written"
[ "$(wc -l < "$SWEEP_FOLDER/written")" -eq "\${SWEEP_GIT_AT:-0}" ] || exec ${real} "$@"
if [ "$SWEEP_GIT_MOMENT" = late ]; then
  kill -9 "$SWEEP_PROCESSOR"
  tries=0
  until [ -e "$SWEEP_FOLDER/life-2" ] || [ "$tries" -gt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
  exec ${real} "$@"
fi
${real} "$@"
kill -9 "$SWEEP_PROCESSOR"
`;
