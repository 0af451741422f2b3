import { QUIET_GIT } from "../../workspace/commands/environment.ts";

/** What git is told before the command itself: raw paths, no background work, no colour. */
export const GIT_FLAGS: readonly string[] = [
  "core.quotePath=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "core.fsmonitor=false",
  "color.ui=false",
].flatMap((setting) => ["-c", setting]);

/**
 * The environment of every git that we run. Ours of GIT_* stays out: inside a hook GIT_DIR or GIT_INDEX_FILE would lead
 * each command to another repository. Nothing may ask: a question without a terminal is a process that never ends.
 */
export const gitEnvironment = (
  ours: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(ours).filter((pair): pair is [string, string] => passes(pair))),
  ...QUIET_GIT,
  LC_ALL: "C",
  // readers would rewrite the index, and make a writer beside them fail on index.lock
  GIT_OPTIONAL_LOCKS: "0",
  ...added,
});

const passes = ([name, value]: [string, string | undefined]): boolean =>
  value !== undefined && !name.startsWith("GIT_") && name !== "LANGUAGE";
