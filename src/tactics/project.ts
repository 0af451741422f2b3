import type { Clock } from "../ports/clock.ts";
import type { RunFolder } from "../ports/run-folder.ts";
import type { Progress } from "../protocol/progress.ts";
import { RUN_FILES } from "../protocol/run-folder.ts";
import { contextOf } from "./context.ts";
import type { Desk } from "./desk.ts";
import { progressOf } from "./progress-of.ts";
import { runLog } from "./run-log.ts";
import type { WorkerState } from "./worker-state.ts";

/** How often progress is said while nothing else is (agent-runner.md: at least every 5 minutes), in ms. */
const EVERY_MS = 4 * 60_000;

export interface Projector {
  /** brings the files up to the state; what did not change is not written again */
  update(): void;
  /** a sign of life between two records */
  readonly heard: (text: string) => void;
  close(): void;
}

interface Parts {
  readonly folder: RunFolder;
  readonly logs: RunFolder;
  readonly clock: Clock;
  readonly say: (line: string) => void;
}

/** Writes what others read of a worker: progress.json, context.md and the run log. All of it follows from the state. */
export function projector(desk: Desk, parts: Parts): Projector {
  let shown: WorkerState | null = null;
  let last = readProgress(parts.folder);
  const ending = new AbortController();
  const progress = () => {
    last = writeProgress(desk, parts, last);
  };
  void (async () => {
    while (!ending.signal.aborted) {
      await parts.clock.sleep(EVERY_MS, ending.signal);
      if (!ending.signal.aborted) progress();
    }
  })();
  return {
    update() {
      const state = desk.state!;
      if (state === shown) return;
      if (changed(shown, state, ["done", "commits", "validated", "finished", "eoi", "plan", "decisions"]))
        parts.logs.replace(state.runLog, `${JSON.stringify(runLog(state), null, 1)}\n`);
      if (changed(shown, state, ["done", "goal", "validated", "decisions", "plan", "session"]))
        parts.folder.replace("context.md", contextOf(state));
      shown = state;
      progress();
    },
    heard: () => {},
    close: () => ending.abort(),
  };
}

const changed = (before: WorkerState | null, now: WorkerState, keys: readonly (keyof WorkerState)[]): boolean =>
  before === null || keys.some((key) => before[key] !== now[key]);

/** At each transition, and when a thing that is done changes; the history is one line for each. */
function writeProgress({ state, now }: Desk, { folder, say }: Parts, last: Progress | null): Progress {
  const at = new Date(now).toISOString();
  const isSame = last?.status === state!.session.status;
  const next = progressOf(state!, at, isSame ? last!.percent : 0);
  const progress = { ...next, step_started_at: isSame ? (last!.step_started_at ?? at) : at };
  folder.replace(RUN_FILES.progress, `${JSON.stringify(progress)}\n`);
  if (!isSame || last?.activity !== progress.activity || last?.warning !== progress.warning) {
    folder.append(RUN_FILES.progressLog, JSON.stringify(progress));
    say(`${String(progress.percent).padStart(3)} %  ${progress.status.padEnd(14)} ${progress.activity}`);
  }
  return progress;
}

function readProgress(folder: RunFolder): Progress | null {
  try {
    return JSON.parse(folder.read(RUN_FILES.progress) ?? "null") as Progress | null;
  } catch {
    return null;
  }
}
