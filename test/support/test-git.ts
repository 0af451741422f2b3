import { busyGit } from "../../src/adapters/system/git.ts";
import { gitProcess } from "../../src/adapters/system/git-process.ts";
import type { Git, GitOptions } from "../../src/ports/system.ts";

/** The machine's git without its configuration: what a test says about git is then true anywhere. */
export const testGit = (): Git => plain(busyGit());

/** One that does not wait for a lock file to go away. */
export function impatientGit(): Git {
  const git = busyGit();
  return plain({ ...git, run: gitProcess });
}

const plain = (git: Git): Git => ({
  ...git,
  run: (args, options) => git.run(args, withoutConfig(options)),
  must: (args, options) => git.must(args, withoutConfig(options)),
});

const withoutConfig = (options: GitOptions): GitOptions => ({
  ...options,
  env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", ...options.env },
});
