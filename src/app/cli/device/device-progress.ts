import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { json, replaceFile } from "../../../adapters/agents/files.ts";
import type { DeviceEvent } from "../../../device/event.ts";
import type { DeviceRun } from "../../../device/run-state.ts";
import { PERCENT, type Progress } from "../../../protocol/progress.ts";
import { RUN_FILES } from "../../../protocol/run-folder.ts";
import { actionText } from "../../device/step-line.ts";

/** Where a worker says how far it is. */
export interface ProgressOf {
  /** the run folder */
  readonly run: string;
  readonly taskId: string;
}

/** A worker on a screen says with each step how far it is: progress.json, its history beside it. */
export function deviceProgress({ run: folder, taskId }: ProgressOf) {
  const say = (run: DeviceRun, activity: string): void => {
    const said: Progress = {
      agent_id: "",
      task_id: taskId,
      status: "implementing",
      percent: percentOf(run),
      activity,
      updated_at: new Date().toISOString(),
    };
    replaceFile(join(folder, RUN_FILES.progress), json(said));
    appendFileSync(join(folder, RUN_FILES.progressLog), `${JSON.stringify(said)}\n`);
  };
  return {
    saw(event: DeviceEvent, run: DeviceRun): void {
      if (event.kind === "run-began") say(run, "looks at the screen");
      if (event.kind === "question-asked")
        say(
          run,
          `asks: ${event.question} (pawl answer ${taskId} TEXT, within ${Math.round(event.timeoutMs / 1000)} s)`,
        );
      if (event.kind === "step-recorded")
        say(run, `${event.step.step}/${run.settings.maxSteps} ${actionText(event.step.action)}`);
    },
  };
}

/** The share of its steps, in the range of a worker at work. */
function percentOf({ steps, settings }: DeviceRun): number {
  const [least, most] = PERCENT.implementing;
  return Math.round(least + (most - least) * Math.min(1, steps.length / settings.maxSteps));
}
