import { PERCENT, type Progress, type WorkerStatus } from "./progress.ts";

/** What a worker says of how far it is; what it does not say stays. */
export interface SaidOfProgress {
  readonly status: WorkerStatus | undefined;
  readonly percent: number | undefined;
  readonly activity: string | undefined;
}

/** The next progress: a percent outside its status's range is brought into it, and that is noted. */
export function nextProgress(
  before: Progress | undefined,
  said: SaidOfProgress,
  of: { now: string; task: string; agent: string },
): Progress {
  const status = said.status ?? before?.status ?? "initializing";
  const [least, most] = PERCENT[status];
  const wanted = said.percent ?? (before?.status === status ? before.percent : least);
  const percent = Math.min(most, Math.max(least, wanted));
  const warning =
    percent === wanted
      ? {}
      : { warning: `${wanted} % is outside ${status} (${least} to ${most}), shown as ${percent} %` };
  return {
    agent_id: of.agent,
    task_id: of.task,
    status,
    percent,
    activity: said.activity ?? before?.activity ?? "",
    ...warning,
    step_started_at: before?.status === status ? (before.step_started_at ?? before.updated_at) : of.now,
    updated_at: of.now,
  };
}
