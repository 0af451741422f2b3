import { delimiter, join } from "node:path";
import { parseLeg } from "../../domain/names.ts";
import { RUN_FILES, WORKER_ENV } from "../../protocol/run-folder.ts";
import type { Drive, LegPlace } from "./leg.ts";

/**
 * All that a worker finds in its environment: the variables that are allowed by name, Pawl's own, and its agent's. An
 * allowlist, because a list of what is secret always misses the next name.
 */
export function workerEnvironment(drive: Drive, at: LegPlace, ours: NodeJS.ProcessEnv): Record<string, string> {
  const { wish, env, program, bin } = drive;
  const passed = env.flatMap((name) => (ours[name] === undefined ? [] : [[name, ours[name]] as const]));
  const given = { ...Object.fromEntries(passed), ...program.env };
  return {
    ...given,
    ...identity(drive, at),
    // `pawl progress` and `pawl verdict` work whatever PATH the worker has
    PATH: [bin, given.PATH ?? DEFAULT_PATH].join(delimiter),
    ...(parseLeg(wish.leg).leg > 1 ? { [WORKER_ENV.resume]: "1" } : {}),
  };
}
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

function identity({ wish, worktree, baseRef }: Drive, at: LegPlace): Record<string, string> {
  const { task, visit, attempt } = parseLeg(wish.leg);
  return {
    [WORKER_ENV.task]: task,
    [WORKER_ENV.leg]: wish.leg,
    [WORKER_ENV.legDir]: at.folder,
    [WORKER_ENV.runDir]: at.run,
    [WORKER_ENV.assignment]: join(at.run, RUN_FILES.assignment),
    [WORKER_ENV.prompt]: join(at.run, RUN_FILES.prompt),
    [WORKER_ENV.worktree]: worktree,
    [WORKER_ENV.role]: wish.who,
    [WORKER_ENV.phase]: wish.phase,
    [WORKER_ENV.round]: String(wish.round),
    [WORKER_ENV.attempt]: String(attempt),
    [WORKER_ENV.key]: `${task}/${visit}`,
    [WORKER_ENV.base]: baseRef,
    ...(wish.place.kind === "worktree" && wish.place.merge !== null ? { [WORKER_ENV.merge]: wish.place.merge } : {}),
  };
}
