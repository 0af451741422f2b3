import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import { systemCommands } from "../adapters/system/command.ts";
import { busyGit } from "../adapters/system/git.ts";
import { systemProcesses } from "../adapters/system/processes.ts";
import type { Commands, Sandbox } from "../ports/commands.ts";
import { WORKER_ENV } from "../protocol/run-folder.ts";
import { TOOL_ENV } from "../workspace/commands/environment.ts";
import { USUAL_ENV } from "./config/assemble.ts";
import { readPawlFile } from "./config/read-pawl-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Commands as they run here. `repo`: whose pawl.yaml says which variables they find; null: none does. Throws its faults. */
export function openCommands(repo: string | null, env: Env): Commands {
  return systemCommands({ processes: systemProcesses(), clock: systemClock(), env, names: namesFor(repo) });
}

function namesFor(repo: string | null): readonly string[] {
  const usual = [...USUAL_ENV, ...TOOL_ENV];
  if (repo === null) return usual;
  const { file, root, errors } = readPawlFile(repo, false);
  const fault = errors[0] ?? root.text.faults[0];
  if (fault) throw fault;
  return file.sandbox?.env ?? usual;
}

/**
 * A sandbox around the checkout that a folder is in: its files, git's own of them, and the run folder of a worker may be
 * written. Git's hooks and configuration may not: they would run outside of it.
 */
export async function checkoutSandbox(
  cwd: string,
  of: { readonly mode: Sandbox["mode"]; readonly network: boolean; readonly env: Env },
): Promise<Sandbox> {
  const { code, stdout } = await busyGit().run(["rev-parse", "--show-toplevel", "--git-dir", "--git-common-dir"], {
    cwd,
  });
  const [top, own, common] = code === 0 ? stdout.split("\n").map((path) => resolve(cwd, path)) : [cwd];
  const run = of.env[WORKER_ENV.runDir];
  const writable = [top ?? cwd, own, common, run].filter((path) => path !== undefined && existsSync(path));
  const guarded = common === undefined ? [] : ["hooks", "config"].map((name) => join(common, name));
  return { mode: of.mode, network: of.network, writable: [...new Set(writable as string[])], readOnly: guarded };
}
