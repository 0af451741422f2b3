import type { DeviceRun } from "./run-state.ts";
import { settingsOnWire } from "./settings.ts";
import type { Trajectory } from "./trajectory.ts";

/** A run as its trajectory, also before its end: what a kill leaves behind is that of an interrupted one. */
export function trajectoryOf(run: DeviceRun): Trajectory {
  const { status, reason } = run.ended ?? {
    status: "interrupted",
    reason: "no end was written: it still runs, or it was killed",
  };
  return {
    version: 1,
    task_goal: run.goal,
    task_id: run.taskId,
    status,
    reason,
    total_steps: run.steps.length,
    duration: Math.max(0, Math.round(run.lastMono - run.startedMono)) / 1000,
    target: run.target,
    agent: run.agent,
    screenshots: "files",
    settings: settingsOnWire(run.settings),
    usage: { tokens: run.tokens, cost_usd: run.microUsd === null ? null : run.microUsd / 1e6 },
    started_at: new Date(run.startedAt).toISOString(),
    ended_at: run.ended === null ? null : new Date(run.ended.at).toISOString(),
    steps: run.steps,
  };
}
