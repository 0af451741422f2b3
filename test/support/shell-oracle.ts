import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Runs texts in a real shell where `git` is a program that notes what it is given: whether one really was `git push`. */
export function shellOracle(folder: string): (shell: string, text: string) => boolean {
  const bin = join(folder, "bin");
  const log = join(folder, "log");
  mkdirSync(bin, { recursive: true });
  const program = (name: string, body: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program("git", `[ "$1" = push ] && echo pushed >>'${log}'`);
  for (const name of ["env", "timeout", "xargs", "cat", "nohup", "sh"]) program(name, `exec /usr/bin/${name} "$@"`);
  return (shell, text) => {
    rmSync(log, { force: true });
    const options = { cwd: folder, env: { PATH: bin }, timeout: 2_000, stdio: "ignore" as const };
    spawnSync(shell, ["-c", text], options);
    try {
      return readFileSync(log, "utf8") !== "";
    } catch {
      return false;
    }
  };
}
